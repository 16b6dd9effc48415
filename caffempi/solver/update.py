"""One update of the params, over flat slices of the arena, in Caffe's order.

    1. clip_gradients: where the L2 norm of all gradients (summed over iter_size, mean over ranks) passes the threshold,
       all are scaled by threshold / norm
    2. division by iter_size, and by the loss scale (see `loss_scaling.py`), which the norms above know of
    3. the rates of params from their norms, where LARC or LARS is on (see `local_rates.py`)
    4. decay: g += weight_decay * decay_mult * W (L2), or * sign(W) (L1)
    5. the rule, with rate * lr_mult; W -= its value

A param of lr_mult 0 takes part with a rate of 0. Steps 2, 4 and 5 are one op (`ops/update.py`), which the engine runs over
each run of equal multipliers within a slice that the exchange delivers. Calls are bound at the first update; afterwards only
the numbers that they read change.
"""
from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable

import numpy as np

from caffempi.engines.access import Fetched
from caffempi.engines.base import Engine
from caffempi.errors import SolverError
from caffempi.ops.graph import Param
from caffempi.ops.update import UpdateAttrs
from caffempi.plan.flat import bind_flat, flat
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.exchange import Exchange
from caffempi.solver.local_rates import LocalRates, wanted
from caffempi.solver.loss_scaling import LossScaling
from caffempi.solver.norms import Products
from caffempi.solver.rules import Rule, Terms

_ALARMS = 1024                                                 # so that each block of a device has one of its own


class Updater:
    """Applies gradients as the exchange delivers them. keep: param diffs hold the update values afterwards, as in Caffe.

    engine: whose kernels run. local: the rates of LARC or LARS, None where every param has the update's. scaling: the loss
    scale that gradients come with, None: 1.
    """

    def __init__(self, arena: ParamArena, engine: Engine, rule: Rule, p: SolverParameter, keep: bool = True,
                 scaling: LossScaling | None = None) -> None:
        self.arena, self.rule, self.p, self._engine, self.scaling = arena, rule, p, engine, scaling
        self.local = LocalRates(arena, p) if wanted(p) else None
        self._attrs = UpdateAttrs(p.regularization_type == "L1", keep)
        arena.make_history(rule.update.memories)
        self._products = None
        if self.local is not None or p.clip_gradients >= 0:
            self._products = Products(arena, engine, self.local.pairs if self.local is not None else [(arena.grad, arena.grad)])
        # a row of terms for each run of params that share one; with layer-wise rates for each param
        self._runs = arena.runs if self.local is None else [
            (*arena.slots[q], q.lr_mult, q.decay_mult) for q in arena.params]
        mults = np.array([run[2:] for run in self._runs], np.float64).reshape(-1, 2)
        self._lr_mults, self._decay_mults = mults[:, 0], mults[:, 1]
        self._terms = flat(engine, (len(self._runs), 3 + len(rule.update.more)), arena.dtype)
        # what they would be with a loss scale of 1, in the engine's memory and as it lies there
        self._wanted = self._terms if scaling is None else flat(engine, self._terms.shape, arena.dtype)
        self._given = np.zeros(self._terms.shape, arena.dtype)
        self._alarm = flat(engine, (_ALARMS,), arena.dtype)
        self._alarms: deque[tuple[int, Fetched]] = deque()     # on a device they are read one update later
        self._bound: dict[tuple[int, int], list[Callable[[], None]]] = {}

    def apply(self, exchange: Exchange, terms: Terms) -> tuple[float, float] | None:
        """Updates everything that exchange.reduced() yields; returns (norm, scale) where gradients were clipped.

        Raises SolverError naming the param whose gradient is not finite; with clipping, LARC or LARS before any param has
        changed, else on a device one update later.
        """
        ranges: Iterable[tuple[int, int]] = exchange.reduced()
        if self.scaling is not None:
            ranges = self.scaling.watched(ranges)
        scale, rates, clipped = 1 / self.p.iter_size, terms.rate * self._lr_mults, None
        if self._products is not None:
            ranges = list(ranges)                              # norms want all gradients
            rows = self._products.take(exchange)
            if self.scaling is None or not self.scaling.forgives(rows[0]):
                scale, rates, clipped = self._with_norms(terms, rows, scale, rates)

        table = np.empty_like(self._given)
        table[:, 0] = scale
        table[:, 1] = terms.weight_decay * self._decay_mults
        table[:, 2] = rates * self.rule.factor(terms)
        table[:, 3:] = self.rule.more(terms)
        if not np.array_equal(table, self._given):
            self._engine.feed([self._wanted], lambda arrays: np.copyto(arrays[0], table))
            self._given = table
        if self.scaling is not None:
            self.scaling.decide(terms.iteration, self._wanted, self._terms)
        for lo, hi in ranges:
            for call in self._bound.get((lo, hi)) or self._bind(lo, hi):
                call()
            exchange.updated(lo, hi)
        self._alarms.append((terms.iteration, self._engine.fetch([self._alarm])))
        self.settle(self._engine.ahead)
        return clipped

    def _with_norms(self, terms: Terms, rows: np.ndarray, scale: float, rates: np.ndarray
                    ) -> tuple[float, np.ndarray, tuple[float, float] | None]:
        """(scale, rates, (norm, factor) where gradients are clipped) from inner products. Raises SolverError as `apply`."""
        self._check_rows(rows, terms.iteration)
        unit, clipped = 1.0 if self.scaling is None else self.scaling.scale, None
        norm = math.sqrt(rows[0].sum()) / unit
        if norm > self.p.clip_gradients >= 0:
            clipped = norm, self.p.clip_gradients / norm
            scale *= clipped[1]
        if self.local is not None:
            rates = self.local.rates(terms, rows, scale / unit)
        return scale, rates, clipped

    def settle(self, keep: int = 0) -> None:
        """Looks at the alarms of all updates but the newest `keep`. Raises SolverError naming the param whose gradient was not
        finite."""
        while len(self._alarms) > keep:
            iteration, fetched = self._alarms.popleft()
            if not np.isfinite(fetched.get()[0]).all():
                self._find_culprit(iteration)

    def _bind(self, lo: int, hi: int) -> list[Callable[[], None]]:
        """The calls that update a slice: one a run of equal multipliers that has a part in it."""
        calls = []
        for k, (run_lo, run_hi, _, _) in enumerate(self._runs):
            a, b = max(lo, run_lo), min(hi, run_hi)
            if a < b:
                pieces = [x[a:b] for x in (self.arena.data, self.arena.grad, *self.arena.hist)]
                row = self._terms[k:k + 1].reshape(-1)
                calls.append(bind_flat(self._engine, self.rule.op, self._attrs, (*pieces, row, self._alarm),
                                       (*pieces, self._alarm)))
        self._bound[lo, hi] = calls
        return calls

    def _check_rows(self, rows: np.ndarray, iteration: int) -> None:
        """Raises SolverError where a product is not finite, and so the gradient or what layer-wise rates need."""
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
        if bad.size:
            q = self.arena.params[bad[0]]
            raise _not_finite("", q, iteration) if math.isfinite(rows[0, bad[0]]) else self._bad_gradient(q, iteration)

    def _find_culprit(self, iteration: int) -> None:
        """Raises SolverError for the first gradient (or update value in its place) that is not finite; where all are, the
        alarm was for large numbers only."""
        self._engine.put(self._alarm, 0)
        for q in self.arena.params:
            if not np.isfinite(self._engine.get(self.arena.view(q, self.arena.grad))).all():
                raise self._bad_gradient(q, iteration)

    def _bad_gradient(self, q: Param, iteration: int) -> SolverError:
        """With a fixed loss scale, that may be the reason."""
        error = _not_finite("the gradient of ", q, iteration)
        if self.scaling is not None and not self.scaling.moves and self.scaling.scale > 1:
            error.fix = f"lower the loss scale of {self.scaling.scale:g} (dynamic finds one); if that is no help, {DIVERGED}"
        return error


DIVERGED = "the training diverged: lower base_lr, set clip_gradients, or look at the data and labels"


def _not_finite(what: str, p: Param, iteration: int) -> SolverError:
    return SolverError(f"{what}param {p.name} is not finite at iteration {iteration}", layer=p.layer_name, where=p.where,
                       fix=DIVERGED)


def check_finite(arena: ParamArena, iteration: int) -> None:
    """Raises SolverError naming the first param (in net order) that holds a value which is not finite."""
    data = arena.engine.get(arena.data)
    for p in arena.net_order:
        if not np.isfinite(arena.view(p, data)).all():
            raise _not_finite("", p, iteration)
