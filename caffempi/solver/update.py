"""One update of the params, over flat slices of the arena, in Caffe's order.

    1. clip_gradients: where the L2 norm of all gradients (summed over iter_size, mean over ranks) passes the threshold,
       all are scaled by threshold / norm
    2. division by iter_size
    3. decay: g += weight_decay * decay_mult * W (L2), or * sign(W) (L1)
    4. the rule, with rate * lr_mult; W -= its value

A param of lr_mult 0 takes part with a rate of 0. Work goes in chunks that stay in the cache; nothing is allocated.
"""
from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from caffempi.errors import SolverError
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.exchange import Exchange
from caffempi.solver.rules import Rule

CHUNK = 1 << 16                                                # elements: g, W, h and scratch fit into a 2 MB cache


class Updater:
    """Applies gradients as the exchange delivers them. keep: param diffs hold the update values afterwards, as in Caffe."""

    def __init__(self, arena: ParamArena, rule: Rule, p: SolverParameter, keep: bool = True) -> None:
        self.arena, self.rule, self.p, self.keep = arena, rule, p, keep
        self._scratch = np.empty(min(CHUNK, arena.data.size), arena.dtype)
        arena.make_history(rule.memories)

    def apply(self, exchange: Exchange, rate: float, iteration: int) -> tuple[float, float] | None:
        """Updates everything that exchange.reduced() yields; returns (norm, scale) where gradients were clipped.

        Raises SolverError naming the param whose gradient is not finite; with clipping, before any param has changed.
        """
        ranges: Iterable[tuple[int, int]] = exchange.reduced()
        scale, clipped = 1.0, None
        with np.errstate(over="ignore", invalid="ignore"):     # what is not finite gets an error of its own
            if self.p.clip_gradients >= 0:
                ranges = list(ranges)
                norm = self.norm(ranges, iteration)
                if norm > self.p.clip_gradients:
                    scale = self.p.clip_gradients / norm
                    clipped = norm, scale
            for lo, hi in ranges:
                for run_lo, run_hi, lr_mult, decay_mult in self.arena.runs:
                    decay = self.p.weight_decay * decay_mult
                    for at in range(max(lo, run_lo), min(hi, run_hi), CHUNK):
                        self._chunk(at, min(at + CHUNK, hi, run_hi), scale / self.p.iter_size, decay,
                                    rate * lr_mult, iteration)
                exchange.updated(lo, hi)
        return clipped

    def norm(self, ranges: Iterable[tuple[int, int]], iteration: int) -> float:
        """L2 norm of the gradients in the ranges. Raises SolverError where it is not finite."""
        total = 0.0
        for lo, hi in ranges:
            for at in range(lo, hi, CHUNK):
                total += self._square(self.arena.grad[at:min(at + CHUNK, hi)], at, iteration)
        return math.sqrt(total)

    def _square(self, g: np.ndarray, at: int, iteration: int) -> float:
        """Sum of squares; also says whether all is finite, which costs one pass in the cache."""
        square = float(np.dot(g, g))
        if not math.isfinite(square):
            if not np.isfinite(g).all():
                raise self._not_finite(at + int(np.argmin(np.isfinite(g))), iteration)
            square = float(np.square(g, dtype=np.float64).sum())
        return square

    def _chunk(self, lo: int, hi: int, scale: float, decay: float, rate: float, iteration: int) -> None:
        arena = self.arena
        g, w, scratch = arena.grad[lo:hi], arena.data[lo:hi], self._scratch[:hi - lo]
        if self.p.clip_gradients < 0:                          # else the norm has looked at it
            self._square(g, lo, iteration)
        if scale != 1:
            np.multiply(g, scale, out=g)
        if decay:
            if self.p.regularization_type == "L1":
                np.sign(w, out=scratch)
                np.multiply(scratch, decay, out=scratch)
            else:
                np.multiply(w, decay, out=scratch)
            np.add(g, scratch, out=g)
        value = self.rule.update(g, [h[lo:hi] for h in arena.hist], rate, iteration, scratch)
        np.subtract(w, value, out=w)
        if self.keep and value is not g:
            np.copyto(g, value)

    def _not_finite(self, at: int, iteration: int) -> SolverError:
        for p in self.arena.params:
            if self.arena.slots[p][0] <= at < self.arena.slots[p][1]:
                return SolverError(f"the gradient of param {p.name} is not finite at iteration {iteration}",
                                   layer=p.layer_name, where=p.where, fix=DIVERGED)
        return SolverError(f"a gradient is not finite at iteration {iteration}", fix=DIVERGED)


DIVERGED = "the training diverged: lower base_lr, set clip_gradients, or look at the data and labels"


def check_finite(arena: ParamArena, iteration: int) -> None:
    """Raises SolverError naming the first param (in net order) that holds a value which is not finite."""
    for p in arena.net_order:
        if not np.isfinite(arena.view(p)).all():
            raise SolverError(f"param {p.name} is not finite at iteration {iteration}", layer=p.layer_name, where=p.where,
                              fix=DIVERGED)
