"""The losses of recent iterations, read as late as may be: a device is not waited for until the next pass is under way."""
from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable


class Losses:
    """The mean losses of the last `size` iterations of `passes` passes each.

    bad: iteration and loss of the first pass whose loss was not finite, as far as they have been read.
    """

    def __init__(self, size: int, passes: int) -> None:
        self._values: deque[float] = deque(maxlen=size)
        self._passes, self._done, self._sum = passes, 0, 0.0
        self._pending: deque[tuple[int, Callable[[], float]]] = deque()
        self.bad: tuple[int, float] | None = None

    def add(self, iteration: int, read: Callable[[], float]) -> None:
        """A pass of that iteration is under way; `read` waits for its loss."""
        self._pending.append((iteration, read))

    def settle(self, keep: int = 0) -> None:
        """Reads the losses of all passes but the newest `keep`."""
        while len(self._pending) > keep:
            iteration, read = self._pending.popleft()
            loss = read()
            if self.bad is None and not math.isfinite(loss):
                self.bad = iteration, loss
            self._sum += loss
            self._done += 1
            if self._done == self._passes:
                self._values.append(self._sum / self._passes)
                self._done, self._sum = 0, 0.0

    def read(self) -> deque[float]:
        """The window, oldest first, with all that is under way."""
        self.settle()
        return self._values

    def mean(self) -> float:
        """Mean of the window as far as it has been read; 0 while it is empty."""
        return sum(self._values) / len(self._values) if self._values else 0.0
