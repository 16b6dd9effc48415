"""Graphs: shapes come from the ops, blobs have versions, digests tell nets apart, errors get the layer's name."""
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Graph, LayerInfo, Spec
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.relu import ReluAttrs


def built(slope=0.0):
    g = Graph("net")
    g.layers.append(LayerInfo("act", "ReLU", ("x",), ("x",)))
    g.layer = 0
    x = g.value(Spec((2, 3)), "in")
    g.name_blob(x, "x")
    (y,) = g.emit("relu", ReluAttrs(slope), [x])
    g.name_blob(y, "x")
    return g


def test_in_place_layers_make_versions():
    g = built()
    assert [v.version for v in g.blobs["x"]] == [0, 1] and g.blobs["x"][1].spec == Spec((2, 3))


def test_digest_is_of_what_the_net_means():
    assert built().digest() == built().digest() != built(0.5).digest()


def test_shape_errors_name_the_layer_and_place():
    g = built()
    g.where = "net.prototxt:4"
    w = g.value(Spec((4, 9, 3, 3)), "param")
    x = g.value(Spec((1, 3, 8, 8)), "in")
    with pytest.raises(ShapeError, match=r'layer "act" \(ReLU\).*net.prototxt:4'):
        g.emit("conv", ConvAttrs((3, 3), (1, 1), (0, 0), (1, 1)), [x, w])


def test_spec_counts_elements():
    assert Spec((2, 3, 4)).count == 24 and Spec(()).count == 1 and Spec((3, 0)).count == 0
