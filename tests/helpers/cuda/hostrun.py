"""Runs the launches of the cuda engine's table by the host shim, straight on NumPy arrays, and says what to compare with."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from caffempi.engines.base import Call, Operands
from caffempi.engines.cuda.kernels import RULES, TYPES, Slot, expressions, plan_launch
from caffempi.engines.cuda.modules import FOLDER
from caffempi.ops import Spec, get_op
from tests.helpers.cuda.build import NO_COMPILER, Entry, build, compiler, scalar, word

needs_compiler = pytest.mark.skipif(compiler() is None, reason=NO_COMPILER)


def storage(dtype: str) -> np.dtype[Any]:
    """The NumPy dtype; skips the test where bfloat16 has none."""
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed: NumPy has no bfloat16")
    return np.dtype(dtype)


@cache
def entries(file: str) -> dict[str, Entry]:
    """All kernels of a file, for all storage types, built for the host."""
    return build((FOLDER / file).read_text(), [e for dtype in TYPES for e in expressions(file, dtype)], FOLDER)


def call_of(op: str, attrs: Any, ins: Sequence[np.ndarray]) -> Call:
    """The call that these arrays make."""
    specs = tuple(Spec(a.shape, a.dtype.name) for a in ins)
    return Call(op, attrs, specs, tuple(get_op(op).infer(attrs, specs)))


def run(kernels: dict[str, Entry], call: Call, ptrs: Operands, seed: int, blocks: int | None = None) -> None:
    """Starts the call's kernel on host arrays; blocks: another grid than the table's. Arguments must have the exact types."""
    launch = plan_launch(call)
    if launch is None:
        return
    entry = kernels[launch.expression]
    values, words = [], []
    for arg in launch.args:
        if isinstance(arg, Slot):
            array = getattr(ptrs, arg.kind)[arg.place]
            values.append(ctypes.c_void_p(array.ctypes.data))
            words.append("p" + word(array.dtype))
        else:
            values.append(scalar(arg))
            words.append(word(arg.dtype))
    assert tuple(words) == entry.params
    entry.start([blocks or launch.grid[0], 1, 1, launch.block[0], 1, 1], values, seed=seed)


def reference(op: str, attrs: Any, ins: Sequence[np.ndarray]) -> np.ndarray:
    """The op's definition in float32 on the stored values, rounded to their dtype."""
    wide = [a.astype(np.float32) for a in ins]
    out = np.full(ins[-1].shape, np.nan, np.float32)
    with np.errstate(all="ignore"):
        get_op(op).forward(attrs, wide, [out], (), (), None)
        return out.astype(ins[0].dtype)


def tolerance(dtype: str) -> float:
    """Relative: the rounding of storage; for float32 that of sums in another order and of another exp."""
    return {"float32": 5e-6, "float16": 2.0**-10, "bfloat16": 2.0**-7}[dtype]


FILES = sorted({rule.file for rule in RULES.values()})
