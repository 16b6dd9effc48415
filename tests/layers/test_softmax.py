"""Softmax layer: its axis."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"


@pytest.mark.parametrize("case", ["Softmax_01", "Softmax_03"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


@pytest.mark.parametrize("param,axis", [("", 1), ("axis: 0 engine: CUDNN", 0), ("axis: -1", 2)])
@pytest.mark.parametrize("top", ["x", "y"])
def test_values(param, axis, top):
    x = np.random.default_rng(1).standard_normal((2, 3, 4))
    text = one_layer(f'type: "Softmax" bottom: "x" top: "{top}" softmax_param {{ {param} }}', x=x.shape)
    blobs, _ = run(text, {"x": x})
    np.testing.assert_allclose(blobs[top], np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True), rtol=1e-5)


def test_missing_axis_names_the_field():
    message = refused(one_layer('type: "Softmax" bottom: "x" top: "y"', x=(5,)))
    assert "field softmax_param.axis = 1" in message and "does not exist in a blob of 1 axes" in message
