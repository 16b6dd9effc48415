"""SoftmaxWithLoss layer: old and new normalization fields, tops, loss weight, labels without gradient."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"


@pytest.mark.parametrize("case", ["SoftmaxWithLoss_03", "SoftmaxWithLoss_04", "SoftmaxWithLoss_05", "net_chain_02",
                                  "net_chain_04"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


def net(param="", tops='top: "loss"', extra="", x=(4, 3), label=(4,)):
    return one_layer(f'type: "SoftmaxWithLoss" bottom: "x" bottom: "label" {tops} loss_param {{ {param} }} {extra}',
                     x=x, label=label)


@pytest.mark.parametrize("param,mode,ignore", [
    ("", "valid", None), ("normalization: FULL", "full", None), ("normalization: NONE", "none", None),
    ("normalization: BATCH_SIZE ignore_label: 255", "batch", 255), ("normalize: true", "valid", None),
    ("normalize: false", "batch", None), ("normalize: false normalization: VALID", "valid", None),
    ("normalization: FULL normalize: false", "full", None), ("ignore_label: 0", "valid", 0), ("ignore_label: -1", "valid", -1)])
def test_fields_of_loss_param(param, mode, ignore):
    attrs = build(net(param)).nodes[0].attrs
    assert (attrs.normalization, attrs.ignore) == (mode, ignore)


def test_axis_and_both_tops():
    x, label = np.log(np.array([[[0.25, 0.75]], [[0.5, 0.5]]])), np.array([1.0, 0])
    text = net(tops='top: "loss" top: "prob"', extra="softmax_param { axis: 2 engine: CAFFE }", x=(2, 1, 2), label=(2, 1))
    blobs, _ = run(text, {"x": x, "label": label.reshape(2, 1)})
    np.testing.assert_allclose(blobs["prob"], np.exp(x), rtol=1e-6)
    np.testing.assert_allclose(blobs["loss"], -(np.log(0.75) + np.log(0.5)) / 2, rtol=1e-6)
    assert build(text).layers[-1].loss_weights == (1.0, 0.0)


def test_a_top_that_is_left_out_is_made_up():
    graph = build(net(tops=""))
    assert len(graph.layers[-1].tops) == 1 and graph.layers[-1].loss_weights == (1.0,)


def test_force_backward_leaves_the_label_out():
    assert build("force_backward: true\n" + net()).layers[-1].bottom_need == (True, False)


@pytest.mark.parametrize("text,words", [
    (net(x=(4,)), ("field softmax_param.axis = 1",)), (net(label=(5,)), ("5 labels", "4 x 3")),
    (net(extra="propagate_down: true propagate_down: true"), ("propagate_down[1]", "no gradient")),
    (net(tops='top: "a" top: "b" top: "c"'), ("takes 1 to 2 top blob(s), the net gives 3",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (SoftmaxWithLoss)' in message and all(w in message for w in words), message
