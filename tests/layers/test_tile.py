"""Tile layers: axes, what is refused, cases of the original."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TEST, Net
from caffempi.errors import ShapeError
from caffempi.proto import caffe_pb2
from tests.helpers.layercheck import one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden


def net(fields):
    return one_layer(f'type: "Tile" bottom: "x" top: "y" tile_param {{ {fields} }}', x=(2, 2))


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Tile_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "top"), [
    ("tiles: 2", [[1, 2, 1, 2], [3, 4, 3, 4]]), ("tiles: 2 axis: 0", [[1, 2], [3, 4], [1, 2], [3, 4]]),
    ("tiles: 1 axis: -1", [[1, 2], [3, 4]])])
def test_numbers(fields, top):
    assert run(net(fields), {"x": np.array([[1, 2], [3, 4]])})[0]["y"].tolist() == top


@pytest.mark.parametrize(("fields", "words"), [
    ("", "field tile_param.tiles = 0: must be at least 1"),
    ("tiles: 2000000000", 'layer "l" (Tile): the shape 2 x 4000000000 has more than 2147483647 elements'),
    ("tiles: -1", "field tile_param.tiles = -1: must be at least 1"),
    ("tiles: 2 axis: 2", "field tile_param.axis = 2: axis 2 does not exist")])
def test_refused(fields, words):
    assert words in refused(net(fields))


def test_a_batch_that_makes_the_top_too_large_is_refused_and_the_old_one_still_runs():
    made = Net(text_format.Parse(net("tiles: 1000").replace("dim: 2 dim: 2", "dim: 2 dim: 1"), caffe_pb2.NetParameter()), TEST,
               engine="numpy")
    with pytest.raises(ShapeError, match="the shape 3000000 x 1000 has more than"):
        made.blobs["x"].reshape(3000000, 1)
        made.forward()
    made.blobs["x"].reshape(2, 1)
    assert made.forward()["y"].shape == (2, 1000)
