"""The stream and its shards."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.data.shard import Order, first_of


@pytest.mark.parametrize("sizes", [[7], [3, 4], [1, 0, 5, 1]])
@pytest.mark.parametrize("shuffle", [False, True])
def test_each_epoch_has_each_record_once_wherever_it_is_read(sizes, shuffle):
    order, n = Order(sizes, shuffle=shuffle, seed=2), sum(sizes)
    epochs, ordinals = order.take(0, 5 * n)
    np.testing.assert_array_equal(epochs, np.repeat(np.arange(5), n))
    for e in range(5):
        assert sorted(ordinals[e * n:(e + 1) * n]) == list(range(n))
    assert shuffle or ordinals.tolist() == list(range(n)) * 5
    fresh = Order(sizes, shuffle=shuffle, seed=2)
    for start in (4 * n + 1, 0, 2 * n - 1, n):   # backwards too
        got = fresh.take(start, 3)
        np.testing.assert_array_equal(got, (epochs[start:start + 3], ordinals[start:start + 3]))


def test_shuffle_keeps_files_together():
    order = Order([50, 70, 30], shuffle=True, seed=0)
    _, ordinals = order.take(0, 150)
    files = np.searchsorted(order.starts, ordinals, side="right") - 1
    assert np.count_nonzero(np.diff(files)) == 2
    assert sorted(ordinals[:30]) != ordinals[:30].tolist()


def test_skip_moves_the_start_only():
    np.testing.assert_array_equal(Order([5], skip=13).take(0, 9), Order([5]).take(13, 9))


@pytest.mark.parametrize("ranks, batch", [(1, 4), (2, 2), (3, 5)])
def test_ranks_cover_the_stream_without_overlap(ranks, batch):
    seen = [p for k in range(4) for r in range(ranks)
            for p in range(first_of(k * ranks * batch, r, batch), first_of(k * ranks * batch, r, batch) + batch)]
    assert seen == list(range(4 * ranks * batch))
