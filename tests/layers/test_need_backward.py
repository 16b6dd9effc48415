"""Caffe's rule of which layers run backward, case by case."""
import pytest
from google.protobuf import text_format

from caffempi.layers import BuildContext
from caffempi.layers.build import build_graph
from caffempi.proto import caffe_pb2

IP = 'layer {{ name: "{0}" type: "InnerProduct" bottom: "{1}" top: "{0}" {2} inner_product_param {{ num_output: 3 }} }} '
HEAD = 'layer { name: "d" type: "Input" top: "data" top: "label" input_param { shape { dim: 2 dim: 3 } shape { dim: 2 } } } '
LOSS = 'layer {{ name: "loss" type: "SoftmaxWithLoss" bottom: "{0}" bottom: "label" top: "loss" {1} }} '


def needs(text):
    g = build_graph(text_format.Parse(text, caffe_pb2.NetParameter()), BuildContext())
    return {i.name: (i.need_backward, i.bottom_need) for i in g.layers if "split" not in i.name}


FROZEN = "param { lr_mult: 0 } param { lr_mult: 0 }"
CASES = {
    "data needs none, what has params does":
        (HEAD + IP.format("a", "data", "") + LOSS.format("a", ""), {"d": (False, ()), "a": (True, (False,)), "loss": (True, (True, False))}),
    "without a loss nothing runs": (HEAD + IP.format("a", "data", ""), {"a": (False, (False,))}),
    "frozen layers at the bottom are left out":
        (HEAD + IP.format("a", "data", FROZEN) + IP.format("b", "a", "") + LOSS.format("b", ""), {"a": (False, (False,)), "b": (True, (False,))}),
    "frozen layers above learned ones pass gradients":
        (HEAD + IP.format("a", "data", "") + IP.format("b", "a", FROZEN) + LOSS.format("b", ""), {"a": (True, (False,)), "b": (True, (True,))}),
    "propagate_down: false cuts off what lies below":
        (HEAD + IP.format("a", "data", "") + IP.format("b", "a", "propagate_down: false") + LOSS.format("b", ""),
         {"a": (False, (False,)), "b": (True, (False,))}),
    "propagate_down: true forces a gradient of the data":
        (HEAD + IP.format("a", "data", "propagate_down: true") + LOSS.format("a", ""), {"a": (True, (True,))}),
    "force_backward brings all but labels":
        ("force_backward: true " + HEAD + IP.format("a", "data", FROZEN) + LOSS.format("a", ""),
         {"a": (True, (True,)), "loss": (True, (True, False))}),
    "a side branch without loss stays out":
        (HEAD + IP.format("a", "data", "") + IP.format("side", "a", "") + LOSS.format("a", ""), {"side": (False, (False,)), "a": (True, (False,))}),
    "a loss of weight 0 is none": (HEAD + IP.format("a", "data", "") + LOSS.format("a", "loss_weight: 0"), {"a": (False, (False,))}),
    "statistics count as params, and BatchNorm then gives its bottom a gradient":
        (HEAD + 'layer { name: "bn" type: "BatchNorm" bottom: "data" top: "bn" } ' + IP.format("a", "bn", "") + LOSS.format("a", ""),
         {"bn": (True, (True,)), "a": (True, (True,))}),
}


@pytest.mark.parametrize("name", CASES)
def test_rule(name):
    text, want = CASES[name]
    got = needs(text)
    assert {k: got[k] for k in want} == want
