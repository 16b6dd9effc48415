"""Results as tables of Markdown, which a terminal shows well too, as JSON and as a picture."""
from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmark import steps
from benchmark.contest import OURS, Contest
from benchmark.launch import usable
from benchmark.steps import Breakdown
from caffempi.cli import machine
from caffempi.errors import UsageError

Rows = Sequence[Sequence[str]]
_SLOWEST = 12


def markdown(rows: Rows) -> list[str]:
    """A table whose first row is its head; columns of numbers stand right."""
    cells = [[c.replace("|", "/") for c in row] for row in rows]
    widths = [max(3, *(len(row[c]) for row in cells)) for c in range(len(cells[0]))]
    right = [all(row[c][:1] in "-0123456789" or not row[c] for row in cells[1:]) for c in range(len(widths))]
    lines = ["| " + " | ".join(x.rjust(w) if r else x.ljust(w) for x, w, r in zip(row, widths, right, strict=True)) + " |"
             for row in cells]
    rule = "|" + "|".join("-" * (w + 1) + (":" if r else "-") for w, r in zip(widths, right, strict=True)) + "|"
    return [lines[0], rule, *lines[1:]]


def surroundings(day: datetime.date) -> dict[str, str]:
    """What the figures belong to: day, machine, versions, and how busy the machine was."""
    info = machine.cpu_info()
    versions = {name: machine.version(name) for name in ("torch", "onednn-cpu-gomp", "numpy")}
    load = f"{os.getloadavg()[0]:.1f} before the run" if hasattr(os, "getloadavg") else "unknown"
    return {"date": day.isoformat(), "cpu": f"{info.get('model', 'unknown')}, {info.get('features', 'features unknown')}",
            "cores": f"{len(usable())} usable of {os.cpu_count()}", "load": load, "python": platform.python_version(),
            **versions}


def contests(found: Sequence[Contest]) -> list[str]:
    """The table of ratios, a line a contest, and below it what the modes of PyTorch took when tried."""
    extra = sorted({name for c in found for name in c.others})
    rows = [["net", "batch", "threads", "caffempi ms", "PyTorch ms", "its best mode", "ratio", "quartiles", *extra]]
    for c in found:
        spread = c.ratio_quartiles
        rows.append([c.net, str(c.batch), str(c.threads), _span(c, OURS), _span(c, c.rival) if c.rival else "", c.rival or "",
                     f"{c.ratio:.2f}" if c.ratio else "", f"{spread[0]:.2f} to {spread[1]:.2f}" if spread else "",
                     *(f"{c.others[name]:.2f}" if name in c.others else "" for name in extra)])
    lines = markdown(rows)
    tried = [f"- {c.net}, {c.threads} thread{'s' * (c.threads > 1)}: " + ", ".join(
        f"{mode} {t:.2f}" if isinstance(t, float) else f"{mode}: {t}" for mode, t in c.tried.items()) for c in found if c.tried]
    return [*lines, *(["", "PyTorch's modes when tried, ms:", *tried] if tried else [])]


def _span(c: Contest, side: str) -> str:
    low, high = c.quartiles(side)
    return f"{c.median(side):.2f} ({low:.2f} to {high:.2f})"


def breakdown(b: Breakdown) -> list[str]:
    """Kinds of steps, the slowest steps, and the roofline."""
    return [f"{b.net}, batch {b.batch}, {b.threads} thread{'s' * (b.threads > 1)}: ceilings {b.ceilings['sgemm'] / 1e9:.1f} "
            f"GF/s (sgemm), {b.ceilings['copy'] / 1e9:.1f} GB/s (copy)", "", *markdown(steps.table(b)), "",
            f"Reorders, packs, copies and additions: {b.moved():.2f} ms, {b.moved() / b.iteration:.1%}.",
            f"Roofline: {b.roofline:.2f} of {b.iteration:.2f} ms, {b.share:.2f}.", "",
            *markdown(steps.slowest_table(b, _SLOWEST))]


def check_writable(*paths: Path | None) -> None:
    """Before hours of measuring: raises UsageError where a file cannot be written."""
    for path in paths:
        if path is not None and (path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK)):
            raise UsageError(f"{path} cannot be written", fix="name a file in a folder that exists")


def write_json(path: Path, what: dict[str, str], results: dict[str, Sequence[Any]]) -> None:
    """Everything that was measured: surroundings, and by name lists of dataclasses or dicts."""
    def plain(item: Any) -> Any:
        return item if isinstance(item, dict) else asdict(item)
    path.write_text(json.dumps({"surroundings": what, **{name: [plain(i) for i in items]
                                                         for name, items in results.items() if items}}, indent=1) + "\n")


def plot(path: Path, found: Sequence[Contest], title: str) -> None:
    """A bar a contest: the ratio with the quartiles of its rounds. Raises ImportError without matplotlib."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    shown = [(c, c.ratio, c.ratio_quartiles) for c in found if c.ratio is not None and c.ratio_quartiles is not None]
    figure, axis = pyplot.subplots(figsize=(8, 1.2 + 0.42 * len(shown)))
    labels = [f"{c.net}, batch {c.batch}, {c.threads} thread{'s' * (c.threads > 1)}" for c, _, _ in shown]
    ratios = [ratio for _, ratio, _ in shown]
    errors = [[max(0.0, r - q[0]) for _, r, q in shown], [max(0.0, q[1] - r) for _, r, q in shown]]
    axis.barh(labels, ratios, xerr=errors, color="C0", capsize=3)
    axis.axvline(1, color="black", linewidth=1)
    axis.set_xlabel("time of caffempi over PyTorch's best mode (below 1: faster)")
    axis.set_title(title, fontsize=10)
    axis.invert_yaxis()
    axis.grid(axis="x", alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    pyplot.close(figure)
