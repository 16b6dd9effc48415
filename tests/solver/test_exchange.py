"""The null object: one process is its own mean, sum and vote."""
from __future__ import annotations

import numpy as np

from caffempi.ops.graph import Param, Spec
from caffempi.plan.params import ParamArena
from caffempi.solver.exchange import SNAPSHOT, STOP, Exchange, LocalExchange


def test_one_process_agrees_with_itself():
    param = Param("ip", 0, Spec((3, 5)))
    arena = ParamArena([param], [param], "float32")
    exchange: Exchange = LocalExchange()
    exchange.start(arena, {"digest": {}, "values": {}})
    exchange.begin(0, True)
    exchange.ready(0, None)
    assert list(exchange.reduced()) == [(0, arena.data.size)]
    exchange.updated(0, arena.data.size)
    exchange.wait(0)
    vector = np.array([1.5, 2.0])
    np.testing.assert_array_equal(exchange.totals(vector), vector)
    np.testing.assert_array_equal(exchange.counts(vector), vector)
    assert exchange.vote(STOP | SNAPSHOT) == STOP | SNAPSHOT
    assert (exchange.rank, exchange.size, exchange.state_dict()) == (0, 1, {})
