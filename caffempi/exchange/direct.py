"""Gradients from device to device: each bucket's mean is a piece of work between two events, and the host goes on at once.

The exchange thread watches it: what a device waits for in vain is told, and ended, as a wait of the host would be.
"""
from __future__ import annotations

from typing import Any

from caffempi.engines.base import Event
from caffempi.engines.peers import Peers
from caffempi.errors import EngineError
from caffempi.exchange.ending import PeerFailed
from caffempi.exchange.watch import Watched
from caffempi.exchange.worker import Worker
from caffempi.plan.params import ParamArena


class Direct:
    """The route over a library that the ranks' devices have in common."""

    def __init__(self, worker: Worker, arena: ParamArena, peers: Peers) -> None:
        self._worker, self._arena, self._peers = worker, arena, peers
        self._done: list[Event] = []                           # one a bucket that is under way, in order

    def begin(self) -> None:
        """Forgets the events of the iteration before."""
        self._done = []

    def send(self, bucket: int, what: str, event: Any) -> None:
        """Gives it to the device. Raises EngineError where the library refuses, PeerFailed after a rank has failed."""
        lo, hi = self._arena.buckets[bucket]
        try:
            done = self._peers.mean(self._arena.grad[lo:hi], event)
        except EngineError:
            if self._worker.falls():
                raise PeerFailed("another rank has failed") from None
            raise
        self._done.append(done)
        self._worker.watch(Watched(what, event.done, done.done, self._peers.check))

    def wait(self, bucket: int) -> None:
        """Makes the device wait for it, not the host."""
        self._done[bucket].wait()
