"""Inner products of flat arrays, param by param: what clipping and layer-wise rates are made of.

The work is shared out: each rank sums every `size`-th param, and one collective sum gives all ranks the same bits, even on
unlike machines. Sums go in chunks that stay in the cache; nothing as large as a param is allocated.
"""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from caffempi.plan.params import ParamArena
from caffempi.solver.exchange import Exchange

CHUNK = 1 << 16                                                # elements: four arrays of them fit into a 2 MB cache


def products(arena: ParamArena, pairs: Sequence[tuple[np.ndarray, np.ndarray]], exchange: Exchange) -> np.ndarray:
    """(pairs, params) of float64: the inner product of both arrays of a pair over each param, in the order of arena.params.

    The arrays are as long as the arena and alike on all ranks. Not finite exactly where an array is not finite there (or
    the product passes 1e308). Collective.
    """
    table = np.zeros((len(pairs), len(arena.params)))
    for k in range(exchange.rank, len(arena.params), exchange.size):
        lo, hi = arena.slots[arena.params[k]]
        for row, (a, b) in enumerate(pairs):
            table[row, k] = sum(product(a[at:min(at + CHUNK, hi)], b[at:min(at + CHUNK, hi)]) for at in range(lo, hi, CHUNK))
    return exchange.totals(table)


def product(a: np.ndarray, b: np.ndarray) -> float:
    """The inner product of two chunks; where float32 is too narrow for it, in float64."""
    total = float(np.dot(a, b))
    if not math.isfinite(total):
        total = float(np.dot(a.astype(np.float64), b.astype(np.float64)))
    return total
