"""hinge_loss: both norms by hand, gradients, labels out of range, empty batches."""
import numpy as np
import pytest

from caffempi.errors import DataError, ShapeError
from caffempi.ops.hinge_loss import HingeAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("shape", [(3, 4), (2, 2, 1, 3), (1, 2), (4, 1), (3,)])
@pytest.mark.parametrize("squared", [False, True])
def test_value_and_gradient(shape, squared):
    rand = np.random.default_rng(2)
    x = rand.standard_normal(shape) * 2
    classes = int(np.prod(shape[1:]))
    label = rand.integers(0, classes, shape[0]).astype(float)
    total = 0.0
    for i, row in enumerate(x.reshape(shape[0], classes)):
        for k, v in enumerate(row):
            m = max(0.0, 1 - (v if k == label[i] else -v))
            total += m * m if squared else m
    (loss,) = forward("hinge_loss", HingeAttrs(squared), [x, label])
    np.testing.assert_allclose(loss, total / shape[0])
    check_gradient("hinge_loss", HingeAttrs(squared), [x, label])


def test_at_the_margin_itself_the_gradient_is_zero():
    dx, none = gradients("hinge_loss", HingeAttrs(), [np.array([[1.0, -1.0]]), np.zeros(1)], [np.ones(())])
    np.testing.assert_array_equal(dx, [[0, 0]])
    assert none is None


def test_an_empty_batch_and_float32():
    x, label = np.zeros((0, 3), np.float32), np.zeros(0, np.float32)
    (loss,) = forward("hinge_loss", HingeAttrs(True), [x, label])
    assert loss == 0 and loss.dtype == np.float32
    dx, _ = gradients("hinge_loss", HingeAttrs(True), [x, label], [np.ones((), np.float32)])
    assert dx.shape == (0, 3) and dx.dtype == np.float32


def test_a_label_out_of_range_and_too_few_labels():
    with pytest.raises(DataError, match="label 3 at position 1 .* 3 classes"):
        forward("hinge_loss", HingeAttrs(), [np.ones((2, 3)), np.array([0.0, 3])])
    with pytest.raises(ShapeError, match="1 labels .* 2 predictions"):
        forward("hinge_loss", HingeAttrs(), [np.ones((2, 3)), np.zeros(1)])
