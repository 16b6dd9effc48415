"""Gradients by way of the host: each bucket goes to memory of the host (on a CPU it lies there), round the ranks, and back."""
from __future__ import annotations

from typing import Any, Protocol

from caffempi.engines.access import Bridge
from caffempi.exchange import collectives
from caffempi.exchange.collectives import Steps
from caffempi.exchange.link import Link
from caffempi.exchange.worker import Job, Worker
from caffempi.plan.params import ParamArena


class Route(Protocol):
    """How the gradients of one arena become means over ranks. All ranks call the same, in the same order."""

    def begin(self) -> None:
        """An iteration starts."""

    def send(self, bucket: int, what: str, event: Any) -> None:
        """Starts the mean of the next bucket, whose gradients are there once the event is passed. what: its name in
        messages. Does not wait."""

    def wait(self, bucket: int) -> None:
        """What the engine is given from now on finds the bucket's mean. Raises PeerFailed where a rank has failed."""


class Staged:
    """The route over memory of the host and MPI: in the exchange thread, which waits for device and peers."""

    def __init__(self, worker: Worker, arena: ParamArena) -> None:
        self._worker, self._arena = worker, arena
        self._bridges: dict[int, Bridge] = {}
        self._jobs: list[Job] = []                             # one a bucket that is under way, in order

    def begin(self) -> None:
        """Forgets the jobs of the iteration before."""
        self._jobs = []

    def send(self, bucket: int, what: str, event: Any) -> None:
        """Asks the exchange thread for it."""
        if bucket not in self._bridges:
            lo, hi = self._arena.buckets[bucket]
            self._bridges[bucket] = self._arena.engine.bridge(self._arena.grad[lo:hi])
        bridge = self._bridges[bucket]
        self._jobs.append(self._worker.submit(what, lambda link: self._mean(link, bridge), event))

    @staticmethod
    def _mean(link: Link, bridge: Bridge) -> Steps:
        bridge.down()
        yield from collectives.mean(link, bridge.host)
        bridge.up()

    def wait(self, bucket: int) -> None:
        """Blocks until it is there."""
        self._jobs[bucket].wait()
