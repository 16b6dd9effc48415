"""Stochastic pooling: draws follow the pixels' shares, the expectation is sum of squares over sum."""
import numpy as np
import pytest

from caffempi.errors import EngineError
from caffempi.ops import get_op
from caffempi.ops.philox import Rng
from caffempi.ops.pool import PoolAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

A = PoolAttrs((2, 2), (2, 2))


def test_draws_are_the_first_pixel_that_reaches_the_level():
    x = np.random.default_rng(1).random((2, 3, 5, 5))
    (y,) = forward("stochastic_pool", A, [x], seed=4)
    u = Rng(4, "stochastic_pool", "-1").uniform(y.size).reshape(y.shape)
    for n, c, i, j in np.ndindex(*y.shape):
        part = x[n, c, 2 * i:2 * i + 2, 2 * j:2 * j + 2].ravel()
        assert y[n, c, i, j] == part[np.argmax(np.cumsum(part) >= u[n, c, i, j] * part.sum())]


def test_shares_of_many_draws():
    x = np.broadcast_to(np.array([[1.0, 2.0], [3.0, 4.0]]), (20000, 1, 2, 2)).copy()
    (y,) = forward("stochastic_pool", A, [x])
    shares = np.bincount(y.astype(int).ravel(), minlength=5)[1:] / len(x)
    np.testing.assert_allclose(shares, [0.1, 0.2, 0.3, 0.4], atol=0.02)


@pytest.mark.parametrize("shape", [(1, 2, 4, 4), (2, 1, 5, 3), (0, 2, 4, 4)])
@pytest.mark.parametrize("a", [A, PoolAttrs((3, 2), (1, 2)), PoolAttrs(global_=True)])
def test_gradients(shape, a):
    x = np.random.default_rng(2).random(shape) + 0.1
    check_gradient("stochastic_pool", a, [x], eps=1e-7, tol=1e-5)
    check_gradient("stochastic_pool_mean", a, [x])


def test_expectation():
    x = np.random.default_rng(3).random((2, 2, 4, 4)).astype(np.float32)
    (y,) = forward("stochastic_pool_mean", A, [x])
    part = x[1, 0, 2:4, 0:2].astype(np.float64)
    assert y.dtype == np.float32
    np.testing.assert_allclose(y[1, 0, 1, 0], (part ** 2).sum() / part.sum(), rtol=1e-5)


@pytest.mark.parametrize("name", ["stochastic_pool", "stochastic_pool_mean"])
def test_all_zero_window_gives_zero(name):
    x = np.zeros((1, 1, 4, 4))
    assert not forward(name, A, [x])[0].any()
    (dx,) = gradients(name, A, [x], [np.ones((1, 1, 2, 2))])
    np.testing.assert_array_equal(dx.sum(), 4 if name == "stochastic_pool" else 0)
    assert gradients(name, A, [x], [None]) == [None]


def test_needs_random_numbers():
    with pytest.raises(EngineError, match="random"):
        get_op("stochastic_pool").forward(A, [np.ones((1, 1, 2, 2))], [np.ones((1, 1, 1, 1))], (), (), None)
