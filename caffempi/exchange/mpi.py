"""MpiExchange: synchronous data parallel training. Every rank updates all params by the mean gradient of all ranks.

g = (1/N) sum_r g_r, once per iter_size passes, bucket by bucket in static order, while backward computes the
buckets that follow; the means replace the gradients in their slices of the arena. They go from device to device where
all ranks have one of their own and a library for it (`direct`), else over memory of the host (`staged`). Params,
statistics and histories start as rank 0's, and as all ranks then do the same arithmetic on the same bits, they stay
equal to the bit.
"""
from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from caffempi.engines.base import Event
from caffempi.errors import ExchangeError
from caffempi.exchange import agree, collectives
from caffempi.exchange.collectives import Steps
from caffempi.exchange.direct import Direct
from caffempi.exchange.ending import End
from caffempi.exchange.link import Link
from caffempi.exchange.meeting import Meeting
from caffempi.exchange.staged import Route, Staged
from caffempi.exchange.stall import Limits
from caffempi.exchange.worker import Worker
from caffempi.plan.params import ParamArena


class MpiExchange:
    """The exchange of a process among `size`; see `caffempi.solver.exchange.Exchange` for the protocol.

    Making one is collective and starts MPI. stall_warning, stall_abort: seconds in one operation until a warning
    that names the ranks that are missing, and until the run is ended. hosts[rank]: the ranks' machines; local_rank,
    local_size: this rank's number among those on its machine, and theirs.
    """

    def __init__(self, stall_warning: float = Limits.warning, stall_abort: float = Limits.abort) -> None:
        self._worker = Worker(Limits(stall_warning, stall_abort))
        link = self._worker.link
        self.rank, self.size, self.hosts = link.rank, link.size, link.hosts
        here = [rank for rank, host in enumerate(self.hosts) if host == self.hosts[self.rank]]
        self.local_rank, self.local_size = here.index(self.rank), len(here)
        self._arena: ParamArena | None = None
        self._route: Route | None = None
        self._meeting = Meeting(self._worker)
        self._iteration, self._open = 0, False
        self._ready: list[Any] = []                            # event of each bucket that is ready, in any order
        self._sent = 0                                         # buckets that are under way, in order

    # ---- before the first iteration

    def start(self, arena: ParamArena, state: dict[str, Any]) -> str:
        """Compares the ranks' digests, takes over rank 0's params, statistics, histories and state["values"], and finds the
        gradients' route; returns a line on that.

        Raises ExchangeError that names the ranks and the first item that differs, EngineError where devices do not meet.
        """
        self._arena, self._sent, self._open = arena, 0, False
        mine = {name: str(text) for name, text in state["digest"].items()} | {"layout of params": agree.layout(arena)}
        texts = self._do("the comparison of nets at start",
                         lambda link: collectives.gather_texts(link, json.dumps(mine)))
        agree.check([json.loads(text) for text in texts], self.hosts)
        arena.engine.settle()                                  # what the host has written of the params is to be sent
        values = self._do("the broadcast of rank 0's state", lambda link: self._spread(link, arena, state["values"]),
                          self._mark())
        state["values"].clear()
        state["values"].update(values)
        peers, line = self._meeting.of(arena.engine)
        self._route = Direct(self._worker, arena, peers) if peers is not None else Staged(self._worker, arena)
        return line

    @staticmethod
    def _spread(link: Link, arena: ParamArena, values: dict[str, Any]) -> Steps:
        for array in (arena.data, arena.stat, *arena.hist):
            bridge = arena.engine.bridge(array)
            bridge.down()
            yield from collectives.broadcast(link, bridge.host)
            bridge.up()
        return (yield from collectives.broadcast_numbers(link, values))

    # ---- in each iteration

    def begin(self, iteration: int, last_sub: bool) -> None:
        """A forward-backward pass starts; its buckets are exchanged if it is the last of iter_size."""
        if self._arena is None or self._route is None:
            raise ExchangeError("an iteration began before start(arena, state)")
        self._iteration, self._open = iteration, last_sub
        self._ready, self._sent = [None] * len(self._arena.buckets), 0
        self._route.begin()

    def ready(self, bucket: int, event: Any) -> None:
        """Starts the exchange of a bucket, and of those after it that were ready before their turn."""
        if not self._open:
            return
        self._ready[bucket] = (event,)
        while self._sent < len(self._ready) and self._ready[self._sent] is not None:
            self._send(self._ready[self._sent][0])

    def _send(self, event: Any) -> None:
        """The next bucket."""
        assert self._route is not None
        self._route.send(self._sent, f"bucket {self._sent} of iteration {self._iteration}", event)
        self._sent += 1

    def _mark(self) -> Event:
        """Behind all that the engine has been given so far."""
        assert self._arena is not None
        event = self._arena.engine.event()
        event.record()
        return event

    def reduced(self) -> Iterator[tuple[int, int]]:
        """Bucket by bucket, as the means arrive. Buckets that no backward step has filled (zeros) go last."""
        assert self._arena is not None and self._route is not None
        self._open = False
        for bucket in range(self._sent, len(self._arena.buckets)):
            self._send(self._ready[bucket][0] if self._ready[bucket] else self._mark())
        for bucket, (lo, hi) in enumerate(self._arena.buckets):
            self._route.wait(bucket)
            yield lo, hi

    def updated(self, lo: int, hi: int) -> None:
        """Every rank has updated all params itself: nothing to send."""

    def wait(self, bucket: int) -> None:
        """The params are this rank's own: always there."""

    # ---- small sums and votes

    def counts(self, vector: np.ndarray) -> np.ndarray:
        """Sum over ranks of float64 counts."""
        return self.totals(vector)

    def totals(self, sums: np.ndarray) -> np.ndarray:
        """Sum over ranks of a float64 array, added in rank order: the same bits on every rank."""
        row = np.asarray(sums, np.float64)
        return self._do(f"a sum in iteration {self._iteration}",
                        lambda link: collectives.total(link, row.ravel())).reshape(row.shape)

    def vote(self, bits: int) -> int:
        """Bitwise or over ranks."""
        row = np.array([bits], np.int64)
        table = self._do(f"the vote after iteration {self._iteration}", lambda link: collectives.gather(link, row))
        return int(np.bitwise_or.reduce(table[:, 0]))

    def _do(self, what: str, steps: Any, event: Event | None = None) -> Any:
        return self._worker.submit(what, steps, event).wait()

    # ---- snapshots and the end

    def state_dict(self) -> dict[str, Any]:
        """Nothing: a mean has no memory."""
        return {}

    def load_state(self, state: dict[str, Any]) -> None:
        """Nothing to take back."""

    def abort(self, message: str) -> None:
        """Ends all ranks with this rank's message; does not return."""
        self.fail(End(True, message))
        self.leave()

    def fail(self, end: End, trace: str = "") -> None:
        """This rank has failed, in whatever thread: all ranks will end. Does not wait. trace: printed before the
        line."""
        self._worker.fail(end, trace)

    def leave(self) -> None:
        """The main thread's last call after a failure, here or elsewhere: ends with all others; does not return."""
        self._worker.arrive()

    def close(self) -> None:
        """The good end: waits until all ranks have come to theirs."""
        self._meeting.close()
        self._worker.close()
