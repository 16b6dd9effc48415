"""Exponential and logarithm against their formulas and finite differences; outside their range; in place."""
import numpy as np
import pytest

from caffempi.ops import get_op
from caffempi.ops.exp_log import ExpAttrs, LogAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

CASES = [*(("exp", ExpAttrs(i, o)) for i, o in [(1, 1), (-0.7, 1), (0.3, 2.5), (0, 3), (1.2, 0.1)]),
         *(("log", LogAttrs(c, s, f)) for c, s, f in [(1, 0, 1), (0.5, 1, -2), (-1, 5, 0.3), (0, 2, 1)])]


def formula(attrs, x):
    if isinstance(attrs, ExpAttrs):
        return attrs.outer * np.exp(attrs.inner * x)
    return attrs.factor * np.log(attrs.shift + attrs.scale * x)


@pytest.mark.parametrize(("op", "attrs"), CASES)
@pytest.mark.parametrize("shape", [(7,), (2, 3, 4), (0, 3), (), (1, 2, 1, 3, 2)])
def test_formula_and_gradient(op, attrs, shape):
    x = np.random.default_rng(1).uniform(0.3, 3, shape)
    np.testing.assert_allclose(forward(op, attrs, [x])[0], formula(attrs, x), rtol=1e-12)
    check_gradient(op, attrs, [x])


@pytest.mark.parametrize(("op", "attrs"), CASES)
def test_forward_and_backward_in_place_give_the_same_bits_in_float32(op, attrs):
    x = np.random.default_rng(2).uniform(0.3, 3, (3, 5)).astype(np.float32)
    (y,) = forward(op, attrs, [x])
    assert y.dtype == np.float32
    same = x.copy()
    get_op(op).forward(attrs, [same], [same], (), (), None)
    np.testing.assert_array_equal(same, y)
    (dx,) = gradients(op, attrs, [x], [np.full_like(x, 0.5)])
    if dx is None:
        assert attrs == ExpAttrs(0, 3), "only a constant has no gradient"
        return
    dy = np.full_like(x, 0.5)
    get_op(f"{op}_dx").forward(attrs, [y if op == "exp" else x, dy], [dy], (), (), None)
    np.testing.assert_array_equal(dy, dx)
    assert dx.dtype == np.float32


def test_out_of_range_gives_infinity_or_nan_without_a_warning():
    with np.errstate(all="raise", under="ignore"):
        assert forward("exp", ExpAttrs(), [np.float32([200, -200])])[0].tolist() == [np.inf, 0]
        y = forward("log", LogAttrs(), [np.array([0.0, -1])])[0]
        (dx,) = gradients("log", LogAttrs(), [np.array([0.0, -1])], [np.ones(2)])
    assert y[0] == -np.inf and np.isnan(y[1])
    assert dx.tolist() == [np.inf, -1]


def test_no_gradient_flows_where_none_comes():
    assert gradients("exp", ExpAttrs(), [np.ones(2)], [None]) == [None]
    assert gradients("log", LogAttrs(), [np.ones(2)], [None]) == [None]
