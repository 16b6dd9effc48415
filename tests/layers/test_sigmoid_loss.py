"""SigmoidCrossEntropyLoss layer: cases of the original, fields of loss_param, refusals."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


@pytest.mark.parametrize("number", range(8))
def test_cases_of_the_original(number):
    check_golden(f"SigmoidCrossEntropyLoss_0{number}.npz")


def net(param="", extra='top: "loss"', x=(2, 2), t=(2, 2)):
    return one_layer(f'type: "SigmoidCrossEntropyLoss" bottom: "x" bottom: "t" {extra} loss_param {{ {param} }}', x=x, t=t)


@pytest.mark.parametrize("param,mode,ignore,loss", [
    ("", "batch", None, 2), ("normalization: VALID", "valid", None, 1), ("normalize: true ignore_label: 1", "valid", 1, 1),
    ("normalize: false", "batch", None, 2), ("normalization: FULL ignore_label: 0", "full", 0, 0.25),
    ("normalization: NONE", "none", None, 4), ("ignore_label: -1", "batch", -1, 2)])
def test_fields_by_hand(param, mode, ignore, loss):
    attrs = build(net(param)).nodes[0].attrs
    assert (attrs.normalization, attrs.ignore) == (mode, ignore)
    blobs, _ = run(net(param), {"x": np.zeros((2, 2)), "t": [[0, 0.5], [1, 0]]})      # each place gives log 2
    np.testing.assert_allclose(blobs["loss"], loss * np.log(2), rtol=1e-6)


def test_the_targets_get_no_gradient_and_a_left_out_top_is_made_up():
    layer = build("force_backward: true\n" + net(extra="")).layers[-1]
    assert layer.bottom_need == (True, False) and layer.loss_weights == (1.0,)


@pytest.mark.parametrize("text,words", [(net(t=(2, 3)), ("2 x 2 needs a target", "2 x 3")),
                                        (net(extra='top: "a" top: "b"'), ("takes 1 top",)),
                                        (net(extra='top: "a" propagate_down: true propagate_down: true'), ("propagate_down[1]",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (SigmoidCrossEntropyLoss)' in message and all(w in message for w in words), message
