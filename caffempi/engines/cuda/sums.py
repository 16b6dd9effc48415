"""Starts sums over all but the middle axis of arrays [outer, count, inner]; the kernels are made of sums.h."""
from __future__ import annotations

import numpy as np

from caffempi.engines.cuda.rule import MAX_BLOCKS, Arg, Form, Job

THREADS = 256
BLOCKS = 1024
"""Slices are made as long as there are fewer blocks than this."""
NO = np.int32(0)
"""As the flag of adding: overwrite."""
SHORT = 16
"""From this length on, the innermost axis is read along by the threads of a block."""


def sum_names(functor: str) -> tuple[str, ...]:
    """The name expressions that `start_sums` may start for a functor."""
    return f"sum_rows_of<{{T}}, {functor}>", f"sum_columns_of<{{T}}, {functor}>", "fold<float>"


def start_sums(job: Job, form: Form, functor: str, sizes: tuple[int, int, int], arrays: tuple[Arg, ...], y: Arg,
               add: Arg = NO, factor: float = 1.0, out: str = "float") -> None:
    """y[c] (+)= factor times the sum of the functor's terms of channel c; y is of the C++ type `out`.

    The kernels sum_rows_of<T, functor> and sum_columns_of<T, functor> take (outer, count, inner, partial, arrays...).
    """
    outer, count, inner = sizes
    if inner >= SHORT or outer == 1:
        blocks, length, columns, name = min(count, MAX_BLOCKS), outer * inner, 1, "sum_rows_of"
        a_slice = THREADS * 4
    else:
        blocks, length, columns, name = min(-(-count * inner // 32), MAX_BLOCKS), outer, inner, "sum_columns_of"
        a_slice = 64
    slices = max(1, min(-(-length // a_slice), BLOCKS // max(blocks, 1)))
    partial = job.take(slices * count * columns)
    job.start(f"{name}<{form.t}, {functor}>", (blocks, slices), THREADS, outer, count, inner, partial, *arrays)
    job.start(f"fold<{out}>", min(count, MAX_BLOCKS), 32, slices, count, columns, partial, y, float(factor), add)
