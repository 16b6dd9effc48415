#!/usr/bin/env python3
"""Plots a training log, caffempi's or Caffe's: losses and test scores over iterations, as a PNG.

    python tools/plot_log.py train.log curve.png

Needs matplotlib (the extra `plot`). Any program's lines may stand between; what is not Caffe's wording is passed over.
"""
from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_NUMBER = r"([-+]?(?:[0-9.]+(?:e[-+]?\d+)?|inf|nan))"
_LOSS = re.compile(rf"Iteration (\d+)(?: \([^)]*\))?, loss = {_NUMBER}", re.I)
_RATE = re.compile(rf"Iteration (\d+), lr = {_NUMBER}", re.I)
_TESTING = re.compile(r"Iteration (\d+), Testing net \(#(\d+)\)")
_OUTPUT = re.compile(rf"\bTest net output #\d+: (.+?) = {_NUMBER}(?: |$)", re.I)

Points = dict[int, float]


@dataclass
class Log:
    """Values by iteration. loss: of training; rate: learning rate; test: output name -> scores (`name (net 1)` from the
    second test net on). A line that comes twice, as after a resume, counts in its last form; of an output with several
    values, the mean.
    """

    loss: Points = field(default_factory=dict)
    rate: Points = field(default_factory=dict)
    test: dict[str, Points] = field(default_factory=dict)


def parse(lines: Iterable[str]) -> Log:
    """Reads a log's lines."""
    log = Log()
    tests: dict[tuple[int, int], dict[str, list[float]]] = {}  # (test net, iteration) -> output -> values
    current: dict[str, list[float]] | None = None
    for line in lines:
        if found := _TESTING.search(line):
            current = tests[int(found[2]), int(found[1])] = defaultdict(list)
        elif found := _LOSS.search(line):
            log.loss[int(found[1])] = float(found[2])
        elif found := _RATE.search(line):
            log.rate[int(found[1])] = float(found[2])
        elif (found := _OUTPUT.search(line)) and current is not None:
            current[found[1]].append(float(found[2]))
    for (net, iteration), outputs in sorted(tests.items()):
        for name, values in outputs.items():
            label = f"{name} (net {net})" if net else name
            log.test.setdefault(label, {})[iteration] = sum(values) / len(values)
    return log


def plot(log: Log, out: Path) -> None:
    """Draws losses on the left axis and all other test outputs (accuracies) on the right, and writes the PNG."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, left = pyplot.subplots(figsize=(8, 5))
    left.set(xlabel="iteration", ylabel="loss")
    left.plot(*_curve(log.loss), color="C0", label="training loss")
    right = left.twinx()
    right.set_ylabel("score")
    for k, (name, points) in enumerate(log.test.items(), 1):
        axis = left if "loss" in name else right
        axis.plot(*_curve(points), color=f"C{k % 10}", marker="o", label=f"test {name}")
    left.set_ylim(bottom=0)
    left.grid(alpha=0.3)
    left.legend(handles=[*left.get_lines(), *right.get_lines()], loc="center right")
    figure.tight_layout()
    figure.savefig(out, dpi=100)
    pyplot.close(figure)


def _curve(points: Points) -> tuple[list[int], list[float]]:
    """Iterations in ascending order, and their values."""
    order = sorted(points)
    return order, [points[i] for i in order]


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="plot the losses and test scores of a training log")
    parser.add_argument("log", type=Path, help="what `caffempi train` (or `caffe train`) printed")
    parser.add_argument("out", type=Path, help="the PNG to write")
    options = parser.parse_args(arguments)
    try:
        log = parse(options.log.read_text(encoding="utf-8", errors="replace").splitlines())
        if not log.loss and not log.test:
            print(f"plot_log: {options.log} has no line of Caffe's about a loss or a test", file=sys.stderr)
            return 1
        plot(log, options.out)
    except ImportError:
        print("plot_log: matplotlib is not installed; pip install 'caffempi[plot]'", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"plot_log: {error}", file=sys.stderr)
        return 1
    print(f"{options.out}: {len(log.loss)} losses, {sum(map(len, log.test.values()))} test scores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
