#!/usr/bin/env python3
"""Times training on a GPU: caffempi against PyTorch's best mode, in images a second by the device's own events.

    python tools/bench_gpu.py                                    all nets, batch 32 to 256, all precisions
    python tools/bench_gpu.py resnet50 --batch 64 --precision bf16 --steps --json out.json

One side runs at a time, each in a process of its own. Needs a GPU and PyTorch with CUDA; --alone needs no PyTorch. What the GPU
can do is measured in the same run: a large copy, and a large product in each precision.
"""
from __future__ import annotations

import argparse
import datetime
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark import nets, report, steps
from benchmark.gpu_rival import MODES
from benchmark.launch import BenchError, Child, usable

from caffempi.engines.base import PRECISIONS
from caffempi.errors import CaffempiError, UsageError

NETS = ("alexnet", "googlenet", "resnet50", "vgg16")
BATCHES = (32, 64, 128, 256)
_WARM, _PROFILES, _SLOWEST = 5, 5, 12


@dataclass
class Score:
    """A net at one batch and precision. sides: caffempi or mode -> {"ms", "memory"}; failed: mode -> why. steps: of caffempi's
    iteration, where they were asked for."""

    net: str
    batch: int
    precision: str
    sides: dict[str, dict[str, float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    steps: list[dict[str, Any]] = field(default_factory=list)

    @property
    def rival(self) -> str | None:
        """PyTorch's fastest mode."""
        modes = [m for m in self.sides if m != "caffempi"]
        return min(modes, key=lambda m: self.sides[m]["ms"]) if modes else None


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("nets", nargs="*", default=NETS, metavar="NET", help=f"default: {' '.join(NETS)}")
    p.add_argument("--batch", type=int, nargs="+", default=BATCHES, help="images an iteration (default: 32 64 128 256)")
    p.add_argument("--precision", nargs="+", choices=PRECISIONS, default=PRECISIONS)
    p.add_argument("--count", type=int, default=30, help="iterations that are timed (default 30)")
    p.add_argument("--alone", action="store_true", help="caffempi without PyTorch")
    p.add_argument("--steps", action="store_true", help="what our iterations are made of, by kind of op")
    p.add_argument("--within", type=float, metavar="MINUTES", help="start no further measurement after that time")
    p.add_argument("--json", type=Path, metavar="FILE", help="write all that was measured")
    return p


def measure(task: nets.Task, precision: str, count: int, modes: Sequence[str], profiled: bool = False,
            open_child: Callable[..., Child] = Child) -> Score:
    """Each side by itself; profiled: with the steps of ours. Failures are told in `failed`."""
    found = Score(task.name, task.batch, precision)
    settings = {"path": task.path, "train": True, "threads": len(usable()), "precision": precision}
    for side in ("caffempi", *modes):
        module = "gpu_ours" if side == "caffempi" else "gpu_rival"
        try:
            with open_child(module, {**settings, "mode": side}, usable()) as child:
                child.profile(count=_WARM)
                found.sides[side] = child.profile(count=count)
                if profiled and side == "caffempi":
                    found.steps = child.profile(steps=_PROFILES)["steps"]
        except BenchError as e:
            found.failed[side] = str(e)
    return found


def table(scores: Sequence[Score]) -> list[str]:
    """A line a score, images a second; the ratio is PyTorch's time over ours: above 1 ours is faster."""
    rows = [["net", "batch", "precision", "caffempi img/s", "GB", "PyTorch img/s", "GB", "its best mode", "ratio"]]
    for s in scores:
        ours, mode = s.sides.get("caffempi"), s.rival
        theirs = s.sides[mode] if mode else None
        rows.append([s.net, str(s.batch), s.precision, *_cells(s.batch, ours), *_cells(s.batch, theirs), mode or "",
                     f"{theirs['ms'] / ours['ms']:.2f}" if ours and theirs else ""])
    failed = [f"- {s.net}, batch {s.batch}, {s.precision}, {side}: {why}" for s in scores for side, why in s.failed.items()]
    return [*report.markdown(rows), *(["", "Not run:", *failed] if failed else [])]


def breakdown(s: Score, ceilings: dict[str, float]) -> list[str]:
    """Kinds of steps and the slowest steps, held against the ceilings of the score's precision.

    Each step lies between two events, so that short ones show what it takes to start them too; bytes are those of float32.
    """
    b = steps.Breakdown(s.net, s.batch, 1, s.sides["caffempi"]["ms"], s.steps,
                        {"sgemm": ceilings[s.precision], "copy": ceilings["copy"]})
    return [f"{s.net}, batch {s.batch}, {s.precision}:", "", *report.markdown(steps.table(b)), "",
            *report.markdown(steps.slowest_table(b, _SLOWEST))]


def limits(open_child: Callable[..., Child] = Child) -> dict[str, float]:
    """The GPU's ceilings, see `gpu_ceilings`."""
    with tempfile.TemporaryDirectory() as folder:
        task = nets.write("lenet", Path(folder))
        settings = {"path": task.path, "train": True, "threads": len(usable()), "precision": "fp32", "mode": "caffempi"}
        with open_child("gpu_ours", settings, usable()) as child:
            return child.profile(ceilings=True)


def _cells(batch: int, side: dict[str, float] | None) -> list[str]:
    return [f"{1e3 * batch / side['ms']:.0f}", f"{side['memory'] / 1e9:.1f}"] if side else ["", ""]


def main(arguments: Sequence[str] | None = None, open_child: Callable[..., Child] = Child) -> int:
    """Command line."""
    args = parser().parse_args(arguments)
    os.environ["CAFFEMPI_ENGINE"] = "cuda"
    end = time.monotonic() + 60 * args.within if args.within is not None else float("inf")
    results: dict[str, Sequence[Any]] = {}
    scores: list[Score] = []
    left = 0
    try:
        if min(*args.batch, args.count) < 1:
            raise UsageError("--batch and --count must be at least 1")
        report.check_writable(args.json)
        from caffempi.engines.cuda.driver import ask, version
        gpu = ask()
        around = {**report.surroundings(datetime.date.today()), "gpu": gpu.gpus[0].words, "driver": version()}
        print("\n".join(f"{name}: {value}" for name, value in around.items()), flush=True)
        ceilings = limits(open_child)
        print("ceilings: " + ", ".join(f"{k} {v / 1e12:.2f} T{'B' if k == 'copy' else 'F'}/s" for k, v in ceilings.items()))
        results.update(ceilings=[ceilings], scores=scores)
        with tempfile.TemporaryDirectory() as folder:
            for name, batch, precision in ((n, b, p) for n in args.nets for b in args.batch for p in args.precision):
                if time.monotonic() > end:
                    left += 1
                    continue
                task = nets.write(name, Path(folder), batch=batch)
                scores.append(measure(task, precision, args.count, () if args.alone else MODES, args.steps, open_child))
                print(f"{name}, batch {batch}, {precision}: done", file=sys.stderr, flush=True)
                if args.json:
                    report.write_json(args.json, around, results)
        print("\n".join(["", *table(scores), *(line for s in scores if s.steps for line in ("", *breakdown(s, ceilings)))]))
        if left:
            print(f"\n{left} measurements were left out: --within {args.within:g} minutes were over")
    except (CaffempiError, OSError) as e:
        print(f"bench_gpu: {e}", file=sys.stderr)
        return 1
    return int(any("caffempi" in s.failed for s in scores))


if __name__ == "__main__":
    sys.exit(main())
