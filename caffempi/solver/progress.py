"""A progress bar on a terminal: iterations, images a second, loss, learning rate, time left.

rich is imported only where a bar is really shown.
"""
from __future__ import annotations

import sys
import time
from typing import IO, Any, Protocol


class Progress(Protocol):
    """What the solver tells while it trains."""

    def update(self, iteration: int, records: int, loss: float, rate: float) -> None:
        """iteration: updates done; records: taken by all ranks since the start; the shown loss and the rate."""

    def close(self) -> None:
        """Takes the bar away; idempotent."""


class NoProgress:
    """Shows nothing."""

    def update(self, iteration: int, records: int, loss: float, rate: float) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class Bar:
    """A rich progress bar in place at the bottom of the terminal; log lines scroll above it."""

    def __init__(self, first: int, last: int, console: Any = None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[words]}"),
                                 TextColumn("left"), TimeRemainingColumn(), console=console or Console(stderr=True),
                                 transient=True, refresh_per_second=4)
        self._task = self._bar.add_task("", total=last, completed=first, words="")
        self._start, self._at = time.monotonic(), 0.0
        self._bar.start()

    def update(self, iteration: int, records: int, loss: float, rate: float) -> None:
        """Moves the bar; words change at most four times a second, since wording them costs more than moving."""
        now = time.monotonic()
        if now - self._at < 0.25:
            return
        self._at = now
        speed = records / max(now - self._start, 1e-9)
        self._bar.update(self._task, completed=iteration,
                         words=f"{speed:.0f} images/s  loss {loss:.4g}  lr {rate:.3g}")

    def close(self) -> None:
        """Stops drawing."""
        self._bar.stop()


def open_progress(wanted: bool, first: int, last: int, stream: IO[str] | None = None) -> Progress:
    """A bar if it is wanted and the stream (default: stderr) is a terminal, else nothing."""
    stream = stream or sys.stderr
    return Bar(first, last) if wanted and stream.isatty() else NoProgress()
