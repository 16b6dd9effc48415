"""Absolute value, clipping and threshold against their formulas and finite differences; at their kinks; in place."""
import numpy as np
import pytest

from caffempi.ops import get_op
from caffempi.ops.piecewise import ClipAttrs, ThresholdAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

SHAPES = [(7,), (2, 3, 4), (0, 3), (), (1, 2, 1, 3, 2)]
CASES = [("abs", None, np.abs), ("clip", ClipAttrs(-0.5, 0.75), lambda x: np.minimum(np.maximum(x, -0.5), 0.75)),
         ("clip", ClipAttrs(0.25, 0.25), lambda x: np.full_like(x, 0.25)),
         ("threshold", ThresholdAttrs(0.25), lambda x: (x > 0.25) * 1.0)]


@pytest.mark.parametrize(("op", "attrs", "formula"), CASES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_formula_in_place_too(op, attrs, formula, shape, dtype):
    x = np.random.default_rng(1).standard_normal(shape).astype(dtype)
    (y,) = forward(op, attrs, [x])
    assert y.dtype == dtype
    np.testing.assert_array_equal(y, formula(x))
    same = x.copy()
    get_op(op).forward(attrs, [same], [same], (), (), None)
    np.testing.assert_array_equal(same, y)


@pytest.mark.parametrize(("op", "attrs"), [("abs", None), ("clip", ClipAttrs(-0.5, 0.75))])
@pytest.mark.parametrize("shape", SHAPES)
def test_gradient(op, attrs, shape):
    check_gradient(op, attrs, [np.random.default_rng(2).standard_normal(shape)], skip=1e-3)


def test_gradients_at_the_kinks():
    assert list(gradients("abs", None, [np.array([-2.0, 0, 0.5])], [np.full(3, 3.0)])[0]) == [-3, 0, 3]
    x = np.array([-0.6, -0.5, 0, 0.75, 0.8])
    assert list(gradients("clip", ClipAttrs(-0.5, 0.75), [x], [np.full(5, 3.0)])[0]) == [0, 3, 3, 3, 0]


def test_a_threshold_is_strict_and_nan_is_not_above_it():
    assert list(forward("threshold", ThresholdAttrs(0.5), [np.array([0.5, 0.5001, np.nan])])[0]) == [0, 1, 0]
    assert get_op("threshold").grad == "refuse"


@pytest.mark.parametrize(("op", "attrs"), [("abs", None), ("clip", ClipAttrs(-1, 1))])
def test_no_gradient_flows_where_none_comes(op, attrs):
    assert gradients(op, attrs, [np.ones(2)], [None]) == [None]
