"""Keyed random numbers: no state, even spread, fixed for ever."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.data.draws import below, permutation, record_words, skipped


def test_a_record_draws_the_same_alone_and_in_any_company():
    epochs, ordinals = np.array([0, 0, 1, 2**33]), np.array([5, 2**34, 5, 7])
    together = record_words(3, "x", epochs, ordinals)
    for i in range(4):
        np.testing.assert_array_equal(record_words(3, "x", epochs[i:i + 1], ordinals[i:i + 1])[:, 0], together[:, i])
    assert len({tuple(w) for w in together.T}) == 4


def test_seed_purpose_epoch_and_record_each_change_the_numbers():
    one, two = np.array([1]), np.array([2])
    draws = [record_words(1, "a", one, one), record_words(2, "a", one, one), record_words(1, "b", one, one),
             record_words(1, "a", two, one), record_words(1, "a", one, two), record_words(-1, "a", one, one)]
    assert len({d.tobytes() for d in draws}) == len(draws)


@pytest.mark.parametrize("bound", [1, 2, 7, 256])
def test_below_is_even_and_in_range(bound):
    n = 20000
    values = below(record_words(0, "x", np.zeros(n, np.int64), np.arange(n))[0], bound)
    counts = np.bincount(values, minlength=bound)
    assert len(counts) == bound and abs(counts - n / bound).max() < 6 * np.sqrt(n / bound) + 1


@pytest.mark.parametrize("n", [0, 1, 2, 9, 1000])
def test_permutation_holds_each_number_once_and_depends_on_the_epoch(n):
    orders = [permutation(4, "x", epoch, n) for epoch in range(3)]
    assert all(sorted(o) == list(range(n)) for o in orders)
    assert n < 9 or len({o.tobytes() for o in orders}) == 3


def test_known_numbers_stay():
    """A snapshot of one version must resume in the next."""
    assert permutation(1, "files", 2, 8).tolist() == PERMUTATION
    assert skipped(1, 1000) == SKIPPED


def test_skip_is_below_its_bound_and_0_for_none():
    assert skipped(5, 0) == 0
    values = {skipped(seed, 4) for seed in range(60)}
    assert values == {0, 1, 2, 3}


PERMUTATION = [7, 1, 6, 0, 4, 3, 5, 2]
SKIPPED = 836
