"""Places answer with the line of a field, or of the nearest thing around it."""
from __future__ import annotations

import pytest

from caffempi.proto.caffe_pb2 import NetParameter
from caffempi.proto.parse import parse
from caffempi.proto.places import Lines, Mark, Places

TEXT = """name: "n"
layer {
  name: "a"
  type: "Convolution"
  convolution_param {
    kernel_size: 3 kernel_size:
      5
    weight_filler { type: "xavier" }
  }
}

layer { name: "b" type: "ReLU"
  bottom: "a"
  bottom: ["c",
    "d"]
}
layer { name: "b" }
"""


@pytest.fixture
def places() -> Places:
    places = parse(TEXT, NetParameter(), "f.prototxt")
    places.name_layers(["a", "b", "b"])
    return places


@pytest.mark.parametrize(("path", "line"), [
    (("name",), 1), (("layer", 0), 2), (("layer", 0, "name"), 3), (("layer", 0, "convolution_param"), 5),
    (("layer", 0, "convolution_param", "kernel_size"), 6), (("layer", 0, "convolution_param", "kernel_size", 1), 6),
    (("layer", 0, "convolution_param", "weight_filler", "type"), 8), (("layer", 1, "type"), 12),
    (("layer", 1, "bottom", 0), 13), (("layer", 1, "bottom", 1), 14), (("layer", 1, "bottom", 2), 15),
    # what the text does not say has the place of what is around it
    (("layer", 0, "convolution_param", "pad"), 5), (("layer", 0, "convolution_param", "kernel_size", 7), 5),
    (("layer", 0, "pooling_param", "pad"), 2), (("layer", 99), 1), (("state", "phase"), 1), ((), 1),
])
def test_at(places: Places, path: tuple[str | int, ...], line: int) -> None:
    assert places.at(*path) == f"f.prototxt:{line}"


def test_layers_by_index_and_by_name(places: Places) -> None:
    assert places.layer(2) == "f.prototxt:17"
    assert places.layer("b") == "f.prototxt:12", "the first of that name"
    assert places.layer("unknown") == "f.prototxt:1"


def test_all_places_are_listed(places: Places) -> None:
    listed = dict(places)
    assert listed[("layer", 0, "convolution_param", 0, "kernel_size", 1)] == "f.prototxt:6"
    assert all(places.at(*path) == where for path, where in listed.items())
    assert len(listed) == 17


def test_places_below_share_their_marks(places: Places) -> None:
    below = places.below("layer", 0)
    assert below.at("name") == "f.prototxt:3"
    below.root.move("name", "title")
    assert places.at("layer", 0, "title") == "f.prototxt:3" and places.at("layer", 0, "name") == "f.prototxt:2"


def test_moving_what_is_not_there_changes_nothing() -> None:
    mark = Mark(3)
    mark.move("a", "b")
    assert mark.fields == {}


@pytest.mark.parametrize(("offset", "place"), [(0, (1, 1)), (1, (1, 2)), (2, (2, 1)), (3, (3, 1)), (5, (3, 3))])
def test_lines(offset: int, place: tuple[int, int]) -> None:
    assert Lines("a\n\nbc").of(offset) == place
