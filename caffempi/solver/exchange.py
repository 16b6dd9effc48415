"""The seam between the solver and many ranks: what an exchange does, and the null object for one process.

The solver calls the same methods whether it is alone or one of many; it never asks which. Implementations stand one floor
higher (`caffempi.exchange`) and are the only code that imports MPI. Per iteration:

    begin(iteration, last_sub)      before each of the iter_size passes; gradients are final in the last one only
    counts(vector)                  between forward and backward, where losses divide by counts that may differ
    ready(bucket, event)            during backward, as each bucket's gradients are final (buckets come in order)
    for lo, hi in reduced(): ...    slices of the arena whose gradients are the mean over ranks, for this rank to update
    updated(lo, hi)                 after the update of each slice
    vote(bits)                      at the end: stop and snapshot requests of all ranks together
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from caffempi.plan.params import ParamArena

STOP, SNAPSHOT = 1, 2                                           # bits of a vote


class Exchange(Protocol):
    """One per solver. rank is global; sums and votes are collective: all ranks call them, in the same order."""

    rank: int
    size: int

    def start(self, arena: ParamArena, state: dict[str, Any]) -> str:
        """Agrees before the first iteration (and after a restore).

        state["digest"] is a dict name -> text (net, solver, params, dtype, version): all ranks must have the same, else
        ExchangeError names the rank and the first name that differs. Then rank 0's arena.data, arena.stat and arena.hist
        and state["values"] (a dict of plain numbers, replaced in place) go to all ranks. Returns a line for the log on the way
        that gradients take, "" where there is nothing to say.
        """

    def begin(self, iteration: int, last_sub: bool) -> None:
        """A forward-backward pass starts; only in the last of iter_size do `ready` calls lead to an exchange."""

    def counts(self, vector: np.ndarray) -> np.ndarray:
        """Sum over ranks of float64 counts, one a loss; the solver makes each loss divide by max(1, total) / size."""

    def ready(self, bucket: int, event: Any) -> None:
        """Bucket's gradients are final (on a device: once the event is done)."""

    def reduced(self) -> Iterator[tuple[int, int]]:
        """Element ranges [lo, hi) of the arena in the order in which their mean gradients arrive."""

    def updated(self, lo: int, hi: int) -> None:
        """The params of a range that `reduced` gave are updated."""

    def wait(self, bucket: int) -> None:
        """Blocks until the bucket's params may be read by a forward run."""

    def totals(self, sums: np.ndarray) -> np.ndarray:
        """Sum over ranks of a float64 vector, the same bits on every rank."""

    def vote(self, bits: int) -> int:
        """Bitwise or over ranks."""

    def state_dict(self) -> dict[str, Any]:
        """What a snapshot must keep for an exact resume; {} where nothing."""

    def load_state(self, state: dict[str, Any]) -> None:
        """Takes back what state_dict gave."""

    def abort(self, message: str) -> None:
        """Ends all ranks with one message; does not return where there are others."""


class LocalExchange:
    """One process: every gradient is already the mean, every sum its own."""

    rank, size = 0, 1

    def __init__(self) -> None:
        self._whole = (0, 0)

    def start(self, arena: ParamArena, state: dict[str, Any]) -> str:
        """Nothing to agree on."""
        self._whole = (0, arena.data.size)
        return ""

    def begin(self, iteration: int, last_sub: bool) -> None:
        """Nothing to prepare."""

    def counts(self, vector: np.ndarray) -> np.ndarray:
        """The rank's own counts."""
        return vector

    def ready(self, bucket: int, event: Any) -> None:
        """Nothing to send."""

    def reduced(self) -> Iterator[tuple[int, int]]:
        """The whole arena at once."""
        yield self._whole

    def updated(self, lo: int, hi: int) -> None:
        """Nothing to gather."""

    def wait(self, bucket: int) -> None:
        """Params are always there."""

    def totals(self, sums: np.ndarray) -> np.ndarray:
        """The rank's own sums."""
        return sums

    def vote(self, bits: int) -> int:
        """The rank's own bits."""
        return bits

    def state_dict(self) -> dict[str, Any]:
        """Nothing to keep."""
        return {}

    def load_state(self, state: dict[str, Any]) -> None:
        """Nothing to take back."""

    def abort(self, message: str) -> None:
        """Nobody else to end."""
