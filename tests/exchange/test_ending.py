"""Who speaks, and what, when ranks fail."""
from __future__ import annotations

import pytest

from caffempi.exchange.ending import End, Verdict, decide

SAD, ODD, FOLLOWS = End(True, "why", 1), End(True, "other", 2), End(False)
CASES = [
    ("one fails", {0: FOLLOWS, 1: SAD}, ["h", "h"], Verdict(1, "caffempi: rank 1: why", 1)),
    ("the lowest speaks", {0: FOLLOWS, 1: ODD, 2: SAD}, ["h"] * 3, Verdict(1, "caffempi: rank 1: other", 2)),
    ("all alike", {0: SAD, 1: SAD}, ["h", "h"], Verdict(0, "caffempi: why", 1)),
    ("all, each its own", {0: SAD, 1: ODD}, ["h", "h"], Verdict(0, "caffempi: rank 0: why", 1)),
    ("all that answered", {1: SAD, 2: SAD}, ["h"] * 3, Verdict(1, "caffempi: rank 1: why", 1)),
    ("several hosts", {0: FOLLOWS, 1: SAD}, ["h", "g"], Verdict(1, "caffempi: rank 1 (g): why", 1)),
    ("nothing to say", {0: FOLLOWS, 1: End(True, "", 7)}, ["h", "h"], Verdict(1, None, 7)),
]


@pytest.mark.parametrize(("ends", "hosts", "want"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_verdict(ends, hosts, want):
    assert decide(ends, hosts) == want


def test_an_end_travels_as_a_message():
    assert End(**SAD.message()) == SAD
