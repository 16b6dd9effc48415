"""ReLU against its formula and finite differences; the slope counts at zero."""
import numpy as np
import pytest

from caffempi.ops.relu import ReluAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("slope", [0.0, 0.1, -0.3])
@pytest.mark.parametrize("shape", [(5,), (2, 3, 4), (0, 3)])
def test_formula_and_gradient(slope, shape):
    x = np.random.default_rng(3).standard_normal(shape)
    (y,) = forward("relu", ReluAttrs(slope), [x])
    np.testing.assert_allclose(y, np.where(x > 0, x, slope * x))
    check_gradient("relu", ReluAttrs(slope), [x], skip=1e-3)


def test_gradient_at_zero_is_the_slope():
    (dx,) = gradients("relu", ReluAttrs(0.25), [np.zeros(3)], [np.ones(3)])
    np.testing.assert_array_equal(dx, [0.25] * 3)
