"""How much memory each side takes for training: the peak of its process, less what its imports alone took.

Pages of files, which are the code of libraries, count on neither side: how many of them are there is chance.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmark.contest import OURS, Rules
from benchmark.launch import BenchError, Child
from benchmark.nets import Task

_ITERATIONS = 3


@dataclass
class Peaks:
    """Bytes by side; of PyTorch, every mode that ran. failed: mode -> why not."""

    net: str
    batch: int
    threads: int
    train: bool
    bytes: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def rival(self) -> str | None:
        """The mode of PyTorch that takes least."""
        modes = [m for m in self.bytes if m != OURS]
        return min(modes, key=lambda m: self.bytes[m]) if modes else None


def measure(task: Task, rules: Rules, open_child: Callable[..., Child] = Child) -> Peaks:
    """Runs each side by itself for a few iterations. Raises BenchError where ours fails."""
    found = Peaks(task.name, task.batch, rules.threads, task.train)
    settings = {"path": task.path, "train": task.train, "threads": rules.threads, "precision": rules.precision}
    for side in (OURS, *rules.modes):
        try:
            child = open_child("ours" if side == OURS else "rival", {**settings, "mode": side}, rules.cores)
            try:
                child.iterate(0.0, least=_ITERATIONS)
                found.bytes[side] = child.memory()
            finally:
                child.close()
        except BenchError as e:
            if side == OURS:
                raise
            found.failed[side] = str(e)
    return found


def table(found: Sequence[Peaks]) -> list[Sequence[str]]:
    """Rows with a head, MB = 1,000,000 bytes."""
    rows: list[Sequence[str]] = [("net", "batch", "threads", "caffempi MB", "PyTorch MB", "its smallest mode", "ratio")]
    for p in found:
        ours, mode = p.bytes[OURS], p.rival
        rest = (f"{p.bytes[mode] / 1e6:.0f}", mode, f"{ours / p.bytes[mode]:.2f}") if mode else ("", "", "")
        rows.append((p.net, str(p.batch), str(p.threads), f"{ours / 1e6:.0f}", *rest))
    return rows
