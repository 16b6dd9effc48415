"""Mean-variance normalisation against NumPy; its gradient against finite differences and, where eps counts, Caffe's rule."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.mvn import MvnAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

SHAPES = [(2, 3, 4, 2), (2, 3, 5), (3, 4), (5,), (), (0, 2, 3, 1), (1, 1, 1, 6)]


def axes(attrs, ndim):
    return tuple(range(1 if attrs.across else 2, ndim))


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_mean_alone(shape, across):
    x, attrs = np.random.default_rng(1).standard_normal(shape), MvnAttrs(False, across)
    (y,) = forward("mvn", attrs, [x])
    assert y.shape == (*shape, *(1,) * (4 - len(shape)))
    np.testing.assert_allclose(y.reshape(shape), x - x.mean(axes(attrs, x.ndim), keepdims=True) if x.size else x, atol=1e-12)
    check_gradient("mvn", attrs, [x])


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("shape", [(2, 3, 4, 2), (2, 2, 5), (0, 2, 3, 1), (1, 1, 1, 6)])
def test_with_the_deviation(shape, across):
    x, attrs = np.random.default_rng(2).standard_normal(shape) * 3 + 1, MvnAttrs(True, across)
    (y,) = forward("mvn", attrs, [x])
    over = axes(attrs, x.ndim)
    if x.size:
        np.testing.assert_allclose(y.reshape(shape), (x - x.mean(over, keepdims=True)) / (x.std(over, keepdims=True) + 1e-9))
    check_gradient("mvn", attrs, [x])


def test_the_gradient_with_a_large_eps_is_the_declared_one():
    x, dy = np.array([1.0, 2, 4, 7]).reshape(1, 1, 2, 2), np.array([1.0, 0, -1, 3]).reshape(1, 1, 2, 2)
    s = x.std() + 0.5
    y = (x - x.mean()) / s
    (got,) = forward("mvn", MvnAttrs(eps=0.5), [x])
    (dx,) = gradients("mvn", MvnAttrs(eps=0.5), [x], [dy])
    np.testing.assert_allclose(got, y)
    np.testing.assert_allclose(dx, (dy - dy.mean() - y * (dy * y).mean()) / s)
    assert get_op("mvn").grad == "declared"


def test_in_place_in_float32_without_what_backward_reads_and_of_a_constant():
    x = np.random.default_rng(3).standard_normal((2, 2, 3, 3)).astype(np.float32)
    (y,) = forward("mvn", MvnAttrs(), [x])
    get_op("mvn").forward(MvnAttrs(), [x], [x], (), (), None)
    np.testing.assert_array_equal(x, y)
    assert y.dtype == np.float32
    flat = np.full((1, 1, 2, 2), 3, np.float32)
    assert not forward("mvn", MvnAttrs(), [flat])[0].any()
    assert gradients("mvn", MvnAttrs(), [flat], [None]) == [None]


def test_five_axes_are_refused():
    with pytest.raises(ShapeError, match="at most 4 axes; got 1 x 2 x 3 x 4 x 5"):
        get_op("mvn").infer(MvnAttrs(), [Spec((1, 2, 3, 4, 5))])
