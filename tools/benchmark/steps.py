"""What an iteration of ours is made of: kinds of ops with their rates, reorders and packs, the slowest steps, the roofline.

The roofline is the sum over all steps of max(operations / sgemm rate, bytes / copy rate), both rates measured in the same
run and the costs those of the maths (`Op.cost`): the time that the net would take if every kernel ran at a ceiling of the
machine. Kernels that skip work, or work in caches, can be faster.
"""
from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from caffempi.plan.step import MOVES


@dataclass
class Kind:
    """Steps of one kind together: how many, milliseconds, operations, bytes; least: milliseconds at the ceilings."""

    name: str
    count: int = 0
    ms: float = 0.0
    flops: int = 0
    bytes: int = 0
    least: float = 0.0


@dataclass
class Breakdown:
    """A net's iteration: median milliseconds, its steps as `Ours.profile` gives them, and the ceilings, in 1/s."""

    net: str
    batch: int
    threads: int
    iteration: float
    steps: list[dict[str, Any]]
    ceilings: dict[str, float]

    @classmethod
    def of(cls, net: str, batch: int, threads: int, answer: dict[str, Any]) -> Breakdown:
        """From the answer to a request for a profile."""
        return cls(net, batch, threads, statistics.median(answer["iteration"]), answer["steps"], answer["ceilings"])

    def least(self, step: dict[str, Any]) -> float:
        """Milliseconds of a step at the ceilings."""
        return 1e3 * max(step["flops"] / self.ceilings["sgemm"], step["bytes"] / self.ceilings["copy"])

    @property
    def roofline(self) -> float:
        """Milliseconds of the whole iteration at the ceilings."""
        return sum(self.least(s) for s in self.steps)

    @property
    def share(self) -> float:
        """The roofline over the iteration: 1 would be every step at a ceiling."""
        return self.roofline / self.iteration

    @property
    def between(self) -> float:
        """Milliseconds of the iteration that are in no step: Python between them, the loop. Noise can make it negative."""
        return self.iteration - sum(s["ms"] for s in self.steps)

    def kinds(self) -> list[Kind]:
        """By time, slowest first. Fused chains go by their ops, steps that move arrays by what they do."""
        found: dict[str, Kind] = {}
        for s in self.steps:
            name = s["phase"] if s["phase"] in MOVES or not s["op"] else s["op"]
            kind = found.setdefault(name, Kind(name))
            kind.count += 1
            kind.ms += s["ms"]
            kind.flops += s["flops"]
            kind.bytes += s["bytes"]
            kind.least += self.least(s)
        return sorted(found.values(), key=lambda k: -k.ms)

    def slowest(self, count: int) -> list[dict[str, Any]]:
        """The steps that take longest."""
        return sorted(self.steps, key=lambda s: -s["ms"])[:count]

    def moved(self) -> float:
        """Milliseconds of steps that move arrays."""
        return sum(s["ms"] for s in self.steps if s["phase"] in MOVES)


def table(b: Breakdown) -> list[Sequence[str]]:
    """Rows of kinds, with a head. GF/s and GB/s where there is work of that sort."""
    rows: list[Sequence[str]] = [("op", "steps", "ms", "share", "GF/s", "GB/s", "of ceiling")]
    for k in b.kinds():
        rows.append((k.name, str(k.count), f"{k.ms:.2f}", f"{k.ms / b.iteration:.1%}", _rate(k.flops, k.ms),
                     _rate(k.bytes, k.ms), f"{k.least / k.ms:.0%}" if k.least and k.ms else ""))
    rows.append(("between the steps", "", f"{b.between:.2f}", f"{b.between / b.iteration:.1%}", "", "", ""))
    rows.append(("whole iteration", str(len(b.steps)), f"{b.iteration:.2f}", "100.0%", _rate(sum(s["flops"] for s in b.steps),
                 b.iteration), _rate(sum(s["bytes"] for s in b.steps), b.iteration), f"{b.share:.0%}"))
    return rows


def slowest_table(b: Breakdown, count: int) -> list[Sequence[str]]:
    """Rows of the slowest steps, with a head."""
    rows: list[Sequence[str]] = [("step", "layer", "ms", "GF/s", "GB/s", "of ceiling", "code")]
    for s in b.slowest(count):
        what = s["op"] if s["phase"] in ("F", "B", "update") else f"{s['phase']} for {s['op']}"
        least = b.least(s)
        rows.append((what, s["layer"], f"{s['ms']:.2f}", _rate(s["flops"], s["ms"]), _rate(s["bytes"], s["ms"]),
                     f"{least / s['ms']:.0%}" if least and s["ms"] else "", s["impl"]))
    return rows


def _rate(amount: int, ms: float) -> str:
    return f"{amount / ms / 1e6:.1f}" if amount and ms else ""
