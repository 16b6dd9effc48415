"""Sigmoid, tanh and ELU against their formulas and finite differences; in place; at extremes."""
import numpy as np
import pytest

from caffempi.ops import get_op
from caffempi.ops.activations import EluAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

FORMULAS = {
    "sigmoid": lambda x, a: 1 / (1 + np.exp(-x)),
    "tanh": lambda x, a: np.tanh(x),
    "elu": lambda x, a: np.where(x > 0, x, a.alpha * (np.exp(x) - 1)) if a else None,
}
CASES = [("sigmoid", None), ("tanh", None), *(("elu", EluAttrs(a)) for a in (1.0, 0.3, 1.7, 0.0, -0.5))]


@pytest.mark.parametrize("op,attrs", CASES)
@pytest.mark.parametrize("shape", [(7,), (2, 3, 4), (0, 3), (), (1, 2, 1, 3, 2)])
def test_formula_and_gradient(op, attrs, shape):
    x = np.random.default_rng(1).standard_normal(shape) * 2
    (y,) = forward(op, attrs, [x])
    np.testing.assert_allclose(y, FORMULAS[op](x, attrs), rtol=1e-12)
    check_gradient(op, attrs, [x], skip=1e-3)


@pytest.mark.parametrize("op,attrs", CASES)
def test_forward_and_backward_in_place_give_the_same_bits_in_float32(op, attrs):
    x = np.random.default_rng(2).standard_normal((3, 5)).astype(np.float32)
    (y,) = forward(op, attrs, [x])
    (dx,) = gradients(op, attrs, [x], [np.full_like(x, 0.5)])
    assert y.dtype == dx.dtype == np.float32
    same = x.copy()
    get_op(op).forward(attrs, [same], [same], (), (), None)
    np.testing.assert_array_equal(same, y)
    dy = np.full_like(x, 0.5)
    reads = x if attrs and attrs.alpha < 0 else y
    get_op(f"{op}_dx").forward(attrs, [reads, dy], [dy], (), (), None)
    np.testing.assert_array_equal(dy, dx)


@pytest.mark.parametrize("op,attrs", [("sigmoid", None), ("tanh", None), ("elu", EluAttrs(1.0))])
def test_large_inputs_neither_overflow_nor_warn(op, attrs):
    x = np.array([-1e30, -200, 200, 1e30], np.float32)
    with np.errstate(all="raise", under="ignore"):
        (y,) = forward(op, attrs, [x])
        (dx,) = gradients(op, attrs, [x], [np.ones(4, np.float32)])
    assert np.isfinite(y).all() and np.isfinite(dx).all()
    assert {"sigmoid": (0, 1), "tanh": (-1, 1), "elu": (-1, np.float32(1e30))}[op] == (y[0], y[3])


def test_elu_at_zero_has_the_gradient_of_the_negative_side():
    (dx,) = gradients("elu", EluAttrs(0.25), [np.zeros(2)], [np.ones(2)])
    np.testing.assert_array_equal(dx, [0.25, 0.25])


@pytest.mark.parametrize("op,attrs", CASES)
def test_no_gradient_flows_where_none_comes(op, attrs):
    assert gradients(op, attrs, [np.ones(2)], [None]) == [None]
