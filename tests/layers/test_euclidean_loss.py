"""EuclideanLoss layer: cases of the original, by hand, both bottoms get a gradient, refusals."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


@pytest.mark.parametrize("number", range(8))
def test_cases_of_the_original(number):
    check_golden(f"EuclideanLoss_0{number}.npz")


def net(extra='top: "loss"', a=(2, 3), b=(2, 3)):
    return one_layer(f'type: "EuclideanLoss" bottom: "a" bottom: "b" {extra}', a=a, b=b)


def test_by_hand_and_blobs_of_other_axes():
    blobs, _ = run(net(a=(2, 2, 1), b=(2, 2)), {"a": [[[1.0], [2]], [[3], [4]]], "b": [[1.0, 0], [0, 4]]})
    np.testing.assert_allclose(blobs["loss"], (4 + 9) / 4)


def test_a_left_out_top_the_weight_and_both_gradients():
    graph = build("force_backward: true\n" + net(extra=""))
    assert graph.layers[-1].loss_weights == (1.0,) and graph.layers[-1].bottom_need == (True, True)
    assert build(net('top: "loss" loss_weight: 0.5')).layers[-1].loss_weights == (0.5,)


@pytest.mark.parametrize("text,words", [
    (net(b=(2, 4)), ("2 x 3 and 2 x 4",)), (net(b=(3, 2)), ("2 x 3 and 3 x 2",)),
    (net('top: "a1" top: "b1"'), ("takes 1 top",)), (net('bottom: "a" top: "loss"'), ("takes 2 bottom",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (EuclideanLoss)' in message and all(w in message for w in words), message
