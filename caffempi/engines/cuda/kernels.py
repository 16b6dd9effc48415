"""The table op -> kernel: which kernel of which file runs a call, on which grid, with which arguments.

Pure arithmetic on specs, with nothing of CuPy in it. Arguments have the kernel's exact C++ types, since CuPy does not look
at them: long long is np.int64, float is np.float32, an array is named by a `Slot`.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from caffempi.engines.base import Call
from caffempi.ops.shapes import canonical_axis, outer_inner

TYPES = {"float32": "float", "float16": "__half", "bfloat16": "__nv_bfloat16"}
"""Storage dtypes that the kernel texts are written for, with their C++ names."""

THREADS = 256
MAX_BLOCKS = 1 << 14
"""Beyond it a grid gains nothing on any GPU of today: the blocks loop."""


class Slot(NamedTuple):
    """An argument that is an array: `Operands.<kind>[place]`."""

    kind: str
    place: int


@dataclass(frozen=True)
class Launch:
    """One start of a kernel: the name expression in its file, blocks, threads a block, arguments in order."""

    file: str
    expression: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    args: tuple[Slot | np.generic, ...]


@dataclass(frozen=True)
class Rule:
    """How an op runs. names: all name expressions that `launch` may use, with {T} for the storage type."""

    file: str
    names: tuple[str, ...]
    launch: Callable[[Call, str], Launch]


def _elementwise(call: Call, name: str, count: int, *scalars: np.generic) -> Launch:
    """kernel(count, ins..., out, scalars...) over all elements."""
    arrays = [Slot("ins", i) for i in range(len(call.ins))] + [Slot("outs", 0)]
    blocks = min(-(-count // THREADS), MAX_BLOCKS)
    return Launch("elementwise.cu", name, (blocks,), (THREADS,), (np.int64(count), *arrays, *scalars))


def _relu(call: Call, t: str) -> Launch:
    return _elementwise(call, f"{call.op}<{t}>", call.outs[0].count, np.float32(call.attrs.slope))


def _softmax(call: Call, t: str) -> Launch:
    shape = call.ins[0].shape
    axis = canonical_axis(call.attrs.axis, len(shape))
    outer, inner = outer_inner(shape, axis)
    threads = 32 if shape[axis] <= 64 else THREADS             # one warp needs no barrier
    scalars = np.int64(outer * inner), np.int64(shape[axis]), np.int64(inner)
    return Launch("reduction.cu", f"softmax<{t}, {threads}>", (min(outer * inner, MAX_BLOCKS),), (threads,),
                  (*scalars, Slot("ins", 0), Slot("outs", 0)))


RULES: dict[str, Rule] = {
    "relu": Rule("elementwise.cu", ("relu<{T}>",), _relu),
    "relu_dx": Rule("elementwise.cu", ("relu_dx<{T}>",), _relu),
    "softmax": Rule("reduction.cu", ("softmax<{T}, 32>", f"softmax<{{T}}, {THREADS}>"), _softmax),
}


def expressions(file: str, dtype: str) -> tuple[str, ...]:
    """All name expressions of a file for a storage dtype."""
    return tuple(name.replace("{T}", TYPES[dtype]) for rule in RULES.values() if rule.file == file for name in rule.names)


def plan_launch(call: Call) -> Launch | None:
    """How the call's kernel is started; None where it has no elements: an empty grid is not legal."""
    if call.outs[0].count == 0:
        return None
    return RULES[call.op].launch(call, TYPES[call.outs[0].dtype])
