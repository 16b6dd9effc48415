"""Scale and bias: broadcast along any run of axes, and their gradients."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import get_op
from caffempi.ops.affine import AffineAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

CASES = [((2, 3), 1, (3,)), ((2, 3, 4), 1, (3,)), ((2, 3, 4), 0, (2,)), ((2, 3, 4), 0, (2, 3, 4)), ((2, 3, 4), -1, (4,)),
         ((2, 3, 4), -2, (3, 4)), ((2, 3, 2, 2), 1, (3, 2)), ((5,), 0, (5,)), ((5,), 1, ()), ((), 1, ()), ((0, 3), 1, (3,))]


@pytest.mark.parametrize("op,ufunc", [("scale", np.multiply), ("bias", np.add)])
@pytest.mark.parametrize("shape,axis,covered", CASES)
def test_formula_and_gradient(op, ufunc, shape, axis, covered):
    rand = np.random.default_rng(11)
    x, w = rand.standard_normal(shape), rand.standard_normal(covered)
    (y,) = forward(op, AffineAttrs(axis), [x, w])
    after = len(shape) - len(covered) - (axis % len(shape) if covered else 0)
    np.testing.assert_allclose(y, ufunc(x, w.reshape((*covered, *(1,) * after))))
    check_gradient(op, AffineAttrs(axis), [x, w])


@pytest.mark.parametrize("op", ["scale", "bias"])
def test_in_place_and_float32(op):
    x, w = np.ones((2, 3), np.float32), np.arange(3, dtype=np.float32)
    (y,) = forward(op, AffineAttrs(), [x, w])
    get_op(op).forward(AffineAttrs(), [x, w], [x], (), (), None)
    np.testing.assert_array_equal(x, y)
    dx, dw = gradients(op, AffineAttrs(), [x, w], [y])
    assert y.dtype == dx.dtype == dw.dtype == np.float32


@pytest.mark.parametrize("op", ["scale", "bias"])
def test_only_the_needed_gradients_are_emitted(op):
    x, w = np.ones((2, 3)), np.ones(3)
    assert [g is None for g in gradients(op, AffineAttrs(), [x, w], [x], [True, False])] == [False, True]
    assert [g is None for g in gradients(op, AffineAttrs(), [x, w], [x], [False, True])] == [True, False]
    assert gradients(op, AffineAttrs(), [x, w], [None]) == [None, None]


@pytest.mark.parametrize("op", ["scale", "bias"])
@pytest.mark.parametrize("shape,axis,covered", [((2, 3), 1, (2,)), ((2, 3), 1, (3, 1)), ((2, 3), 2, (3,)), ((2,), 0, (2, 1))])
def test_what_does_not_fit_is_refused(op, shape, axis, covered):
    with pytest.raises(ShapeError, match=r"does not fit a bottom|axis 2 does not exist"):
        forward(op, AffineAttrs(axis), [np.ones(shape), np.ones(covered)])
