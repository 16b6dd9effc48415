"""Silence layers: swallowed blobs are no outputs and get zero diffs; cases of the original."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TRAIN, Net
from caffempi.proto import caffe_pb2
from tests.helpers.layercheck import build, one_layer, refused
from tests.helpers.netcheck import GOLDEN, check_golden


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Silence_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


def test_swallows_any_number_of_blobs():
    graph = build(one_layer('type: "Silence" bottom: "a" bottom: "b"', a=(2,), b=(3, 1)))
    assert graph.outputs == [] and graph.nodes == [] and graph.layers[-1].top_values == ()


@pytest.mark.parametrize("optimised", [False, True])
def test_adds_nothing_to_the_gradient_of_a_blob_with_another_reader(optimised):
    text = "force_backward: true " + one_layer('type: "Silence" bottom: "x"', x=(2, 3)) + (
        'layer { name: "s" type: "Reduction" bottom: "x" top: "s" loss_weight: 1 reduction_param { coeff: 3 } }')
    net = Net(text_format.Parse(text, caffe_pb2.NetParameter()), TRAIN, optimised=optimised, engine="numpy")
    net.blobs["x"].data[...] = 1
    net.forward()
    net.backward()
    assert net.outputs == ["s"] and (net.blobs["x"].diff == np.full((2, 3), 3)).all()


def test_refused():
    assert "takes 0 top blob(s), the net gives 1" in refused(one_layer('type: "Silence" bottom: "x" top: "y"', x=(2,)))
    assert "takes 1 or more bottom blob(s), the net gives 0" in refused('layer { name: "l" type: "Silence" }')
