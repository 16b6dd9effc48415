"""Programs: prebuilt steps in the order in which they run."""
from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np

from caffempi.errors import CaffempiError
from caffempi.ops.graph import LayerInfo, Node, Spec
from caffempi.plan.segments import Capture, Segments
from caffempi.plan.step import Step

Record = Callable[[Step, float], None]                         # a step that has run, and its seconds
Clock = Callable[[], float]                                    # seconds since some moment


class NewShapes(Exception):
    """A dynamic node's outs have other shapes now than its binding was made for; the run goes on in another binding."""

    def __init__(self, index: int, node: Node, specs: tuple[Spec, ...]) -> None:
        super().__init__(index)
        self.index, self.node, self.specs = index, node, specs


class Program:
    """Steps in order; runs them all, or those of a range of layers. capture: of an engine that replays, see `Segments`."""

    def __init__(self, steps: Sequence[Step], layers: Sequence[LayerInfo], falling: bool = False,
                 capture: Capture | None = None) -> None:
        self.steps, self._layers = list(steps), layers
        self.segments = None if capture is None else Segments(self.steps, self._run, capture)
        self._calls = [s.call for s in self.steps]
        self._keys = [-s.layer if falling else s.layer for s in self.steps]
        self._falling = falling

    def run(self) -> None:
        """All steps."""
        if self.segments is not None:
            self.segments.run()
        else:
            self._run(range(len(self._calls)))

    def run_layers(self, first: int, last: int, after: Node | None = None, record: Record | None = None,
                   clock: Clock = perf_counter) -> None:
        """The steps of layers first..last inclusive, in the program's order (backward: first >= last).

        after: only from that node's own step on, when what precedes it has run under other shapes. record(step, seconds)
        is told how long each step took by the clock.
        """
        if self._falling:
            first, last = -first, -last
        lo = bisect_left(self._keys, first)
        if after is not None:
            lo = next(at for at, s in enumerate(self.steps) if s.node is after and s.phase == "F")
        hi = bisect_right(self._keys, last)
        if record is None and lo == 0 and hi == len(self._calls):
            self.run()
            return
        if record is None:
            self._run(range(lo, hi))
            return
        for at in range(lo, hi):
            start = clock()
            self._run((at,))
            record(self.steps[at], clock() - start)

    def _run(self, places: Sequence[int]) -> None:
        at, calls = -1, self._calls
        try:
            with np.errstate(all="ignore"):                     # what is not finite is found where it matters, and named
                for at in places:
                    calls[at]()
        except CaffempiError as e:
            index = self.steps[at].layer
            if 0 <= index < len(self._layers):
                info = self._layers[index]
                e.at(layer=info.name, type=info.type, where=info.where)
            raise
