"""What devices do among themselves, looked at from time to time by the exchange thread, which no wait of theirs holds up."""
from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from caffempi.exchange.stall import Limits, Patience


@dataclass
class Watched:
    """Something under way. what: its name in messages; ready: whether this rank's device has come to it; done: whether it is
    over; check: raises EngineError where it has failed. number: how many were given to the device before it."""

    what: str
    ready: Callable[[], bool]
    done: Callable[[], bool]
    check: Callable[[], None]
    number: int = 0
    patience: Patience | None = None                           # from when it was ready


class Watch:
    """Those that are not over, oldest first: they end in the order in which they were begun."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._under_way: deque[Watched] = deque()
        self.count = 0                                         # all that were ever added

    def add(self, item: Watched) -> None:
        """From the thread that gives work to the device."""
        item.number, self.count = self.count, self.count + 1
        self._under_way.append(item)

    def first(self, now: float) -> Watched | None:
        """The oldest that is ready and not over, with its patience; None where there is none. Raises what its check does."""
        while self._under_way:
            item = self._under_way[0]
            if item.patience is None and not item.ready():
                return None
            if not item.done():
                item.check()
                item.patience = item.patience or Patience(self._limits, now)
                return item
            self._under_way.popleft()
        return None
