"""Learning rates of their own for each param, from norms: LARC (NVCaffe) and LARS (Intel Caffe), for large batches.

g is the gradient after clipping and division by iter_size, before decay; norms are L2. With the rate of the update:

    LARC (larc)           l = (1 - momentum) * larc_eta * |W| / |g|
    LARS (local_lr_auto)  l = local_gw_ratio * |W| / (|g| + weight_decay * |W|)
    l = 1 where |W| or |g| is 0

    larc_policy "clip"                the param's rate is  lr_mult * min(rate, l)
    larc_policy "scale", and LARS     lr_mult * rate * l

The originals look at lr_mult only for 0; here it is obeyed. larc_turbo (NVCaffe): l is lowered by 0.9 * c, where c, 0 at
first, follows how much the gradient points along the rule's first memory h:

    c = 0.95 * c + 0.05 * <g, h> / (|g| |h|)          with 0 in place of the quotient where a norm is 0
"""
from __future__ import annotations

import numpy as np

from caffempi.errors import SolverError
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.rules import Terms

_KEPT, _TURBO = 0.95, 0.9                                      # of c a step, and its weight


class LocalRates:
    """The rates of an arena's params. correlation: c of larc_turbo, a number a param, in the arena's order of params.

    net_order: the places there of the params in net order, in which states keep it.
    """

    def __init__(self, arena: ParamArena, p: SolverParameter) -> None:
        self.arena, self.p = arena, p
        self.correlation = np.zeros(len(arena.params))
        place = {q: k for k, q in enumerate(arena.params)}
        self.net_order = [place[q] for q in arena.net_order]
        self._mults = np.array([q.lr_mult for q in arena.params], np.float64)

    @property
    def pairs(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The arrays whose inner products, param by param, `rates` wants: <g, g>, <W, W> and with larc_turbo <h, h>, <g, h>;
        g as the exchange gives it. The arena has its history."""
        a = self.arena
        pairs = [(a.grad, a.grad), (a.data, a.data)]
        if self.p.larc_turbo:
            pairs += [(a.hist[0], a.hist[0]), (a.grad, a.hist[0])]
        return pairs

    def rates(self, terms: Terms, rows: np.ndarray, scale: float) -> np.ndarray:
        """The rate of each param, lr_mult included. rows: products of `pairs`. scale: what the gradient is still to be
        multiplied by."""
        p = self.p
        g, w = scale * np.sqrt(rows[0]), np.sqrt(rows[1])
        used = (g > 0) & (w > 0)
        if p.larc:
            ratio = (1 - terms.momentum) * p.larc_eta * _quotient(w, g, used, 1.0)
        else:
            ratio = p.local_gw_ratio * _quotient(w, g + terms.weight_decay * w, used, 1.0)
        local = np.where(used, ratio, 1.0)
        if p.larc_turbo:
            lengths = g * np.sqrt(rows[2])
            cosine = _quotient(scale * rows[3], lengths, lengths > 0, 0.0)
            self.correlation[:] = _KEPT * self.correlation + (1 - _KEPT) * cosine
            local -= _TURBO * self.correlation
        if p.larc and p.larc_policy == "clip":
            return self._mults * np.minimum(terms.rate, local)
        return self._mults * terms.rate * local


def wanted(p: SolverParameter) -> bool:
    """Whether a solver has layer-wise rates. Raises SolverError for settings that contradict each other."""
    if p.larc and p.local_lr_auto:
        raise SolverError("larc and local_lr_auto are both on", field="local_lr_auto", fix="remove one")
    if p.larc_policy not in ("scale", "clip"):
        raise SolverError("unknown", field="larc_policy", value=p.larc_policy, fix='give "scale" or "clip"')
    if p.larc_turbo and not p.larc:
        raise SolverError("is without effect: larc is off", field="larc_turbo", fix="set larc: true, or remove it")
    return p.larc or p.local_lr_auto


def _quotient(a: np.ndarray, b: np.ndarray, where: np.ndarray, other: float) -> np.ndarray:
    """a / b where that is wanted, `other` elsewhere."""
    return np.divide(a, b, out=np.full_like(a, other), where=where)
