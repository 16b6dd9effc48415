"""HingeLoss layer: cases of the original, both norms by hand, refusals."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


@pytest.mark.parametrize("number", range(8))
def test_cases_of_the_original(number):
    check_golden(f"HingeLoss_0{number}.npz")


def net(param="", extra='top: "loss"', x=(2, 3), label=(2,)):
    return one_layer(f'type: "HingeLoss" bottom: "x" bottom: "label" {extra} hinge_loss_param {{ {param} }}', x=x, label=label)


@pytest.mark.parametrize("param,loss", [("", 4.5 / 2), ("norm: L1", 4.5 / 2), ("norm: L2", (4 + 1 + 0.25 + 1) / 2)])
def test_norms_by_hand(param, loss):
    blobs, _ = run(net(param), {"x": [[1.0, 1, 0], [-2, 0.5, 0]], "label": [0, 1]})   # misses: 0, 2, 1 and 0, 0.5, 1
    np.testing.assert_allclose(blobs["loss"], loss)


def test_the_labels_get_no_gradient_and_a_left_out_top_is_made_up():
    layer = build("force_backward: true\n" + net(extra="")).layers[-1]
    assert layer.bottom_need == (True, False) and layer.loss_weights == (1.0,)


@pytest.mark.parametrize("text,words", [(net(label=(3,)), ("3 labels", "2 predictions")),
                                        (net(extra='top: "a" top: "b"'), ("takes 1 top",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (HingeLoss)' in message and all(w in message for w in words), message
