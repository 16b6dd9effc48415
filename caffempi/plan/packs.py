"""Packs: private copies of params, in the layouts that kernels want, renewed when the params have changed."""
from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence

Version = Callable[[], int | None]                              # of a param; None: it may have changed
Capture = Callable[[Sequence[Callable[[], None]]], Callable[[], None] | None]


class Pack:
    """One copy. packed: key of a copy -> version that it holds; copy: the engine's call."""

    def __init__(self, version: Version, packed: MutableMapping[object, int | None], key: object,
                 copy: Callable[[], None]) -> None:
        self.key, self.copy, self._version, self._packed = key, copy, version, packed

    def due(self) -> bool:
        """Whether the param has changed since, or may have."""
        now = self._version()
        return now is None or now != self._packed.get(self.key)

    def done(self) -> None:
        """It has been renewed."""
        self._packed[self.key] = self._version()

    def __call__(self) -> None:
        """Renews it if that is due."""
        if self.due():
            self.copy()
            self.done()


class Packs:
    """The packs of one program, for an engine that replays: where the same ones are due as in the last run in which any
    were, as after each update, they are recorded and then replayed as one call. capture: the engine's."""

    def __init__(self, packs: Sequence[Pack], capture: Capture) -> None:
        self._packs, self._capture = packs, capture
        self._last: list[object] = []
        self._replay: Callable[[], None] | None = None

    def renew(self) -> None:
        """All that are due."""
        due = {pack.key: pack for pack in self._packs if pack.due()}   # several kernels may want the same copy
        if not due:
            return
        if list(due) != self._last:
            self._last, self._replay = list(due), None
        elif self._replay is None:
            self._replay = self._capture([pack.copy for pack in due.values()])
        if self._replay is not None:
            self._replay()
        else:
            for pack in due.values():
                pack.copy()
        for pack in due.values():
            pack.done()
