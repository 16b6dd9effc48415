"""Kernel texts under the compiler's sanitizers: built with one, and run on their cases in a process that has its library.

A sanitizer's library must be loaded before anything else, so the cases run in a process of their own:

    python -m tests.helpers.cuda.sanitize SANITIZER FOLDER FILE

where FOLDER holds the texts; prints how many calls were run. What the sanitizer finds it writes to files beside.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.chains import key_of
from caffempi.engines.cuda.kernels import expressions, plan_job
from caffempi.engines.cuda.rule import RULES, Form
from caffempi.engines.cuda.rules.quotient import FILE as QUOTIENT
from caffempi.engines.cuda.rules.quotient import quotient
from caffempi.engines.cuda.rules.reorder import FILE as REORDER
from caffempi.errors import CaffempiError
from tests.helpers.cuda import kernelcheck
from tests.helpers.cuda.build import NO_COMPILER, build, compile_text, compiler
from tests.helpers.cuda.cases import Case, Recorded, all_cases, record
from tests.helpers.cuda.hostrun import Kernels, run_job
from tests.helpers.mpirun import ROOT

MODERATE = 3000
"""Elements of a call; larger ones are run where nothing else starts a kernel."""


class Sanitizer(NamedTuple):
    """flags: of the compiler; library: what must be loaded first; options: names of variables and what they say, the files of
    what is found being {log}.NUMBER; dtypes: what arrays are stored as; times: how often each kernel is started, about."""

    flags: tuple[str, ...]
    library: str
    options: dict[str, str]
    dtypes: tuple[str, ...]
    times: int


_LOG, _THREADS = "log_path={log}:", ("-g1", "-DCAFFEMPI_THREADS", "-pthread")
SANITIZERS = {
    "races": Sanitizer((*_THREADS, "-fsanitize=thread"), "libtsan.so",
                       {"TSAN_OPTIONS": _LOG + "exitcode=0"}, ("float32",), 1),
    "memory": Sanitizer((*_THREADS, "-fsanitize=address,undefined"), "libasan.so",
                        {"ASAN_OPTIONS": _LOG + "detect_leaks=0"}, ("float32", "float16"), 2),
}
"""races: of threads of a block and between blocks; memory: reads and writes outside, and what C++ leaves undefined."""


@cache
def require(name: str) -> Path:
    """The sanitizer's library; skips the test where the compiler has none, or where it does not run."""
    command = compiler()
    if command is None:
        pytest.skip(NO_COMPILER)
    wanted = SANITIZERS[name].library
    said = subprocess.run([*command, f"-print-file-name={wanted}"], capture_output=True, text=True)
    path = Path(said.stdout.strip())
    if said.returncode or not path.is_absolute() or not path.exists():
        pytest.skip(f"the compiler {command[-1]} has no {wanted}: kernels are not run under it")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-c", ""], env=_environment(name, path.resolve(), Path(folder) / "log"),
                              capture_output=True, text=True)
        found = " ".join((done.stderr + _reports(Path(folder))).split())
    if done.returncode:
        pytest.skip(f"{wanted} does not run on this machine: {found[:200]}")
    return path.resolve()


def _environment(name: str, library: Path, log: Path) -> dict[str, str]:
    options = {key: text.format(log=log) for key, text in SANITIZERS[name].options.items()}
    return {**os.environ, **options, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT), "PYTHONMALLOC": "malloc"}


def _reports(folder: Path) -> str:
    return "".join(p.read_text(errors="replace") for p in sorted(folder.glob("log.*")))


def examine(name: str, texts: Path, file: str) -> tuple[int, str]:
    """(calls that were run, what the sanitizer found) of a file of kernels; `texts` holds it and all headers."""
    library = require(name)
    compile_text(*_source(name, texts, file), SANITIZERS[name].flags)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-m", "tests.helpers.cuda.sanitize", name, str(texts), file], cwd=ROOT,
                              env=_environment(name, library, Path(folder) / "log"), capture_output=True, text=True)
        found = _reports(Path(folder))
    found += "".join(re.findall(r"(?m)^.*runtime error: .*\n", done.stderr))   # the one for undefined behaviour writes there
    if done.returncode and not found:
        raise AssertionError(done.stderr[-3000:])
    return int(done.stdout or 0), found.strip()


def _source(name: str, texts: Path, file: str) -> tuple[str, tuple[str, ...], Path]:
    names = tuple(dict.fromkeys(e for dtype in SANITIZERS[name].dtypes for e in expressions(file, dtype)))
    return (texts / file).read_text(), names, texts


def vary(case: Case, rand: np.random.Generator) -> Case:
    """The case with other lengths of the batch and of axes from the third on, drawn at random, where the op takes them."""
    if case.outs is not None or not case.ins or any(isinstance(a, np.ndarray) for a in case.ins) or hasattr(case.attrs, "pieces"):
        return case                                            # numbers and places in them belong to the shapes
    first = case.ins[0]
    drawn = [d if axis == 1 else int(rand.integers(1, 9)) for axis, d in enumerate(first)]
    ins = [tuple(drawn) if a == first else (drawn[0], *a[1:]) if first and a and a[0] == first[0] else a for a in case.ins]
    try:
        made = replace(case, ins=ins)
        record(made)
    except (CaffempiError, ValueError, IndexError, AssertionError):
        return case
    return made


@cache
def _recorded() -> list[Recorded]:
    """The calls of all cases and of varied ones."""
    rand = np.random.default_rng(5)
    return [r for case in all_cases() for made in dict.fromkeys((vary(case, rand), case)) for r in record(made)
            if key_of(r.call) in RULES]


def calls(file: str, dtypes: tuple[str, ...], times: int) -> Iterator[tuple[Recorded, Form]]:
    """Calls of a file's kernels, of the cases and of varied ones: in a random order, as many as it takes to start each kernel
    so many times; then the smallest of the large ones for kernels that no other call starts."""
    rand = np.random.default_rng(6)
    found = [(r, form) for r in _recorded() if RULES.get(key_of(r.call)).file == file
             for form in RULES.get(key_of(r.call)).forms(r.call, dtypes)]
    sizes = [sum(s.count for s in (*r.call.ins, *r.call.outs)) for r, _ in found]
    started: Counter[str] = Counter()
    for at in sorted(rand.permutation(len(found)), key=lambda at: max(sizes[at], MODERATE)):
        names = {launch.expression for launch in plan_job(found[at][0].call, found[at][1]).launches}
        if any(started[name] < (times if sizes[at] <= MODERATE else 1) for name in names):
            started.update(names)
            yield found[at]


def exact(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Instead of `kernelcheck.guarded`: an allocation without room around it, which the sanitizer watches."""
    a = np.empty(shape, dtype)
    a.reshape(-1).view(np.uint8)[...] = 0xFF
    return a


def main(name: str, texts: str, file: str) -> None:
    """The program."""
    os.environ.pop("LD_PRELOAD")                               # it is for this process alone
    chosen = SANITIZERS[name]
    kernels = build(*_source(name, Path(texts), file), chosen.flags)
    kernelcheck.guarded, kernelcheck.intact = exact, lambda a: True
    count = 0
    if file == REORDER:
        from tests.engines.cuda.rules.test_reorder import hold
        for shape in ((2, 3, 4, 5), (3, 33, 1, 1), (1, 40, 7, 11), (5, 7)):
            hold(shape, chosen.dtypes[-1], kernels)
            count += 1
    if file == QUOTIENT:
        for n in (1, 7, 1027):
            x = exact((n,), np.dtype("float32"))
            run_job(kernels, quotient(n, 3), Operands((), (x,)), 0, 3)
            count += 1
    for r, form in calls(file, chosen.dtypes, chosen.times):
        run(r, form, kernels)
        count += 1
    print(count)


def run(r: Recorded, form: Form, kernels: Kernels) -> None:
    """One call on three blocks where any number will do; adding and in place too, where that can be."""
    rule = RULES.get(key_of(r.call))
    want = kernelcheck.definition(r, rule, form)
    for add in {False, rule.accumulates}:
        kernelcheck.compare(r, rule, form, kernelcheck.execute(r, rule, form, 0, 3, add=add, kernels=kernels), want, add)
    for i, o in rule.pairs(r.call.op):
        if kernelcheck.stored_as(rule, "ins", i, r.call.ins[i], form) == kernelcheck.stored_as(rule, "outs", o, r.call.outs[o], form):
            kernelcheck.execute(r, rule, form, 0, 3, pair=(i, o), kernels=kernels)


if __name__ == "__main__":
    main(*sys.argv[1:])
