"""Segments: a program cut where the host has a part, for devices that replay what they have recorded.

The steps between two such places are run one by one the first time (kernels are loaded then), recorded by the engine the
second time, and from then on replayed as one call. Packs, of which the host decides whether they are due, come before all
others: nothing in a program changes a param. They are replayed as one call too, see `packs.py`.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from caffempi.plan.packs import Capture, Pack, Packs
from caffempi.plan.step import Step

Run = Callable[[Sequence[int]], None]                           # runs the steps of those places


class _Piece:
    """Steps that follow each other. reason: why the host runs them one by one, None where they can be recorded."""

    def __init__(self, reason: str | None) -> None:
        self.reason, self.places = reason, list[int]()
        self.warm = False
        self.replay: Callable[[], None] | None = None


class Segments:
    """The pieces of a program's steps. run: runs steps by their places; capture: the engine's."""

    def __init__(self, steps: Sequence[Step], run: Run, capture: Capture) -> None:
        self._steps, self._run, self._capture = steps, run, capture
        self._packs = Packs([s.call for s in steps if isinstance(s.call, Pack)], capture)
        self._asked = [s for s in steps if s.host is not None]
        self._reasons: list[str | None] | None = None
        self.pieces: list[_Piece] = []

    def run(self) -> None:
        """All steps."""
        self.cut()
        self._packs.renew()
        for piece in self.pieces:
            if piece.replay is None and piece.reason is None and piece.warm:
                piece.replay = self._capture([self._steps[at].call for at in piece.places])
                if piece.replay is None:
                    piece.reason = "the engine records nothing"
            if piece.replay is not None:
                piece.replay()
            else:
                self._run(piece.places)
                piece.warm = True

    def cut(self) -> None:
        """Finds the pieces, anew where the host's part has changed."""
        reasons = [s.host() for s in self._asked if s.host is not None]
        if reasons == self._reasons:
            return
        self._reasons = reasons
        self.pieces = []
        for at, step in enumerate(self._steps):
            if isinstance(step.call, Pack):
                continue
            reason = step.host() if step.host is not None else None
            if not self.pieces or self.pieces[-1].reason != reason:
                self.pieces.append(_Piece(reason))
            self.pieces[-1].places.append(at)

    def line(self) -> str:
        """How the program runs, in words."""
        self.cut()
        recorded = sum(piece.reason is None for piece in self.pieces)
        why = dict.fromkeys(piece.reason for piece in self.pieces if piece.reason is not None)
        return f"{recorded} recorded segments" + (f"; between them: {', '.join(map(str, why))}" if why else "")
