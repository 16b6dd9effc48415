"""Reductions against NumPy and finite differences, over every tail of axes; nothing to sum."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.reduction import ReductionAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

FORMULAS = {"sum": lambda x: x.sum(1), "asum": lambda x: np.abs(x).sum(1), "sumsq": lambda x: (x * x).sum(1),
            "mean": lambda x: x.mean(1)}


@pytest.mark.parametrize("operation", FORMULAS)
@pytest.mark.parametrize(("shape", "axis"), [((3, 2, 4), 0), ((3, 2, 4), 1), ((3, 2, 4), 2), ((3, 2, 4), -3), ((5,), -1),
                                             ((1, 1), 1), ((0, 3), 1)])
@pytest.mark.parametrize("coeff", [1.0, -1.7])
def test_formula_and_gradient(operation, shape, axis, coeff):
    x, attrs = np.random.default_rng(1).standard_normal(shape), ReductionAttrs(operation, axis, coeff)
    (y,) = forward("reduction", attrs, [x])
    kept = shape[:axis % len(shape)]
    flat = x.reshape(int(np.prod(kept)), int(np.prod(shape[len(kept):])))
    np.testing.assert_allclose(y, coeff * FORMULAS[operation](flat).reshape(kept), rtol=1e-12)
    check_gradient("reduction", attrs, [x], skip=1e-3)


@pytest.mark.parametrize("operation", FORMULAS)
@pytest.mark.parametrize(("shape", "axis"), [((0, 3), 0), ((2, 0), 1), ((0,), 0)])
def test_the_sum_and_the_mean_of_nothing_are_zero(operation, shape, axis):
    x, attrs = np.zeros(shape, np.float32), ReductionAttrs(operation, axis)
    with np.errstate(all="raise"):
        (y,) = forward("reduction", attrs, [x])
        (dx,) = gradients("reduction", attrs, [x], [np.ones_like(y)])
    assert not y.any() and y.shape == shape[:axis] and y.dtype == np.float32 and dx.shape == shape


def test_asum_has_no_slope_at_zero_and_float32_stays():
    x = np.float32([0, -2, 3])
    (dx,) = gradients("reduction", ReductionAttrs("asum", 0, 2.0), [x], [np.float32(5)[()] * np.ones((), np.float32)])
    assert dx.tolist() == [0, -10, 10] and dx.dtype == np.float32


@pytest.mark.parametrize(("shape", "axis"), [((), 0), ((2, 3), 2), ((2, 3), -3)])
def test_an_axis_that_does_not_exist(shape, axis):
    with pytest.raises(ShapeError, match="does not exist"):
        get_op("reduction").infer(ReductionAttrs("sum", axis), [Spec(shape)])


def test_no_gradient_flows_where_none_comes():
    assert gradients("reduction", ReductionAttrs(), [np.ones(2)], [None]) == [None]
