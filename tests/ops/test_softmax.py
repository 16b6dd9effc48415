"""Softmax along any axis, its gradient, large inputs and empty batches."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import get_op
from caffempi.ops.softmax import SoftmaxAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("shape,axis", [((3, 4), 1), ((3, 4), 0), ((2, 3, 4), -2), ((2, 3, 2, 2), 1), ((4,), 0),
                                        ((2, 3), -1), ((0, 3), 1), ((2, 1), 1)])
def test_formula_and_gradient(shape, axis):
    x = np.random.default_rng(12).standard_normal(shape) * 3
    (y,) = forward("softmax", SoftmaxAttrs(axis), [x])
    np.testing.assert_allclose(y, np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True))
    check_gradient("softmax", SoftmaxAttrs(axis), [x])


def test_large_inputs_do_not_overflow():
    with np.errstate(all="raise", under="ignore"):
        (y,) = forward("softmax", SoftmaxAttrs(1), [np.array([[1e30, -1e30, 1e30]], np.float32)])
    np.testing.assert_array_equal(y, [[0.5, 0, 0.5]])


def test_in_place_and_float32():
    x = np.random.default_rng(1).standard_normal((3, 4)).astype(np.float32)
    (y,), (dx,) = forward("softmax", SoftmaxAttrs(), [x]), gradients("softmax", SoftmaxAttrs(), [x], [x])
    dy = x.copy()
    get_op("softmax_dx").forward(SoftmaxAttrs(), [y, dy], [dy], (), (), None)
    get_op("softmax").forward(SoftmaxAttrs(), [x], [x], (), (), None)
    np.testing.assert_array_equal(x, y)
    np.testing.assert_array_equal(dy, dx)
    assert y.dtype == dx.dtype == np.float32
    assert gradients("softmax", SoftmaxAttrs(), [x], [None]) == [None]


@pytest.mark.parametrize("axis", [2, -3])
def test_missing_axis_is_refused(axis):
    with pytest.raises(ShapeError, match=f"axis {axis} does not exist in a blob of 2 axes"):
        forward("softmax", SoftmaxAttrs(axis), [np.ones((2, 3))])
