"""multinomial_loss: value and gradient, the floor of 1e-20 and Caffe's gradient there, labels out of range, empty batches."""
import numpy as np
import pytest

from caffempi.errors import DataError
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 1, 2), (1, 5), (3,)])
def test_value_and_gradient(shape):
    rand = np.random.default_rng(2)
    p = rand.uniform(0.1, 1, shape)
    classes = int(np.prod(shape[1:]))
    label = rand.integers(0, classes, shape[0]).astype(float)
    (loss,) = forward("multinomial_loss", None, [p, label])
    rows = p.reshape(shape[0], classes)
    np.testing.assert_allclose(loss, -np.mean([np.log(rows[i, int(k)]) for i, k in enumerate(label)]))
    check_gradient("multinomial_loss", None, [p, label], tol=1e-5)


def test_below_the_floor_the_gradient_is_that_of_the_floor():
    p, label = np.array([[0.0, 1.0]]), np.zeros(1)
    np.testing.assert_allclose(forward("multinomial_loss", None, [p, label])[0], -np.log(1e-20))
    dp, none = gradients("multinomial_loss", None, [p, label], [np.full((), 2.0)])
    np.testing.assert_allclose(dp, [[-2e20, 0]])
    assert none is None


def test_an_empty_batch_and_float32():
    p, label = np.zeros((0, 3), np.float32), np.zeros(0, np.float32)
    (loss,) = forward("multinomial_loss", None, [p, label])
    assert loss == 0 and loss.dtype == np.float32
    assert gradients("multinomial_loss", None, [p, label], [np.ones((), np.float32)])[0].shape == (0, 3)


def test_a_label_out_of_range():
    with pytest.raises(DataError, match="label -1 at position 0"):
        forward("multinomial_loss", None, [np.ones((1, 3)), np.array([-1.0])])
