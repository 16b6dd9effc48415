"""Log lines, worded as Caffe's after its prefix: other people's scripts parse them (parse_log.py, plotters, DIGITS).

They go to the standard logger "caffempi"; whoever runs the program decides on prefix and place. Only rank 0 logs.
"""
from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

import numpy as np

LOGGER = logging.getLogger("caffempi")
Output = tuple[str, np.ndarray, float]                         # blob, its values, loss weight (0: no loss)


def number(value: float) -> str:
    """A number as C++ streams print it: six significant digits."""
    return f"{float(value):.6g}"


class Report:
    """One method a line (or block of lines). active: whether this rank logs."""

    def __init__(self, active: bool, logger: logging.Logger = LOGGER) -> None:
        self.active, self._logger = active, logger

    def line(self, text: str) -> None:
        """Any line."""
        self._log(text)

    def warn(self, text: str) -> None:
        """Something that the user should look at."""
        self._log(text, logging.WARNING)

    def _log(self, text: str, level: int = logging.INFO) -> None:
        """Logs in the name of the code that called one of the methods here."""
        if self.active:
            self._logger.log(level, "%s", text, stacklevel=3)

    def solving(self, net: str, policy: str) -> None:
        """Two lines at the start of solve; scripts take the start time from the first."""
        self._log(f"Solving {net}")
        self._log(f"Learning Rate Policy: {policy}")

    def batch(self, per_rank: int, ranks: int, iter_size: int) -> None:
        """The effective batch of one update."""
        parts = [f"{per_rank} a rank"] + [f"{n} {what}" for n, what in ((ranks, "ranks"), (iter_size, "passes (iter_size)"))
                                          if n > 1]
        self._log(f"Batch: {per_rank * ranks * iter_size} records an update" +
                  (f" = {' x '.join(parts)}" if len(parts) > 1 else ""))

    def iteration(self, at: int, done: int, seconds: float, display: int, loss: float) -> None:
        """The line of a display. done: iterations since the last one, in so many seconds."""
        rate = done / seconds if seconds > 0 else 0.0
        self._log(f"Iteration {at} ({number(rate)} iter/s, {number(seconds)}s/{display} iters), loss = {number(loss)}")

    def last_loss(self, at: int, loss: float) -> None:
        """The line after the last update."""
        self._log(f"Iteration {at}, loss = {number(loss)}")

    def outputs(self, phase: str, outputs: Iterable[Output]) -> None:
        """One line a value. phase: "Train" or "Test"."""
        index = 0
        for name, values, weight in outputs:
            for value in values.reshape(-1):
                loss = f" (* {number(weight)} = {number(weight * float(value))} loss)" if weight else ""
                self._log(f"    {phase} net output #{index}: {name} = {number(value)}{loss}")
                index += 1

    def rate(self, at: int, rate: float) -> None:
        """The learning rate of the update at iteration `at`."""
        self._log(f"Iteration {at}, lr = {number(rate)}")

    def step(self, at: int, policy: str, step: int) -> None:
        """A policy went down a step. policy: "MultiStep" or "Plateau"."""
        self._log(f"{policy} Status: Iteration {at}, step = {step}")

    def minimum(self, at: int, loss: float) -> None:
        """The lowest loss that the policy plateau has seen."""
        self._log(f"Plateau Status: Iteration {at}, current minimum_loss = {number(loss)}")

    def clipped(self, norm: float, threshold: float, scale: float) -> None:
        """Gradients were scaled down."""
        self._log(f"Gradient clipping: scaling down gradients (L2 norm {number(norm)} > {number(threshold)}) "
                  f"by scale factor {number(scale)}")

    def skipped(self, at: int, used: float, scale: float, ranks: Sequence[int]) -> None:
        """The update at iteration `at` did not take place, since with that loss scale gradients (of those ranks) were not
        finite; the next scale."""
        of = f" of rank{'s' if len(ranks) > 1 else ''} {', '.join(map(str, ranks))}" if ranks else ""
        self._log(f"Iteration {at}: gradients{of} are not finite, the update is skipped; loss scale {number(used)} -> "
                  f"{number(scale)}")

    def testing(self, at: int, net: int) -> None:
        """A test starts."""
        self._log(f"Iteration {at}, Testing net (#{net})")

    def test_loss(self, loss: float) -> None:
        """The weighted loss of a test net."""
        self._log(f"Test loss: {number(loss)}")

    def snapshot(self, model: str, state: str | None, hdf5: bool) -> None:
        """A file is about to be written: the model, or (with `state`) the solver's state."""
        what = "HDF5 file" if hdf5 else "binary proto file"
        self._log(f"Snapshotting solver state to {what} {state}" if state else f"Snapshotting to {what} {model}")

    def end(self, stopped: bool) -> None:
        """The last line of solve."""
        self._log("Optimization stopped early." if stopped else "Optimization Done.")
