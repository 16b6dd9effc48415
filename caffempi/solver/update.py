"""One update of the params, over flat slices of the arena, in Caffe's order.

    1. clip_gradients: where the L2 norm of all gradients (summed over iter_size, mean over ranks) passes the threshold,
       all are scaled by threshold / norm
    2. division by iter_size
    3. the rates of params from their norms, where LARC or LARS is on (see `local_rates.py`)
    4. decay: g += weight_decay * decay_mult * W (L2), or * sign(W) (L1)
    5. the rule, with rate * lr_mult; W -= its value

A param of lr_mult 0 takes part with a rate of 0. Work goes in chunks that stay in the cache; nothing is allocated.
"""
from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from caffempi.errors import SolverError
from caffempi.ops.graph import Param
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.exchange import Exchange
from caffempi.solver.local_rates import LocalRates, wanted
from caffempi.solver.norms import CHUNK, product, products
from caffempi.solver.rules import Rule, Terms

Runs = Iterable[tuple[int, int, float, float]]                 # lo, hi, rate, decay


class Updater:
    """Applies gradients as the exchange delivers them. keep: param diffs hold the update values afterwards, as in Caffe.

    local: the rates of LARC or LARS, None where every param has the update's.
    """

    def __init__(self, arena: ParamArena, rule: Rule, p: SolverParameter, keep: bool = True) -> None:
        self.arena, self.rule, self.p, self.keep = arena, rule, p, keep
        self.local = LocalRates(arena, p) if wanted(p) else None
        self._scratch = np.empty(min(CHUNK, arena.data.size), arena.dtype)
        arena.make_history(rule.memories)

    def apply(self, exchange: Exchange, terms: Terms) -> tuple[float, float] | None:
        """Updates everything that exchange.reduced() yields; returns (norm, scale) where gradients were clipped.

        Raises SolverError naming the param whose gradient is not finite; with clipping, LARC or LARS before any param has
        changed.
        """
        ranges: Iterable[tuple[int, int]] = exchange.reduced()
        scale, clipped = 1 / self.p.iter_size, None
        runs: Runs = [(lo, hi, terms.rate * lr_mult, terms.weight_decay * decay_mult)
                      for lo, hi, lr_mult, decay_mult in self.arena.runs]
        known_finite = self.local is not None or self.p.clip_gradients >= 0
        with np.errstate(over="ignore", invalid="ignore"):     # what is not finite gets an error of its own
            if known_finite:
                ranges = list(ranges)                          # norms want all gradients
                rows = self._products(exchange, terms.iteration)
                norm = math.sqrt(rows[0].sum())
                if norm > self.p.clip_gradients >= 0:
                    clipped = norm, self.p.clip_gradients / norm
                    scale *= clipped[1]
                if self.local is not None:
                    runs = self._own_runs(self.local.rates(terms, rows, scale), terms)
            for lo, hi in ranges:
                for run_lo, run_hi, rate, decay in runs:
                    for at in range(max(lo, run_lo), min(hi, run_hi), CHUNK):
                        end = min(at + CHUNK, hi, run_hi)
                        if not known_finite:
                            self._check(at, end, terms.iteration)
                        self._chunk(at, end, scale, decay, rate, terms)
                exchange.updated(lo, hi)
        return clipped

    def _products(self, exchange: Exchange, iteration: int) -> np.ndarray:
        """<g, g> of each param in row 0, then what layer-wise rates need. Raises SolverError where they are not finite."""
        arena = self.arena
        if self.local is not None:
            rows = self.local.products(exchange)
        else:
            rows = products(arena, [(arena.grad, arena.grad)], exchange)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if bad.size:
            q = arena.params[bad[0]]
            raise _not_finite("the gradient of " if not math.isfinite(rows[0, bad[0]]) else "", q, iteration)
        return rows

    def _own_runs(self, rates: np.ndarray, terms: Terms) -> Runs:
        """A run for each param, with its own rate."""
        return [(*self.arena.slots[q], rate, terms.weight_decay * q.decay_mult)
                for q, rate in zip(self.arena.params, rates.tolist(), strict=True)]

    def _check(self, lo: int, hi: int, iteration: int) -> None:
        """Raises SolverError where a gradient is not finite; the sum of squares costs one pass in the cache."""
        g = self.arena.grad[lo:hi]
        if math.isfinite(product(g, g)):
            return
        at = lo + int(np.argmin(np.isfinite(g)))
        raise next(_not_finite("the gradient of ", q, iteration) for q in self.arena.params
                   if self.arena.slots[q][0] <= at < self.arena.slots[q][1])

    def _chunk(self, lo: int, hi: int, scale: float, decay: float, rate: float, terms: Terms) -> None:
        arena = self.arena
        g, w, scratch = arena.grad[lo:hi], arena.data[lo:hi], self._scratch[:hi - lo]
        if scale != 1:
            np.multiply(g, scale, out=g)
        if decay:
            if self.p.regularization_type == "L1":
                np.sign(w, out=scratch)
                np.multiply(scratch, decay, out=scratch)
            else:
                np.multiply(w, decay, out=scratch)
            np.add(g, scratch, out=g)
        value = self.rule.update(g, [h[lo:hi] for h in arena.hist], rate, terms, scratch)
        np.subtract(w, value, out=w)
        if self.keep and value is not g:
            np.copyto(g, value)


DIVERGED = "the training diverged: lower base_lr, set clip_gradients, or look at the data and labels"


def _not_finite(what: str, p: Param, iteration: int) -> SolverError:
    return SolverError(f"{what}param {p.name} is not finite at iteration {iteration}", layer=p.layer_name, where=p.where,
                       fix=DIVERGED)


def check_finite(arena: ParamArena, iteration: int) -> None:
    """Raises SolverError naming the first param (in net order) that holds a value which is not finite."""
    for p in arena.net_order:
        if not np.isfinite(arena.view(p)).all():
            raise _not_finite("", p, iteration)
