"""MultinomialLogisticLoss layer: cases of the original, by hand, refusals."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


@pytest.mark.parametrize("number", range(8))
def test_cases_of_the_original(number):
    check_golden(f"MultinomialLogisticLoss_0{number}.npz")


def net(extra='top: "loss"', p=(2, 3), label=(2, 1, 1, 1)):
    return one_layer(f'type: "MultinomialLogisticLoss" bottom: "p" bottom: "label" {extra}', p=p, label=label)


def test_by_hand():
    blobs, _ = run(net(), {"p": [[0.5, 0.25, 0.25], [0, 1, 0]], "label": np.reshape([1.0, 1], (2, 1, 1, 1))})
    np.testing.assert_allclose(blobs["loss"], np.log(4) / 2, rtol=1e-6)


def test_the_labels_get_no_gradient_and_a_left_out_top_is_made_up():
    layer = build("force_backward: true\n" + net(extra="")).layers[-1]
    assert layer.bottom_need == (True, False) and layer.loss_weights == (1.0,)


@pytest.mark.parametrize("text,words", [(net(label=(3,)), ("3 labels", "2 predictions")),
                                        (net(extra='top: "a" top: "b"'), ("takes 1 top",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (MultinomialLogisticLoss)' in message and all(w in message for w in words), message
