"""One net, both sides, in turns: caffempi and the quickest modes of PyTorch live side by side and run in alternating rounds.

Every mode of PyTorch is first tried by itself; the two quickest stay. A round asks each side for iterations of about the
same time, and each round begins with another side. What is compared are medians over all rounds; the spread is told by
quartiles, that of the ratio by the quartiles of the ratios of single rounds.
"""
from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.launch import BenchError, Child
from benchmark.nets import Task

OURS = "caffempi"
_STAY = 2


@dataclass(frozen=True)
class Rules:
    """How long and by which clock. cores: of the processes. seconds: that a side gets in a round. clock: wall or cpu.

    modes: of PyTorch, those that are tried; without any, caffempi runs alone. precision: of both sides.
    """

    cores: Sequence[int]
    rounds: int = 5
    seconds: float = 2.0
    clock: str = "wall"
    modes: Sequence[str] = ()
    precision: str = "fp32"

    @property
    def threads(self) -> int:
        """One a core."""
        return len(self.cores)


@dataclass
class Contest:
    """What was measured. rounds: side -> milliseconds of its iterations, round by round. tried: mode -> milliseconds, or why
    it did not run. others: further medians in milliseconds, by name."""

    net: str
    batch: int
    threads: int
    train: bool
    precision: str = "fp32"
    clock: str = "wall"
    rounds: dict[str, list[list[float]]] = field(default_factory=dict)
    tried: dict[str, float | str] = field(default_factory=dict)
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    others: dict[str, float] = field(default_factory=dict)

    def median(self, side: str) -> float:
        """Milliseconds an iteration."""
        return statistics.median(ms for one in self.rounds[side] for ms in one)

    def quartiles(self, side: str) -> tuple[float, float]:
        """Of the iterations of all rounds."""
        return quartiles([ms for one in self.rounds[side] for ms in one])

    @property
    def rival(self) -> str | None:
        """PyTorch's best mode by medians."""
        modes = [side for side in self.rounds if side != OURS]
        return min(modes, key=self.median) if modes else None

    @property
    def ratio(self) -> float | None:
        """Ours over PyTorch's best: below 1 is faster."""
        return self.median(OURS) / self.median(self.rival) if self.rival else None

    @property
    def ratio_quartiles(self) -> tuple[float, float] | None:
        """Of the ratios of single rounds."""
        if not self.rival:
            return None
        pairs = zip(self.rounds[OURS], self.rounds[self.rival], strict=True)
        return quartiles([statistics.median(a) / statistics.median(b) for a, b in pairs])


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """The first and the third; of a single value, that value."""
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def hold(task: Task, rules: Rules, open_child: Callable[..., Child] = Child) -> Contest:
    """Runs the contest. Raises BenchError where our side fails; modes of PyTorch that fail are told in `tried`."""
    settings = {"path": task.path, "train": task.train, "threads": rules.threads, "precision": rules.precision}
    found = Contest(task.name, task.batch, rules.threads, task.train, rules.precision, rules.clock)
    sides: dict[str, Child] = {}
    try:
        for mode in rules.modes:
            try:
                child = open_child("rival", {**settings, "mode": mode}, rules.cores)
                sides[mode] = child
                found.tried[mode] = statistics.median(child.iterate(rules.seconds, rules.clock, least=2))
            except BenchError as e:
                found.tried[mode] = str(e)
                sides.pop(mode, None)
            for slow in sorted(sides, key=lambda m: float(found.tried[m]))[_STAY:]:
                sides.pop(slow).close()
        sides[OURS] = open_child("ours", settings, rules.cores)
        names = [OURS, *(m for m in sides if m != OURS)]
        found.rounds = {name: [] for name in names}
        found.facts = {name: {**sides[name].facts, "setup_s": sides[name].setup} for name in names}
        for k in range(rules.rounds):
            turn = k % len(names)
            for name in names[turn:] + names[:turn]:
                found.rounds[name].append(sides[name].iterate(rules.seconds, rules.clock))
    finally:
        for child in sides.values():
            child.close()
    return found
