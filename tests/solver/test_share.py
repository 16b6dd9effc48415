"""What ranks share: bytes, the seed, and one error."""
from __future__ import annotations

import pytest

from caffempi.errors import SnapshotError, SolverError, WeightsError
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.share import AgreedError, agree, share_bytes, share_seed
from tests.helpers.loopback import all_good, run_ranks


@pytest.mark.parametrize("data", [b"", b"a", bytes(range(256)) * 9])
@pytest.mark.parametrize("root", [0, 2])
def test_bytes_of_one_rank_reach_all(data, root):
    got = all_good(3, lambda x: share_bytes(x, data if x.rank == root else b"other", root))
    assert got == [data] * 3


@pytest.mark.parametrize("seed", [0, 7, (1 << 63) - 1])
def test_a_given_seed_is_kept_to_the_last_digit(seed):
    assert all_good(2, lambda x: share_seed(x, seed)) == [seed, seed]


def test_a_drawn_seed_is_the_same_everywhere_and_another_one_each_time():
    first, second = (all_good(3, lambda x: share_seed(x, -1)) for _ in range(2))
    assert len(set(first)) == 1 and first[0] >= 0
    assert first != second


def test_nobody_fails_where_nobody_has_an_error():
    assert all_good(3, lambda x: agree(x, None)) == [None] * 3


def test_all_ranks_raise_the_first_ranks_error():
    results = run_ranks(3, lambda x: agree(x, SnapshotError(f"of rank {x.rank}") if x.rank else None))
    assert all(isinstance(r, AgreedError) for r in results)
    assert [str(r) for r in results] == ["rank 1: of rank 1"] * 3


def test_a_fault_of_all_ranks_names_none():
    results = run_ranks(2, lambda x: agree(x, SnapshotError("full")))
    assert [str(r) for r in results] == ["full"] * 2


def test_alone_the_error_stays_what_it_is():
    with pytest.raises(WeightsError, match="gone"):
        agree(LocalExchange(), WeightsError("gone"))
    assert issubclass(AgreedError, SolverError)
