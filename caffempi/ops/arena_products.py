"""Inner products of pieces of two flat arrays: the norms of params and of their gradients, for clipping and layer-wise rates.

arena_products    y_k = sum over lo_k <= i < hi_k of a_i * b_i

Ins: a, b (n,), which may be one array. Out: (pieces,) float64. Not finite exactly where a piece of a or b is not (or the
products pass float64's range). Sums go in chunks that stay in the cache, in the arrays' dtype, and on in float64; where that
dtype is too narrow for a chunk, in float64 as well.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.update import CHUNK


@dataclass(frozen=True)
class ArenaProductsAttrs:
    """pieces: (lo, hi) of each."""

    pieces: tuple[tuple[int, int], ...]


@op
class ArenaProducts(Op):
    """The inner product of each piece of a and b."""

    name = "arena_products"
    grad = "none"

    def infer(self, attrs: ArenaProductsAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """One float64 a piece."""
        return [Spec((len(attrs.pieces),), "float64")]

    def forward(self, attrs: ArenaProductsAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        a, b = ins
        with np.errstate(over="ignore", invalid="ignore"):     # what is not finite is a result here
            for k, (lo, hi) in enumerate(attrs.pieces):
                outs[0][k] = sum(product(a[at:min(at + CHUNK, hi)], b[at:min(at + CHUNK, hi)]) for at in range(lo, hi, CHUNK))

    def cost(self, attrs: ArenaProductsAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A product and a sum an element of the pieces; one array is read once."""
        count = sum(hi - lo for lo, hi in attrs.pieces)
        return 2 * count, len(ins) * count * np.dtype(ins[0].dtype).itemsize


def product(a: np.ndarray, b: np.ndarray) -> float:
    """The inner product of two chunks; where float32 is too narrow for it, in float64."""
    total = float(np.dot(a, b))
    if not math.isfinite(total):
        total = float(np.dot(a.astype(np.float64), b.astype(np.float64)))
    return total
