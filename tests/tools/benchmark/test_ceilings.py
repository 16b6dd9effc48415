"""Ceilings by any clock."""
from __future__ import annotations

import pytest
from benchmark import ceilings


@pytest.mark.parametrize("threads", [1, 3])
def test_rates_follow_from_the_shortest_run(threads):
    now, lengths = [0.0], iter([9, 4, 2, 3, 5, 8, 4, 1, 9, 9])

    def clock():
        clock.calls += 1
        if clock.calls % 2 == 0:
            now[0] += next(lengths)
        return now[0]
    clock.calls = 0
    found = ceilings.measure(threads, clock, 16, 1000)
    assert found == {"sgemm": 2 * 16**3 / 2, "copy": 2 * 1000 / 1}
