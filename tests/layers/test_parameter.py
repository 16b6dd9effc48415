"""Parameter layers: the blob as a top, its gradient, what is refused, cases of the original."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TRAIN, Net
from caffempi.proto import caffe_pb2
from tests.helpers.layercheck import refused
from tests.helpers.netcheck import GOLDEN, check_golden


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Parameter_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize("optimised", [False, True])
def test_starts_from_zeros_and_learns(optimised):
    text = """layer { name: "p" type: "Parameter" top: "p" parameter_param { shape { dim: 2 dim: 3 } } param { lr_mult: 2 } }
        layer { name: "r" type: "Reduction" bottom: "p" top: "r" loss_weight: 1 reduction_param { operation: SUMSQ } }"""
    net = Net(text_format.Parse(text, caffe_pb2.NetParameter()), TRAIN, optimised=optimised, engine="numpy")
    assert net.params["p"][0].data.shape == (2, 3) and not net.params["p"][0].data.any()
    net.params["p"][0].data[...] = [[1, 2, 3], [4, 5, 6]]
    for k in (1, 2):
        assert net.forward()["r"] == 91
        net.backward()
        np.testing.assert_array_equal(net.params["p"][0].diff, np.multiply([[2, 4, 6], [8, 10, 12]], k), "diffs of params add up")


@pytest.mark.parametrize(("fields", "words"), [
    ("", "field parameter_param.shape: is missing; give one, such as shape { dim: 10 }"),
    ("parameter_param { shape { dim: 2 dim: -1 } }", "field parameter_param.shape.dim[1] = -1: must be 0 or more"),
    ("parameter_param { shape { dim: 65536 dim: 65536 } }", "has more than 2147483647 elements"),
    ('bottom: "x"', "takes 0 bottom blob(s), the net gives 1")])
def test_refused(fields, words):
    assert words in refused('layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 1 } } }'
                            f'layer {{ name: "l" type: "Parameter" top: "y" {fields} }}')
