"""Bias layer: values from its blob or the second bottom."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import one_layer, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"

X = np.arange(12.0).reshape(2, 3, 2)


@pytest.mark.parametrize("case", ["Bias_03", "Bias_07"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


@pytest.mark.parametrize("param,b,expected", [
    ("", [1, 2, 3], X + [[1], [2], [3]]), ("bias_param { num_axes: 0 }", 5, X + 5),
    ("bias_param { axis: -1 }", [7, 8], X + [7, 8])])
@pytest.mark.parametrize("top", ["x", "y"])
def test_blob(param, b, expected, top):
    blobs, _ = run(one_layer(f'type: "Bias" bottom: "x" top: "{top}" {param}', x=X.shape), {"x": X}, [b])
    np.testing.assert_array_equal(blobs[top], expected)


def test_second_bottom():
    text = one_layer('type: "Bias" bottom: "x" bottom: "b" top: "y" bias_param { axis: 0 }', x=X.shape, b=(2, 3))
    b = np.arange(6.0).reshape(2, 3)
    blobs, own = run(text, {"x": X, "b": b})
    np.testing.assert_array_equal(blobs["y"], X + b[..., None])
    assert own == []
