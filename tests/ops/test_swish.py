"""Swish against its formula and finite differences; at extremes; in place."""
import numpy as np
import pytest

from caffempi.ops import get_op
from caffempi.ops.swish import SwishAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("beta", [1.0, 0.3, 2.5, 0.0, -1.0])
@pytest.mark.parametrize("shape", [(7,), (2, 3, 4), (0, 3), (), (1, 2, 1, 3, 2)])
def test_formula_and_gradient(beta, shape):
    x = np.random.default_rng(1).standard_normal(shape) * 2
    np.testing.assert_allclose(forward("swish", SwishAttrs(beta), [x])[0], x / (1 + np.exp(-beta * x)), rtol=1e-12)
    check_gradient("swish", SwishAttrs(beta), [x])


def test_in_place_in_float32_with_and_without_what_backward_reads():
    x, attrs = np.random.default_rng(2).standard_normal((3, 5)).astype(np.float32), SwishAttrs(1.5)
    (y,), (dx,) = forward("swish", attrs, [x]), gradients("swish", attrs, [x], [np.full_like(x, 0.5)])
    assert y.dtype == dx.dtype == np.float32
    for saved in ((), (np.zeros_like(x),)):
        same = x.copy()
        get_op("swish").forward(attrs, [same], [same], saved, (), None)
        np.testing.assert_array_equal(same, y)
    dy = np.full_like(x, 0.5)
    get_op("swish_dx").forward(attrs, [y, saved[0], dy], [dy], (), (), None)
    np.testing.assert_array_equal(dy, dx)


def test_large_inputs_neither_overflow_nor_warn():
    x = np.array([-1e30, -200, 200, 1e30], np.float32)
    with np.errstate(all="raise", under="ignore"):
        (y,) = forward("swish", SwishAttrs(), [x])
        (dx,) = gradients("swish", SwishAttrs(), [x], [np.ones(4, np.float32)])
    assert y.tolist() == [0, 0, 200, np.float32(1e30)] and dx.tolist() == [0, 0, 1, 1]
    assert gradients("swish", SwishAttrs(), [x], [None]) == [None]
