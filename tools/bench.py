#!/usr/bin/env python3
"""Times caffempi against PyTorch on the same cores in the same run, and shows what its iterations are made of.

    python tools/bench.py                                  all nets, training, on 1 thread and on all cores
    python tools/bench.py lenet --threads 1 --json out.json --png out.png
    python tools/bench.py --steps resnet50                 time by kind of op, against what the machine can do
    python tools/bench.py --memory --threads 1             peak memory of both
    python tools/bench.py --grow lenet --threads 1         time against batch and depth
    python tools/bench.py --infer                          deploy nets, batch 1 and 16
    python tools/bench.py resnet50 --precision bf16        against our fp32, and PyTorch in bf16
    python tools/bench.py --caffe /usr/bin/caffe           BVLC Caffe's `caffe time` too

A net is a folder of models/ or a prototxt. Needs PyTorch (pip install 'caffempi[bench]'); `--alone` and `--steps` do not.
docs/performance.md says how the figures come about.
"""
from __future__ import annotations

import argparse
import datetime
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmark import caffe_binary, growth, memory, nets, report
from benchmark.contest import OURS, Contest, Rules, hold
from benchmark.launch import BenchError, Child, usable
from benchmark.rival import MODES
from benchmark.steps import Breakdown

from caffempi.errors import CaffempiError, UsageError

_CAFFE_ITERATIONS = 5


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("nets", nargs="*", metavar="NET", help=f"default: {' '.join(nets.BATCH)}")
    what = p.add_mutually_exclusive_group()
    what.add_argument("--steps", action="append", metavar="NET", help="what the net's iterations are made of")
    what.add_argument("--memory", action="store_true", help="peak memory instead of time")
    what.add_argument("--grow", action="append", metavar="NET", help="time against batch and depth")
    what.add_argument("--infer", action="store_true", help="deploy nets forward instead of training")
    p.add_argument("--threads", default="1,all", help="numbers of threads, one a core, or all (default: 1,all)")
    p.add_argument("--batch", type=int, help="records an iteration (default: the net's own; --infer: 1 and 16)")
    p.add_argument("--rounds", type=int, default=5, help="turns that each side gets, profiles of --steps (default 5)")
    p.add_argument("--seconds", type=float, default=2.0, help="length of a turn (default 2)")
    p.add_argument("--clock", choices=("wall", "cpu"), default="wall",
                   help="cpu: the processes' own time, which a busy machine disturbs less; for one thread")
    p.add_argument("--modes", default=",".join(MODES), help=f"of PyTorch, to be tried (default: {','.join(MODES)})")
    p.add_argument("--alone", action="store_true", help="caffempi without PyTorch")
    p.add_argument("--precision", choices=("fp32", "bf16"), default="fp32")
    p.add_argument("--caffe", metavar="BINARY", help="also time this BVLC Caffe: forward and backward, no update")
    p.add_argument("--json", type=Path, metavar="FILE", help="write all that was measured")
    p.add_argument("--png", type=Path, metavar="FILE", help="write the ratios as a picture (needs matplotlib)")
    return p


def rules_of(args: argparse.Namespace, cores: Sequence[int]) -> list[Rules]:
    """One for each number of threads; the last of the cores are taken. Raises UsageError."""
    modes = () if args.alone or args.steps else tuple(m for m in args.modes.split(",") if m)
    for mode in modes:
        if mode not in MODES:
            raise UsageError(f'--modes: PyTorch has no mode "{mode}"', fix=f"known: {', '.join(MODES)}")
    if modes and find_spec("torch") is None:
        raise UsageError("PyTorch is not installed", fix="pip install 'caffempi[bench]', or time caffempi --alone")
    if args.rounds < 1 or not 0 < args.seconds < float("inf"):
        raise UsageError("--rounds must be at least 1, --seconds above 0")
    if args.batch is not None and args.batch < 1:
        raise UsageError("--batch must be at least 1")
    report.check_writable(args.json, args.png)
    counts = []
    for word in args.threads.split(","):
        count = len(cores) if word == "all" else int(word) if word.isdecimal() else 0
        if not 1 <= count <= len(cores):
            raise UsageError(f'--threads: "{word}" is no number from 1 to {len(cores)}, the cores that may be used here')
        if args.clock == "cpu" and count > 1:
            raise UsageError("--clock cpu adds the time of all threads up: it tells nothing of more than one",
                             fix="--threads 1")
        counts.append(count)
    return [Rules(list(cores)[-n:], args.rounds, args.seconds, args.clock, modes, args.precision)
            for n in dict.fromkeys(counts)]


def compare(args: argparse.Namespace, rules: Sequence[Rules], folder: Path) -> list[Contest]:
    """Contests of all nets, batches and numbers of threads."""
    found = []
    for name in args.nets or nets.BATCH:
        for batch in [args.batch] if args.batch or not args.infer else [1, 16]:
            for r in rules:
                task = nets.write(name, folder, train=not args.infer, batch=batch)
                contest = hold(task, r)
                if r.precision != "fp32":
                    plain = hold(task, Rules(r.cores, r.rounds, r.seconds, r.clock))
                    contest.others["caffempi fp32 ms"] = plain.median(OURS)
                    contest.others["fp32 over this"] = plain.median(OURS) / contest.median(OURS)
                if args.caffe:
                    contest.others["BVLC Caffe ms"] = caffe_binary.milliseconds(args.caffe, task.path, task.train, r.cores,
                                                                                _CAFFE_ITERATIONS)
                say([f"{contest.net}, batch {contest.batch}, on {r.threads}: "
                     + (f"ratio {contest.ratio:.3f}" if contest.ratio else f"{contest.median(OURS):.2f} ms")], sys.stderr)
                found.append(contest)
    return found


def break_down(names: Sequence[str], args: argparse.Namespace, rules: Sequence[Rules], folder: Path) -> list[Breakdown]:
    """Profiles of the nets."""
    found = []
    for name in names:
        for r in rules:
            task = nets.write(name, folder, batch=args.batch)
            settings = {"path": task.path, "train": True, "threads": r.threads, "precision": r.precision, "profile": r.clock}
            with Child("ours", settings, r.cores) as child:
                answer = child.profile(count=args.rounds)
            found.append(Breakdown.of(task.name, task.batch, r.threads, answer))
    return found


def run(args: argparse.Namespace, rules: Sequence[Rules], folder: Path) -> dict[str, Sequence[Any]]:
    """Measures and prints what was asked for; returns all of it by name."""
    if args.steps:
        shown = break_down(args.steps, args, rules, folder)
        for b in shown:
            say([*report.breakdown(b), ""])
        return {"steps": shown}
    if args.memory:
        peaks = [memory.measure(nets.write(name, folder, batch=args.batch), r)
                 for name in args.nets or nets.BATCH for r in rules]
        say(report.markdown(memory.table(peaks)))
        return {"memory": peaks}
    if args.grow:
        results: dict[str, list[Contest]] = {"by_batch": [], "by_depth": []}
        for name in args.grow:
            for r in rules:
                for into, some in zip(results.values(), growth.grow(name, folder, r), strict=True):
                    into += some
                    say([f"{name}, {r.threads} threads", "", *report.markdown(growth.table(some)), ""])
        return dict(results)
    found = compare(args, rules, folder)
    say(report.contests(found))
    return {"contests": found}


def say(lines: Sequence[str], to: Any = None) -> None:
    """Prints at once, since a run can be long."""
    print("\n".join(lines), file=to or sys.stdout, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    args = parser().parse_args(arguments)
    try:
        rules = rules_of(args, usable())
        around = report.surroundings(datetime.date.today())
        say([*(f"{name}: {value}" for name, value in around.items()), ""])
        with tempfile.TemporaryDirectory() as folder:
            results = run(args, rules, Path(folder))
        if args.json:
            report.write_json(args.json, around, results)
        if args.png:
            report.plot(args.png, results.get("contests", ()), f"{around['cpu'].split(',')[0]}, {around['date']}")
    except ImportError as e:
        print(f"bench: {e.name} is not installed: pip install 'caffempi[plot]'", file=sys.stderr)
        return 1
    except (CaffempiError, OSError) as e:
        print(f"bench: {e}", file=sys.stderr)
        return e.exit_code if isinstance(e, BenchError | UsageError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
