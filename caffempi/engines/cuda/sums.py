"""Starts sums over all but the middle axis of arrays [outer, channels, inner]; the kernels are made of sums.h."""
from __future__ import annotations

import numpy as np

from caffempi.engines.cuda.channels import Channels
from caffempi.engines.cuda.rule import MAX_BLOCKS, THREADS, Arg, Form, Job

NO = np.int32(0)
"""As the flag of adding: overwrite."""


def sum_names(functor: str) -> tuple[str, ...]:
    """The name expressions that `start_sums` may start for a functor, with float results."""
    return f"sums_of<{{T}}, {functor}>", "fold<float>"


def start_sums(job: Job, form: Form, functor: str, at: Channels, arrays: tuple[Arg, ...], y: Arg, add: Arg = NO,
               factor: float = 1.0, out: str = "float") -> None:
    """y[c] (+)= factor times the sum of the functor's terms of channel c; y is of the C++ type `out`.

    The kernel sums_of<T, functor> takes (outer, channels, inner, parts, partial, arrays...).
    """
    partial = job.take(at.parts * at.channels)
    job.start(f"sums_of<{form.t}, {functor}>", at.blocks, THREADS, *at, at.parts, partial, *arrays)
    job.start(f"fold<{out}>", min(at.channels, MAX_BLOCKS), 32, at.channels, at.parts, partial, y, float(factor), add)
