"""Arenas and gradients that every rank and every test can make alike."""
from __future__ import annotations

import hashlib

import numpy as np

from caffempi.ops.graph import Param
from caffempi.plan.params import ParamArena


def arena(sizes: list[int], dtype: str = "float32", first: int = 1 << 10, bucket: int = 4 << 10,
          stats: int = 0, histories: int = 0) -> ParamArena:
    """An arena of params of those element counts (backward order = file order) and one statistics blob."""
    from caffempi.ops.graph import Spec
    params = [Param(f"p{i}", 0, Spec((n,), dtype)) for i, n in enumerate(sizes)]
    blobs = [Param("bn", 0, Spec((stats,), dtype), stat=True)] if stats else []
    made = ParamArena([*params, *blobs], params, dtype, first, bucket)
    made.make_history(histories)
    return made


def fill(array: np.ndarray, *key: int) -> None:
    """Gaussians keyed by the numbers, over many magnitudes, so that the order of a sum shows in its last bits."""
    rng = np.random.default_rng(key)
    array[...] = rng.standard_normal(array.size) * 10.0 ** rng.integers(-3, 4, array.size)


def bits(*arrays: np.ndarray) -> str:
    """A hash of the arrays' bytes."""
    return hashlib.sha1(b"".join(a.tobytes() for a in arrays)).hexdigest()[:16]
