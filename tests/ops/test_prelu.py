"""PReLU: slopes by channel or one for all; gradients of input and slopes."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import get_op
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("shape", [(3, 2), (2, 3, 4), (2, 3, 2, 2), (0, 3, 2), (2, 2, 1, 2, 2)])
@pytest.mark.parametrize("slopes", ["channel", "scalar", "one"])
def test_formula_and_gradient(shape, slopes):
    rand = np.random.default_rng(4)
    x = rand.standard_normal(shape)
    w = rand.standard_normal({"channel": (shape[1],), "scalar": (), "one": (1,)}[slopes])
    (y,) = forward("prelu", None, [x, w])
    by_channel = np.broadcast_to(w, (shape[1],)).reshape(-1, *(1,) * (len(shape) - 2))
    np.testing.assert_allclose(y, np.where(x > 0, x, by_channel * x))
    check_gradient("prelu", None, [x, w])


def test_each_gradient_is_emitted_only_where_needed():
    x, w = np.ones((2, 3)), np.ones(3)
    assert [g is None for g in gradients("prelu", None, [x, w], [x], [True, False])] == [False, True]
    assert gradients("prelu", None, [x, w], [None]) == [None, None]


def test_in_place_and_float32():
    x, w = np.array([[-2, 3]], np.float32), np.array([0.5, 0.5], np.float32)
    get_op("prelu").forward(None, [x, w], [x], (), (), None)
    np.testing.assert_array_equal(x, [[-1, 3]])
    assert x.dtype == np.float32


@pytest.mark.parametrize("x,w", [((4,), (4,)), ((2, 3), (2,)), ((2, 3), (3, 1)), ((2, 3, 4), (4,))])
def test_slopes_that_do_not_fit_are_refused(x, w):
    with pytest.raises(ShapeError, match=r"channels|two axes"):
        forward("prelu", None, [np.ones(x), np.ones(w)])
