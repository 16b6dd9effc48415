"""Accuracy layer: its fields, the second top, no gradient."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"


@pytest.mark.parametrize("case", ["Accuracy_01", "Accuracy_04"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


def net(param="", tops='top: "acc"', extra="", x=(4, 3), label=(4,)):
    return one_layer(f'type: "Accuracy" bottom: "x" bottom: "label" {tops} accuracy_param {{ {param} }} {extra}',
                     x=x, label=label)


X = np.array([[3.0, 2, 1], [3, 2, 1], [3, 2, 1], [1, 1, 1]])
LABEL = np.array([0.0, 1, 2, 0])


@pytest.mark.parametrize("param,expected,by_class", [
    ("", 0.25, [0.5, 0, 0]), ("top_k: 2", 0.5, [0.5, 1, 0]), ("top_k: 3", 1, [1, 1, 1]),
    ("ignore_label: 0", 0, [0, 0, 0]), ("ignore_label: 2 top_k: 2", 2 / 3, [0.5, 1, 0])])
def test_values_over_all_and_by_class(param, expected, by_class):
    blobs, _ = run(net(param, 'top: "acc" top: "each"'), {"x": X, "label": LABEL})
    np.testing.assert_allclose(blobs["acc"], expected, rtol=1e-6)
    np.testing.assert_allclose(blobs["each"], by_class, rtol=1e-6)
    assert set(run(net(param), {"x": X, "label": LABEL})[0]) == {"x", "label", "acc"}


def test_axis():
    blobs, _ = run(net("axis: 0", x=(3, 4)), {"x": X.T, "label": LABEL})
    assert blobs["acc"] == 0.25


def test_gets_no_gradient_even_by_force():
    assert build("force_backward: true\n" + net()).layers[-1].bottom_need == (False, False)


@pytest.mark.parametrize("text,words", [
    (net("top_k: 4"), ("accuracy_param.top_k = 4", "number of classes, 3")), (net("top_k: 0"), ("accuracy_param.top_k = 0",)),
    (net("axis: 2"), ("accuracy_param.axis = 2", "does not exist")), (net(label=(3,)), ("3 labels", "4 x 3")),
    (net(extra="propagate_down: true propagate_down: false"), ("propagate_down[0]",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (Accuracy)' in message and all(w in message for w in words), message
