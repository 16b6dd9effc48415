"""BNLL against its formula and finite differences; at extremes; in place."""
import numpy as np
import pytest

from caffempi.ops import get_op
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("shape", [(7,), (2, 3, 4), (0, 3), (), (1, 2, 1, 3, 2)])
def test_formula_and_gradient(shape):
    x = np.random.default_rng(1).standard_normal(shape) * 3
    np.testing.assert_allclose(forward("bnll", None, [x])[0], np.log(1 + np.exp(x)), rtol=1e-12)
    check_gradient("bnll", None, [x])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_inputs_neither_overflow_nor_warn(dtype):
    x = np.array([-1e30, -60, 0, 49.9, 50.1, 1e30], dtype)
    with np.errstate(all="raise", under="ignore"):
        (y,) = forward("bnll", None, [x])
        (dx,) = gradients("bnll", None, [x], [np.ones(6, dtype)])
    assert y.dtype == dx.dtype == dtype
    np.testing.assert_allclose(y, [0, np.exp(-60), np.log(2), 49.9, 50.1, 1e30], rtol=1e-6)
    np.testing.assert_allclose(dx, [0, np.exp(-60), 0.5, 1, 1, 1], rtol=1e-6, err_msg="Caffe's e^min(x, 50) / (1 + e^min(x, 50))")


def test_in_place():
    x = np.random.default_rng(2).standard_normal(9)
    (y,), (dx,) = forward("bnll", None, [x]), gradients("bnll", None, [x], [np.full(9, 2.0)])
    same, dy = x.copy(), np.full(9, 2.0)
    get_op("bnll").forward(None, [same], [same], (), (), None)
    get_op("bnll_dx").forward(None, [x, dy], [dy], (), (), None)
    np.testing.assert_array_equal(same, y)
    np.testing.assert_array_equal(dy, dx)
    assert gradients("bnll", None, [x], [None]) == [None]
