"""ContrastiveLoss layer: cases of the original, fields, by hand, no gradient for the marks, refusals."""
import numpy as np
import pytest

from caffempi.ops.contrastive_loss import ContrastiveAttrs
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


@pytest.mark.parametrize("number", range(8))
def test_cases_of_the_original(number):
    check_golden(f"ContrastiveLoss_0{number}.npz")


def net(param="", extra='top: "loss"', a=(2, 2), b=(2, 2), sim=(2,)):
    return one_layer(f'type: "ContrastiveLoss" bottom: "a" bottom: "b" bottom: "sim" {extra} '
                     f"contrastive_loss_param {{ {param} }}", a=a, b=b, sim=sim)


@pytest.mark.parametrize("param,margin,legacy,loss", [("", 1, False, 25 / 4), ("margin: 7", 7, False, (25 + 4) / 4),
                                                      ("margin: 30 legacy_version: true", 30, True, (25 + 5) / 4)])
def test_fields_by_hand(param, margin, legacy, loss):
    assert build(net(param)).nodes[0].attrs == ContrastiveAttrs(margin, legacy)
    blobs, _ = run(net(param), {"a": [[3.0, 4], [3, 4]], "b": np.zeros((2, 2)), "sim": [1, 0]})
    np.testing.assert_allclose(blobs["loss"], loss)


def test_the_marks_get_no_gradient_and_a_left_out_top_is_made_up():
    layer = build("force_backward: true\n" + net(extra="")).layers[-1]
    assert layer.bottom_need == (True, True, False) and layer.loss_weights == (1.0,)


@pytest.mark.parametrize("text,words", [
    (net(b=(2, 3)), ("one shape N x C",)), (net(a=(2, 2, 3), b=(2, 2, 3)), ("one shape N x C",)), (net(sim=(3,)), ("2 pairs",)),
    (net(extra='top: "loss" propagate_down: true propagate_down: true propagate_down: true'), ("propagate_down[2]",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (ContrastiveLoss)' in message and all(w in message for w in words), message
