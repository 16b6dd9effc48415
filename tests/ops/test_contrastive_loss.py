"""contrastive_loss: both versions by hand, the declared 1e-4, marks of likeness, gradients, empty batches."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops.contrastive_loss import ContrastiveAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


def data(shape=(5, 3), seed=1):
    rand = np.random.default_rng(seed)
    return rand.standard_normal(shape), rand.standard_normal(shape), np.array([1, 0, 0, 1, 0] * 5)[:shape[0]] * 1.0


@pytest.mark.parametrize("shape", [(5, 3), (4, 1), (3, 2, 1, 1), (2,)])
@pytest.mark.parametrize("margin", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("legacy", [False, True])
def test_value_and_rule_by_hand(shape, margin, legacy):
    a, b, s = data(shape)
    loss, da, db = 0.0, np.zeros_like(a), np.zeros_like(b)
    for i in range(shape[0]):
        away = a[i] - b[i]
        d = np.sqrt((away ** 2).sum())
        if s[i]:
            loss, da[i] = loss + d * d, away
        elif legacy:
            loss, da[i] = loss + max(margin - d * d, 0), -away if d * d < margin else 0
        else:
            loss, da[i] = loss + max(margin - d, 0) ** 2, -(margin - d) / (d + 1e-4) * away if d < margin else 0
        db[i] = -da[i]
    (got,) = forward("contrastive_loss", ContrastiveAttrs(margin, legacy), [a, b, s])
    np.testing.assert_allclose(got, loss / shape[0] / 2)
    grads = gradients("contrastive_loss", ContrastiveAttrs(margin, legacy), [a, b, s], [np.full((), 1.5)])
    np.testing.assert_allclose(grads[0], 1.5 * da / shape[0], atol=1e-12)
    np.testing.assert_allclose(grads[1], 1.5 * db / shape[0], atol=1e-12)
    assert grads[2] is None


@pytest.mark.parametrize("seed", range(3))
def test_the_old_version_is_the_derivative_and_the_new_one_nearly(seed):
    a, b, s = data(seed=seed)
    check_gradient("contrastive_loss", ContrastiveAttrs(6.0, True), [a, b, s])
    check_gradient("contrastive_loss", ContrastiveAttrs(6.0), [a, b, s], tol=1e-3)


def test_equal_unlike_pairs_give_a_finite_gradient():
    grads = gradients("contrastive_loss", ContrastiveAttrs(), [np.ones((1, 2)), np.ones((1, 2)), np.zeros(1)], [np.ones(())])
    np.testing.assert_array_equal(grads[0], [[0, 0]])


def test_only_the_whole_part_of_the_mark_counts():
    a, b, _ = data((2, 3))
    (near,) = forward("contrastive_loss", ContrastiveAttrs(), [a, b, np.array([0.9, -0.5])])
    (zero,) = forward("contrastive_loss", ContrastiveAttrs(), [a, b, np.zeros(2)])
    assert near == zero


def test_an_empty_batch_and_float32():
    x, s = np.zeros((0, 3), np.float32), np.zeros(0, np.float32)
    (loss,) = forward("contrastive_loss", ContrastiveAttrs(), [x, x, s])
    assert loss == 0 and loss.dtype == np.float32
    assert gradients("contrastive_loss", ContrastiveAttrs(), [x, x, s], [np.ones((), np.float32)])[0].dtype == np.float32


@pytest.mark.parametrize("shapes,words", [([(2, 3), (2, 4), (2,)], "one shape N x C"), ([(2, 3, 2), (2, 3, 2), (2,)], "one shape"),
                                          ([(2, 3), (2, 3), (3,)], "2 pairs need")])
def test_shapes_that_do_not_fit(shapes, words):
    with pytest.raises(ShapeError, match=words):
        forward("contrastive_loss", ContrastiveAttrs(), [np.ones(s) for s in shapes])
