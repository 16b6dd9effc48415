"""Loss scaling in training: the factor on the loss, the search for gradients that are not finite, and what is told of it.

Backward computes the gradients of s times the loss; before clipping, decay and the rule the update takes 1/s of them, within
the factor that it multiplies gradients by anyway. A fixed s is no more than that. Where s moves, every update is preceded by a
look at the mean gradients of all ranks: if one is not finite (float16 ends at 65504), the update is skipped and s halved; after
2000 updates in a row s is doubled. The mean has the same bits on all ranks, so that all decide alike with nothing exchanged,
and the engine's own memory holds the decision: a device skips an update without the host. The host reads what came of it one
iteration later, and tells.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from caffempi.engines.access import Fetched
from caffempi.errors import SolverError
from caffempi.net.precision import LossScale
from caffempi.ops.loss_scale import LossScaleAttrs
from caffempi.plan.flat import bind_flat, flat
from caffempi.plan.params import ParamArena
from caffempi.solver.exchange import Exchange

_FLAGS = 1024                                                  # so that each block of a device has one of its own


class Skipped(NamedTuple):
    """An update that did not take place: its iteration, the scale before and after, the ranks whose own gradients were not
    finite (none: a sum over ranks was too large, or there is one process)."""

    iteration: int
    used: float
    scale: float
    ranks: list[int]


class LossScaling:
    """The loss scale of an arena's gradients. factor: what backward multiplies losses by, in the engine's memory.

    skips: updates that were skipped, as far as `settle` has told, since the start or the last `restore`.
    """

    def __init__(self, arena: ParamArena, factor: np.ndarray, setting: LossScale) -> None:
        self.arena, self.moves, self._engine = arena, setting.moves, arena.engine
        self._attrs = LossScaleAttrs() if self.moves else LossScaleAttrs(every=1 << 62)
        self._factor = factor
        self._flags, self._own = (flat(self._engine, (_FLAGS,), arena.dtype) for _ in range(2))
        self._tally = flat(self._engine, (4,), arena.dtype)
        self._looks: dict[tuple[int, int, bool], Callable[[], None]] = {}
        self._step: Callable[[], None] | None = None
        self._late: deque[tuple[int, Fetched]] = deque()
        self.restore(setting.first, 0)

    def restore(self, scale: float, good: int) -> None:
        """Goes on with that scale, after so many updates without a skip."""
        self._engine.put(self._factor, scale)
        self._engine.put(self._tally, np.array([good, 0, 0, 0], self.arena.dtype))
        self._late.clear()
        self.skips = 0

    @property
    def scale(self) -> float:
        """The factor of the moment; waits for all that has been run."""
        return float(self._engine.get(self._factor))

    @property
    def good(self) -> int:
        """Updates without a skip since the scale has changed; waits."""
        return int(self._engine.get(self._tally)[0])

    def look(self, lo: int, hi: int, own: bool = False) -> None:
        """Looks for what is not finite in a slice of the gradients. own: which are this rank's, not yet the mean."""
        call = self._looks.get((lo, hi, own))
        if call is None:
            grad, flags = self.arena.grad[lo:hi], self._own if own else self._flags
            call = self._looks[lo, hi, own] = bind_flat(self._engine, "nonfinite", None, (grad, flags), (flags,))
        call()

    def watched(self, ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        """The ranges; where the scale moves, all that arrive are looked at first: the last may forbid the update."""
        if not self.moves:
            return ranges
        arrived = []
        for lo, hi in ranges:
            self.look(lo, hi)
            arrived.append((lo, hi))
        return arrived

    def forgives(self, norms: np.ndarray) -> bool:
        """Whether squares of gradients, of which some is not finite, lead to no more than a skip."""
        return self.moves and not np.isfinite(norms).all()

    def decide(self, iteration: int, wanted: np.ndarray, terms: np.ndarray) -> None:
        """After all ranges: makes the terms (always the same two tables) those that are wanted, their scale divided, or such
        as forbid the update; and moves the factor."""
        if self._step is None:
            own = (self._flags, self._own, self._factor, self._tally)
            self._step = bind_flat(self._engine, "loss_scale", self._attrs, (*own, wanted), (*own, terms))
        self._step()
        if self.moves:
            self._late.append((iteration, self._engine.fetch([self._factor, self._tally])))

    def settle(self, exchange: Exchange, keep: int) -> list[Skipped]:
        """What came of all updates but the newest `keep`, as far as it has not been told. Collective where one was skipped.

        Raises SolverError where the scale cannot be lowered any more.
        """
        found = []
        while len(self._late) > keep:
            iteration, fetched = self._late.popleft()
            scale, (_, skipped, used, own) = fetched.get()
            if skipped:
                self.skips += 1
                guilty = np.zeros(exchange.size)
                guilty[exchange.rank] = own
                ranks = np.flatnonzero(exchange.totals(guilty)).tolist()
                found.append(Skipped(iteration, float(used), float(scale), ranks))
                if used <= self._attrs.lowest:
                    raise SolverError(f"gradients are not finite at iteration {iteration}, whatever the loss scale: the last "
                                      f"{self.skips} skipped updates brought it down to {used:g}", fix=HOPELESS)
        return found


HOPELESS = "look at the data and labels, lower base_lr, or train in bf16 or fp32"
