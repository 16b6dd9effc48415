"""The synchronous exchange on 1, 2, 3 and 4 real ranks."""
from __future__ import annotations

from collections import Counter

import pytest

pytestmark = pytest.mark.mpi


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_start_sums_votes_and_means_are_numpys_and_bit_identical_on_all_ranks(ran, n):
    left = ran(n, "battery", str(n))
    assert (left.rc, left.err) == (0, "")
    lines = Counter(left.out.splitlines())
    assert len(lines) == 2 + 2 * 6 * 3
    assert set(lines.values()) == {n}


@pytest.mark.parametrize("n", [3])
def test_the_same_run_gives_the_same_bits_whenever_buckets_become_ready(ran, n):
    hashes: dict[str, set[str]] = {}
    for line in ran(n, "battery", str(n)).out.splitlines():
        name, value = line.rsplit(": ", 1)
        hashes.setdefault(name.rstrip("0123456789"), set()).add(value)
    assert len(hashes) == 14 and all(len(values) == 1 for values in hashes.values())


def test_a_bucket_is_exchanged_while_the_main_thread_computes_what_follows(ran):
    left = ran(2, "overlap")
    assert (left.rc, left.err) == (0, "")
    assert len(left.lines()) == 2 * 3 * 3 and all(line.endswith("True") for line in left.lines())


def test_a_rank_with_another_net_is_named_once_with_the_item_and_both_values(ran):
    left = ran(3, "failing", "other net")
    assert left.rc == 1
    assert left.err == ("caffempi: the ranks do not have the same net: ranks 0, 2 have same, rank 1 has other; "
                        "start all ranks with the same files, flags and versions\n")


def test_a_run_that_ends_well_leaves_nothing_on_stderr(ran):
    left = ran(2, "failing", "not at all")
    assert (left.rc, left.err, left.lines()) == (0, "", [f"well {rank}" for rank in range(2)])
