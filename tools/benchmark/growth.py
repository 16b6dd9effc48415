"""How time grows with the batch and with the depth of a net, for both sides."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmark import nets
from benchmark.contest import OURS, Contest, Rules, hold
from benchmark.nets import Task


def batches(most: int) -> list[int]:
    """1, 2, 4, ... up to that number, which is always among them."""
    found = [1]
    while found[-1] * 2 < most:
        found.append(found[-1] * 2)
    return sorted({*found, most})


def depths(layers: int) -> list[int]:
    """A quarter, half, three quarters and all of the layers that learn."""
    return sorted({max(1, layers * k // 4) for k in (1, 2, 3, 4)})


def grow(name: str, folder: Path, rules: Rules,
         held: Callable[[Task, Rules], Contest] = hold) -> tuple[list[Contest], list[Contest]]:
    """(contests by batch at full depth, contests by depth at the net's batch)."""
    whole = nets.write(name, folder)
    by_batch = [held(nets.write(name, folder, batch=b), rules) for b in batches(whole.batch)]
    layers = nets.learning(nets.without_data(nets.source(name, True), True, nets.IMAGE.get(name), None))
    by_depth = []
    for depth in depths(layers):
        contest = held(nets.write(name, folder, depth=depth), rules)
        contest.net += f", {depth} of {layers} layers"
        by_depth.append(contest)
    return by_batch, by_depth


def table(found: Sequence[Contest]) -> list[Sequence[str]]:
    """Rows with a head: milliseconds an iteration and a record, and seconds from the settings to the first iteration's end."""
    rows: list[Sequence[str]] = [("net", "batch", "caffempi ms", "a record", "set up s", "PyTorch ms", "a record", "ratio")]
    for c in found:
        ours = c.median(OURS)
        row = [c.net, str(c.batch), f"{ours:.2f}", f"{ours / c.batch:.3f}", f"{c.facts[OURS]['setup_s']:.2f}"]
        if c.rival and c.ratio:
            theirs = c.median(c.rival)
            row += [f"{theirs:.2f}", f"{theirs / c.batch:.3f}", f"{c.ratio:.2f}"]
        rows.append([*row, *[""] * (8 - len(row))])
    return rows
