"""What is said of a wait that takes too long."""
from __future__ import annotations

import pytest

from caffempi.exchange.stall import Limits, Patience, describe, speaks

HOSTS = ["h"] * 4
CASES = [
    ({0: 6, 2: 5, 3: 6}, "rank 2 has not come to it"),
    ({0: 6, 2: 5, 3: 4}, "ranks 2, 3 have not come to it"),
    ({0: 6, 2: 6}, "rank 3 does not answer"),
    ({2: 5}, "rank 2 has not come to it, ranks 0, 3 do not answer"),
    ({0: 6, 2: 6, 3: 7}, "all ranks are in it, the network does not move"),
]


@pytest.mark.parametrize(("reached", "text"), CASES)
def test_the_ranks_that_are_missing_are_named(reached, text):
    assert describe("bucket 2", 5, 61.2, reached, 1, HOSTS) == f"bucket 2 has waited 61 s: {text}"


def test_a_missing_ranks_host_is_named_where_there_are_several():
    assert describe("a sum", 0, 60, {1: 0}, 0, ["h0", "h1"]).endswith("rank 1 (h1) has not come to it")


@pytest.mark.parametrize(("rank", "reached", "want"), [
    (0, {1: 6, 2: 6}, True), (1, {0: 6, 2: 5}, False), (1, {0: 5, 2: 6}, True), (2, {}, True)])
def test_only_the_lowest_rank_that_waits_speaks(rank, reached, want):
    assert speaks(rank, 5, reached) is want


def test_a_warning_comes_long_before_the_end():
    assert Limits().warning == 60 and Limits().abort >= 2 * Limits().warning


def test_a_wait_asks_then_tells_and_asks_again_a_warning_later():
    patience = Patience(Limits(warning=60, abort=600), 100.0)
    assert [patience.turn(t) for t in (100, 159, 160, 160.5, 161, 219, 220.5, 221.5)] == [
        "", "", "ask", "", "tell", "", "ask", "tell"]
    assert patience.started == 100
