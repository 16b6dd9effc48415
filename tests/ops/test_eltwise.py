"""Weighted sum, product and maximum: formulas, gradients, ties, ins that come twice."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import get_op
from caffempi.ops.eltwise import EltwiseProdAttrs, WeightedSumAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

OPS = [("weighted_sum", "sum"), ("eltwise_prod", "stable"), ("eltwise_prod", "quick"), ("eltwise_max", "max")]


def attributes(kind, n):
    return {"sum": WeightedSumAttrs((1.0, -0.5, 2.0, 0.0)[:n]), "stable": EltwiseProdAttrs(), "max": None,
            "quick": EltwiseProdAttrs(stable=False)}[kind]


def expected(kind, attrs, ins):
    if kind == "sum":
        return sum(c * x for c, x in zip(attrs.coeffs, ins, strict=True))
    return np.max(ins, axis=0) if kind == "max" else np.prod(ins, axis=0)


@pytest.mark.parametrize("op,kind", OPS)
@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("shape", [(5,), (2, 3), (0, 3), ()])
def test_formula_and_gradient(op, kind, n, shape):
    rand = np.random.default_rng(n)
    ins = [rand.permutation(np.linspace(-1, 2, max(1, int(np.prod(shape))) * n))[:int(np.prod(shape))].reshape(shape)
           for _ in range(n)]
    ins = [x + 0.013 * i for i, x in enumerate(ins)]
    attrs = attributes(kind, n)
    (y,) = forward(op, attrs, ins)
    np.testing.assert_allclose(y, expected(kind, attrs, ins))
    check_gradient(op, attrs, ins)


@pytest.mark.parametrize("op,kind", OPS)
def test_float32_in_place_with_an_in_that_comes_twice(op, kind):
    x, z = np.array([2, -3, 4], np.float32), np.array([1, 5, -2], np.float32)
    attrs = attributes(kind, 4)
    (y,) = forward(op, attrs, [x, z, x, z])
    assert y.dtype == np.float32
    get_op(op).forward(attrs, [x, z, x, z], [x], (), (), None)
    np.testing.assert_array_equal(x, y)


def test_of_equal_values_the_second_of_two_wins_and_later_ones_must_be_greater():
    one = np.ones(3)
    dx = gradients("eltwise_max", None, [one, one, one], [one])
    np.testing.assert_array_equal(dx, [[0, 0, 0], [1, 1, 1], [0, 0, 0]])
    dx = gradients("eltwise_max", None, [one, 0 * one, one], [one])
    np.testing.assert_array_equal(dx, [[1, 1, 1], [0, 0, 0], [0, 0, 0]])


def test_stable_product_gradient_is_right_at_zero_and_the_quick_one_undefined():
    ins = [np.zeros(1), np.full(1, 3.0)]
    np.testing.assert_array_equal(gradients("eltwise_prod", EltwiseProdAttrs(), ins, [np.ones(1)]), [[3], [0]])
    with np.errstate(all="raise"):
        quick = gradients("eltwise_prod", EltwiseProdAttrs(False), ins, [np.ones(1)])
    assert np.isnan(quick[0][0]) and quick[1][0] == 0


def test_weight_one_hands_the_gradient_on_and_a_missing_one_is_zero():
    dy = np.array([5.0])
    assert np.array_equal(gradients("weighted_sum", WeightedSumAttrs((1.0, 2.0)), [dy, dy], [dy]), [[5], [10]])
    for op, kind in OPS:
        assert gradients(op, attributes(kind, 2), [dy, dy], [None]) == [None, None]


@pytest.mark.parametrize("op,kind", OPS)
def test_shapes_that_differ_are_refused(op, kind):
    with pytest.raises(ShapeError, match="one shape; got 2 x 3, 3 x 2"):
        forward(op, attributes(kind, 2), [np.ones((2, 3)), np.ones((3, 2))])
