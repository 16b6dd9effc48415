"""Runs the jobs of the cuda engine's table by the host shim, straight on NumPy arrays; on a GPU where that is chosen."""
from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from caffempi.engines.base import Call, Operands
from caffempi.engines.cuda.blas import Blas
from caffempi.engines.cuda.device import device_of, rng_words
from caffempi.engines.cuda.kernels import expressions, files, plan_job
from caffempi.engines.cuda.modules import FOLDER, TEXTS
from caffempi.engines.cuda.rule import ADD, NULL, RULES, TYPES, Arg, Form, Given, Job, Multiply, Part, Scratch, Slot
from tests.helpers.cuda import devicerun
from tests.helpers.cuda.build import NO_COMPILER, Entry, build, compiler, scalar, word
from tests.helpers.cuda.chosen import on_device
from tests.helpers.cuda.fakeblas import FakeBlas

needs_compiler = pytest.mark.skipif(compiler() is None and not on_device(), reason=NO_COMPILER)
FILES = files()
Kernels = Mapping[str, Entry]


def storage(dtype: str) -> np.dtype[Any]:
    """The NumPy dtype; skips the test where bfloat16 has none."""
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed: NumPy has no bfloat16")
    return np.dtype(dtype)


@cache
def entries(file: str) -> Kernels:
    """All kernels of a file, for all storage types, built for the host; none where a GPU runs them."""
    if on_device():
        return {}
    names = dict.fromkeys(e for dtype in TYPES for e in expressions(file, dtype))
    return build((TEXTS / file).read_text(), tuple(names), FOLDER)


def built(text: str, names: Sequence[str], include: Path) -> Kernels:
    """The kernels `names` of a text. Those of a file's own text come from the library of `entries`, which all tests share."""
    file = next((file for file in FILES if include == FOLDER and (TEXTS / file).read_text() == text), None)
    if file is None or on_device():
        return build(text, names, include)
    return {name: entry for name, entry in entries(file).items() if name in names}


def run_job(kernels: Kernels, job: Job, ptrs: Operands, seed: int, blocks: int | None = None) -> int:
    """Starts the job's kernels on host arrays; returns what they left in the word of faults.

    blocks: another grid than the table's, where any will do. Arguments must have the exact types.
    """
    if on_device():
        import cupy
        return devicerun.run_job(device_of(cupy, cupy.cuda.Device().id), job, ptrs, blocks)
    room = np.full(job.scratch + 64, 0xFF, np.uint8)
    start = -room.ctypes.data % 64
    fault = np.zeros(1, np.int32)
    words = np.zeros(4, np.uint32) if ptrs.rng is None else rng_words(ptrs.rng)

    def array(arg: Arg) -> np.ndarray | None:
        if isinstance(arg, Part):
            whole = array(arg.of)
            assert whole is not None and 0 <= arg.lo <= arg.lo + arg.count <= whole.size, "a part that lies outside"
            return whole.reshape(-1)[arg.lo:arg.lo + arg.count]
        if isinstance(arg, Scratch):
            assert arg.offset >= 0 and arg.offset + arg.nbytes <= job.scratch, "scratch that was not asked for"
            lo = start + arg.offset
            return room[lo:lo + arg.nbytes].view(storage(arg.dtype))
        if isinstance(arg, Given):
            return arg.array
        assert isinstance(arg, Slot)
        if arg.kind in ("fault", "rng"):
            return fault if arg.kind == "fault" else words
        arrays = getattr(ptrs, arg.kind)
        return None if arg.kind == "saved" and not arrays else arrays[arg.place]

    for launch in job.work:
        if isinstance(launch, Multiply):
            _multiply(launch, [array(a) for a in (launch.a, launch.b, launch.c)], ptrs.add)
            continue
        assert launch.expression in RULES_NAMES, f"{launch.expression} is not among the names of its rule"
        entry = kernels[launch.expression]
        values: list[Any] = []
        assert len(launch.args) == len(entry.params), f"{launch.expression} takes {len(entry.params)} arguments"
        for i, (arg, param) in enumerate(zip(launch.args, entry.params, strict=True)):
            where = f"{launch.expression}, argument {i} ({param})"
            if isinstance(arg, np.generic) or arg == ADD:
                value = np.int32(ptrs.add) if isinstance(arg, Slot) else arg
                null = value is NULL and param.startswith("p")
                assert null or word(value.dtype) == param, f"{where}: {value.dtype}"
                values.append(ctypes.c_void_p(0) if null else scalar(value))
                continue
            a = array(arg)
            if a is None:
                assert param.startswith("p"), where
                values.append(ctypes.c_void_p(0))
                continue
            assert param in ("pv", "p" + word(a.dtype)), f"{where}: an array of {a.dtype}"
            values.append(ctypes.c_void_p(a.ctypes.data))
        grid = [*launch.grid, 1, 1][:3]
        if blocks and launch.strided:
            grid[0] = blocks
        entry.start([*grid, *[*launch.block, 1, 1][:3]], values, seed=seed)
    return int(fault[0])


def _multiply(work: Multiply, arrays: list[np.ndarray], add: bool) -> None:
    """The product, as the library would be asked for it."""
    p = work.product
    for a, dtype, stride, size in zip(arrays, (p.dtype, p.dtype, p.out or p.dtype), (p.a_stride, p.b_stride, p.c_stride),
                                      (p.m * p.k, p.k * p.n, p.m * p.n), strict=True):
        assert a.dtype == storage(dtype), f"{a.dtype} in a product of {dtype}"
        assert a.size >= max(0, p.batch - 1) * stride + size, "a product reads or writes outside its array"
    library = FakeBlas()
    bound = replace(p, beta=1.0 if work.add and add else p.beta)
    Blas(library, 1, (1, 1)).bind(bound, *[a.ctypes.data for a in arrays])()
    assert library.error is None, library.error


def run(call: Call, form: Form, ptrs: Operands, seed: int = 0, blocks: int | None = None, kernels: Kernels | None = None) -> int:
    """Runs a call on host arrays that are stored as the form says; see `run_job`."""
    job = plan_job(call, form)
    return run_job(kernels if kernels is not None else entries(job.file), job, ptrs, seed, blocks)


RULES_NAMES = {e for file in FILES for dtype in TYPES for e in expressions(file, dtype)}
assert all(rule.file in FILES for _, rule in RULES.items())
