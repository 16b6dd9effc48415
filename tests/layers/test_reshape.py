"""Reshape layers: dims, axis and num_axes, sharing of data and diff, what is refused, cases of the original."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TRAIN, Net
from caffempi.proto import caffe_pb2
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

X = (2, 8, 3, 5)


def net(fields, shape=X, top="y"):
    return one_layer(f'type: "Reshape" bottom: "x" top: "{top}" reshape_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Reshape_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "shape", "top"), [
    ("shape { dim: 0 dim: -1 }", X, (2, 120)), ("shape { dim: -1 dim: 0 dim: 0 dim: 0 }", X, X), ("shape { dim: 240 }", X, (240,)),
    ("shape { dim: 0 dim: 0 dim: 15 }", X, (2, 8, 15)), ("shape { dim: 4 dim: 2 } axis: 1 num_axes: 1", X, (2, 4, 2, 3, 5)),
    ("shape { dim: 1 } axis: 0 num_axes: 0", X, (1, *X)), ("shape { dim: 1 } axis: -1", X, (*X, 1)),
    ("shape { dim: -1 } axis: -3", X, (2, 8, 15)), ("shape { } axis: 0 num_axes: 1", (1, 4), (4,)), ("shape { }", (1, 1), ()),
    ("shape { dim: 0 dim: -1 }", (0, 4, 2), (0, 8))])
def test_shapes(fields, shape, top):
    graph = build(net(fields, shape))
    assert graph.layers[-1].top_values[0].spec.shape == top and graph.nodes[-1].op == "reshape"


def test_numbers_keep_their_order():
    x = np.arange(6.0).reshape(2, 3)
    assert run(net("shape { dim: 3 dim: -1 }", (2, 3)), {"x": x})[0]["y"].tolist() == [[0, 1], [2, 3], [4, 5]]


def test_data_and_diff_are_shared_with_the_bottom_and_shapes_follow_a_reshape():
    text = "force_backward: true " + net("shape { dim: 0 dim: -1 }", (2, 3, 4))
    made = Net(text_format.Parse(text, caffe_pb2.NetParameter()), TRAIN, engine="numpy")
    made.blobs["x"].data[...] = 3
    made.forward()
    assert np.shares_memory(made.blobs["x"].data, made.blobs["y"].data)
    made.blobs["y"].diff[...] = 5
    made.backward()
    assert made.blobs["x"].diff.shape == (2, 3, 4) and (made.blobs["x"].diff == 5).all()
    made.blobs["x"].reshape(5, 2, 2)
    assert made.forward()["y"].shape == (5, 4)


@pytest.mark.parametrize(("fields", "words"), [
    ("shape { dim: -2 }", "field reshape_param.shape.dim[0] = -2: must be -1 or more"),
    ("shape { dim: -1 dim: -1 }", "field reshape_param.shape: has 2 dims -1; only one"),
    ("shape { dim: 7 dim: -1 }", "field reshape_param.shape: dims [7, -1] do not fit input 2 x 8 x 3 x 5: 7 does not divide 240"),
    ("shape { dim: 7 }", "has 240 numbers, the shape 7 would have 7"), ("", "has 240 numbers, the shape scalar would have 1"),
    ("shape { dim: 0 dim: 0 } axis: 3", "dim 0 at place 1 copies from axis 4"), ("num_axes: -2", "num_axes = -2: must be at least -1"),
    ("shape { dim: 1 } axis: 5", "field reshape_param.axis: axis 5 does not exist"),
    (f"shape {{ dim: 240 {'dim: 1 ' * 32} }}", "a shape of 33 axes is needed; a blob has at most 32"),
    ("shape { dim: -1 } axis: 2 num_axes: 3", "axes 2 to 4 do not all exist")])
def test_refused(fields, words):
    assert words in refused(net(fields))


def test_in_place_is_refused():
    assert "cannot work in place" in refused(net("shape { dim: -1 }", top="x"))
