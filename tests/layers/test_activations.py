"""Sigmoid, TanH, ELU layers: the op and attributes each stands for; in place."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"

X = np.array([[-2, -0.5, 0, 1.5]])


@pytest.mark.parametrize("case", ["ELU_01", "ELU_04", "Sigmoid_00", "Sigmoid_03", "TanH_03", "TanH_06"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


@pytest.mark.parametrize("layer,expected", [
    ('type: "Sigmoid" sigmoid_param { engine: CUDNN }', 1 / (1 + np.exp(-X))),
    ('type: "TanH" tanh_param { engine: CAFFE }', np.tanh(X)),
    ('type: "ELU"', np.where(X > 0, X, np.exp(X) - 1)),
    ('type: "ELU" elu_param { alpha: 0.25 }', np.where(X > 0, X, 0.25 * (np.exp(X) - 1)))])
@pytest.mark.parametrize("top", ["y", "x"])
def test_values(layer, expected, top):
    blobs, own = run(one_layer(f'{layer} bottom: "x" top: "{top}"', x=X.shape), {"x": X})
    np.testing.assert_allclose(blobs[top], expected, rtol=1e-5, atol=1e-7)
    assert own == []


@pytest.mark.parametrize("kind", ["Sigmoid", "TanH", "ELU"])
def test_take_one_bottom_and_one_top_and_no_params(kind):
    assert "takes 1 bottom blob(s), the net gives 0" in refused(f'layer {{ name: "l" type: "{kind}" top: "y" }}')
    assert "1 param entries" in refused(one_layer(f'type: "{kind}" bottom: "x" top: "y" param {{ }}', x=(2,)))
    assert len(build(one_layer(f'type: "{kind}" bottom: "x" top: "y"', x=(2,))).nodes) == 1
