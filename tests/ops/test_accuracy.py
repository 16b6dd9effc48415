"""Accuracy: ranks, ties, ignored labels, by class, nothing to count."""
import numpy as np
import pytest

from caffempi.errors import DataError, ShapeError
from caffempi.ops import get_op
from caffempi.ops.accuracy import AccuracyAttrs
from tests.helpers.opcheck import forward, gradients


@pytest.mark.parametrize("top_k", [1, 2, 4])
@pytest.mark.parametrize("shape,axis", [((6, 4), 1), ((2, 4, 3, 2), 1), ((2, 3, 4), -1), ((4, 5), 0)])
@pytest.mark.parametrize("ignore", [None, 1])
def test_against_sorting(top_k, shape, axis, ignore):
    rand = np.random.default_rng(15)
    x = rand.permutation(np.prod(shape)).reshape(shape).astype(np.float32)
    label = rand.integers(0, shape[axis], [d for i, d in enumerate(shape) if i != axis % len(shape)]).astype(np.float32)
    total, by_class = forward("accuracy", AccuracyAttrs(top_k, axis, ignore, True), [x, label])
    best = np.argsort(-np.moveaxis(x, axis, -1), axis=-1)[..., :top_k].reshape(-1, top_k)
    flat = label.reshape(-1).astype(int)
    hit = (best == flat[:, None]).any(1)
    counts = flat != (-1 if ignore is None else ignore)
    np.testing.assert_allclose(total, hit[counts].mean(), rtol=1e-6)
    expected = [hit[counts & (flat == c)].mean() if (counts & (flat == c)).any() else 0 for c in range(shape[axis])]
    np.testing.assert_allclose(by_class, expected, rtol=1e-6)
    assert total.shape == () and total.dtype == by_class.dtype == np.float32


def test_ties_and_nan_count_against_the_label():
    x = np.array([[1, 1, 0], [1, 1, 0], [np.nan] * 3], np.float64)
    label = np.array([0.0, 1, 2])
    assert forward("accuracy", AccuracyAttrs(1), [x, label])[0] == 0
    np.testing.assert_allclose(forward("accuracy", AccuracyAttrs(2), [x, label])[0], 2 / 3)


@pytest.mark.parametrize("n", [0, 2])
def test_where_nothing_counts_it_is_zero(n):
    total, by_class = forward("accuracy", AccuracyAttrs(ignore=0, by_class=True), [np.ones((n, 3)), np.zeros(n)])
    assert total == 0
    np.testing.assert_array_equal(by_class, [0, 0, 0])


def test_has_no_gradient():
    assert get_op("accuracy").differentiable == ()
    assert gradients("accuracy", AccuracyAttrs(), [np.ones((2, 3)), np.zeros(2)], [np.ones(())]) == [None, None]


def test_refuses_labels_out_of_range_and_more_hits_than_classes():
    with pytest.raises(DataError, match="label 3 at position 0"):
        forward("accuracy", AccuracyAttrs(), [np.ones((1, 3)), np.array([3.0])])
    with pytest.raises(ShapeError, match="top_k is 5, but there are only 3 classes"):
        forward("accuracy", AccuracyAttrs(5), [np.ones((1, 3)), np.zeros(1)])
