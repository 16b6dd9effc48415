"""Inner products of flat arrays, param by param: what clipping and layer-wise rates are made of.

The work is shared out: each rank sums every `size`-th param, and one collective sum gives all ranks the same bits, even on
unlike machines.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from caffempi.engines.base import Engine
from caffempi.ops.arena_products import ArenaProductsAttrs
from caffempi.plan.flat import bind_flat, flat
from caffempi.plan.params import ParamArena
from caffempi.solver.exchange import Exchange


class Products:
    """The inner products of pairs of arrays, each as long as the arena and alike on all ranks, over each param.

    Kernels are the engine's, bound at the first use for this rank's share of the params.
    """

    def __init__(self, arena: ParamArena, engine: Engine, pairs: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        self._arena, self._engine, self._pairs = arena, engine, pairs
        self._calls: list[Callable[[], None]] = []
        self._rows: list[np.ndarray] = []

    def take(self, exchange: Exchange) -> np.ndarray:
        """(pairs, params) of float64, in the order of arena.params. Collective.

        Not finite exactly where an array is not finite there (or the product passes 1e308).
        """
        params = len(self._arena.params)
        if not self._calls:
            self._bind(range(exchange.rank, params, exchange.size))
        table = np.zeros((len(self._pairs), params))
        for call in self._calls:
            call()
        for row, sums in zip(table, self._rows, strict=True):
            row[exchange.rank::exchange.size] = self._engine.get(sums)
        return exchange.totals(table)

    def _bind(self, own: range) -> None:
        attrs = ArenaProductsAttrs(tuple(self._arena.slots[self._arena.params[k]] for k in own))
        for a, b in self._pairs:
            self._rows.append(flat(self._engine, (len(own),), "float64"))
            self._calls.append(bind_flat(self._engine, "arena_products", attrs, (a, b), (self._rows[-1],)))
