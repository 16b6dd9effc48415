"""euclidean_loss: value by hand, both gradients, blobs that differ in shape only, empty batches."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("a,b", [((3, 2, 3, 2), (3, 2, 3, 2)), ((4,), (4,)), ((2, 6), (2, 3, 2)), ((1, 1), (1,)), ((2, 1, 2, 1, 2), (2, 4))])
def test_value_and_both_gradients(a, b):
    rand = np.random.default_rng(3)
    x, t = rand.standard_normal(a), rand.standard_normal(b)
    (loss,) = forward("euclidean_loss", None, [x, t])
    assert loss.shape == ()
    np.testing.assert_allclose(loss, ((x - t.reshape(a)) ** 2).sum() / (2 * a[0]))
    check_gradient("euclidean_loss", None, [x, t])


def test_an_empty_batch_and_float32():
    x = np.zeros((0, 3), np.float32)
    (loss,) = forward("euclidean_loss", None, [x, x])
    assert loss == 0 and loss.dtype == np.float32
    da, db = gradients("euclidean_loss", None, [x, x], [np.ones((), np.float32)])
    assert da.shape == db.shape == (0, 3) and da.dtype == np.float32


def test_no_gradient_where_none_flows_back():
    assert gradients("euclidean_loss", None, [np.ones(2), np.ones(2)], [None]) == [None, None]


@pytest.mark.parametrize("a,b", [((3, 2), (3, 3)), ((3, 2), (2, 3)), ((), ())])
def test_blobs_that_do_not_fit(a, b):
    with pytest.raises(ShapeError, match="as many items"):
        forward("euclidean_loss", None, [np.ones(a), np.ones(b)])
