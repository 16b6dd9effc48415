"""infogain_loss: by hand with the four divisors and ignored labels, the identity, the floor of 1e-20, gradients."""
import numpy as np
import pytest

from caffempi.errors import DataError, ShapeError
from caffempi.ops.softmax_loss import SoftmaxNllAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("shape,axis", [((4, 3), 1), ((2, 3, 2, 2), 1), ((2, 2, 3), -1), ((3,), 0)])
@pytest.mark.parametrize("mode", ["full", "valid", "batch", "none"])
@pytest.mark.parametrize("ignore", [None, 1])
def test_value_probabilities_and_gradient(shape, axis, mode, ignore):
    rand = np.random.default_rng(6)
    classes = shape[axis]
    x, h = rand.standard_normal(shape), rand.standard_normal((1, 1, classes, classes))
    label = rand.integers(0, classes, [d for i, d in enumerate(shape) if i != axis % len(shape)]).astype(float)
    p = np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)
    rows, flat = np.moveaxis(p, axis, -1).reshape(-1, classes), label.reshape(-1)
    valid = [i for i in range(len(flat)) if flat[i] != ignore]
    outer = int(np.prod(shape[:axis % len(shape)]))
    divisor = max(1, {"full": len(flat), "valid": len(valid), "batch": outer, "none": 1}[mode])
    expected = -sum((h[0, 0, int(flat[i])] * np.log(rows[i])).sum() for i in valid) / divisor
    attrs = SoftmaxNllAttrs(axis, mode, ignore, True)
    loss, prob = forward("infogain_loss", attrs, [x, label, h])
    np.testing.assert_allclose(loss, expected)
    np.testing.assert_allclose(prob, p)
    check_gradient("infogain_loss", attrs, [x, label, h], outs=[0])


def test_with_the_identity_it_is_the_softmax_loss():
    x, label = np.random.default_rng(1).standard_normal((4, 3)), np.array([0.0, 2, 1, 1])
    ins = [x, label, np.eye(3)]
    np.testing.assert_allclose(forward("infogain_loss", SoftmaxNllAttrs(), ins), forward("softmax_nll", SoftmaxNllAttrs(), ins[:2]))
    np.testing.assert_allclose(gradients("infogain_loss", SoftmaxNllAttrs(), ins, [np.ones(())])[0],
                               gradients("softmax_nll", SoftmaxNllAttrs(), ins[:2], [np.ones(())])[0])


def test_below_the_floor_the_gradient_takes_no_notice():
    ins = [np.array([[1e4, 0.0]]), np.ones(1), np.eye(2)]
    np.testing.assert_allclose(forward("infogain_loss", SoftmaxNllAttrs(), ins)[0], -np.log(1e-20))
    dx, *none = gradients("infogain_loss", SoftmaxNllAttrs(), ins, [np.ones(())])
    np.testing.assert_array_equal(dx, [[1, -1]])
    assert none == [None, None]


def test_an_empty_batch_and_float32():
    ins = [np.zeros((0, 3), np.float32), np.zeros(0, np.float32), np.ones((3, 3), np.float32)]
    (loss,) = forward("infogain_loss", SoftmaxNllAttrs(ignore=0), ins)
    assert loss == 0 and loss.dtype == np.float32
    assert gradients("infogain_loss", SoftmaxNllAttrs(ignore=0), ins, [np.ones((), np.float32)])[0].shape == (0, 3)


def test_what_does_not_fit():
    with pytest.raises(ShapeError, match="matrix 2 x 2 does not fit 3 classes"):
        forward("infogain_loss", SoftmaxNllAttrs(), [np.ones((4, 3)), np.ones(4), np.ones((2, 2))])
    with pytest.raises(DataError, match="label 3 at position 0"):
        forward("infogain_loss", SoftmaxNllAttrs(), [np.ones((1, 3)), np.full(1, 3.0), np.ones((3, 3))])
