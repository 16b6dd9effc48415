"""Update ops on random pieces of memory, and their formulas transcribed one element at a time in double precision."""
from __future__ import annotations

import math

import numpy as np

from caffempi.engines.base import Engine
from caffempi.ops import get_op
from caffempi.ops.update import Update, UpdateAttrs
from caffempi.plan.flat import bind_flat


def sgd(g, h, rate, m):
    h[0] = rate * g + m * h[0]
    return h[0]


def nesterov(g, h, rate, m):
    old = h[0]
    h[0] = rate * g + m * old
    return (1 + m) * h[0] - m * old


def adagrad(g, h, rate, delta):
    h[0] += g * g
    return rate * g / (math.sqrt(h[0]) + delta)


def rmsprop(g, h, rate, keep, take, delta):
    h[0] = keep * h[0] + take * g * g
    return rate * g / (math.sqrt(h[0]) + delta)


def adadelta(g, h, rate, keep, take, delta):
    h[0] = keep * h[0] + take * g * g
    u = g * math.sqrt((h[1] + delta) / (h[0] + delta))
    h[1] = keep * h[1] + take * u * u
    return rate * u


def adam(g, h, rate, keep, take, keep2, take2, delta):
    h[0] = keep * h[0] + take * g
    h[1] = keep2 * h[1] + take2 * g * g
    return rate * h[0] / (math.sqrt(h[1]) + delta)


PLAIN = {"sgd_update": sgd, "nesterov_update": nesterov, "adagrad_update": adagrad, "rmsprop_update": rmsprop,
         "adadelta_update": adadelta, "adam_update": adam}
MORE = [("sgd_update", (0.9,)), ("sgd_update", (0.0,)), ("nesterov_update", (0.9,)), ("nesterov_update", (0.0,)),
        ("adagrad_update", (1e-3,)), ("rmsprop_update", (0.5, 0.5, 0.1)), ("rmsprop_update", (0.0, 1.0, 1e-8)),
        ("adadelta_update", (0.95, 0.05, 1e-6)), ("adadelta_update", (0.0, 1.0, 0.5)),
        ("adam_update", (0.9, 0.1, 0.999, 0.001, 1e-8)), ("adam_update", (0.0, 1.0, 0.9, 0.1, 0.01))]


class Case:
    """Arrays of one update in an engine: call `step` with new gradients and terms, then `check` them.

    engine: whose kernel runs; n: elements; lead: how far into a larger array the piece begins, as runs in an arena do.
    """

    def __init__(self, engine: Engine, op: str, attrs: UpdateAttrs, n: int, dtype: str, seed: int, lead: int = 0) -> None:
        rule = get_op(op)
        assert isinstance(rule, Update)
        self.op, self.attrs, self.rng = op, attrs, np.random.default_rng(seed)
        make = [np.zeros(n + lead + 5, dtype) for _ in range(2 + rule.memories)]
        self.w, self.g, *self.h = (a[lead:lead + n] for a in make)
        self.w[...] = self.rng.standard_normal(n)
        self.around = [(a[:lead], a[lead + n:]) for a in make]
        self.terms, self.alarm = np.zeros(3 + len(rule.more), dtype), np.zeros(3, dtype)
        ins = (self.w, self.g, *self.h, self.terms, self.alarm)
        self.call = bind_flat(engine, op, attrs, ins, (*ins[:-2], self.alarm))

    def step(self, scale: float, decay: float, rate: float, *more: float) -> None:
        """One update; what it should give is kept for `check`."""
        self.g[...] = self.rng.standard_normal(self.g.size)
        self.g[4:5] = 0
        self.terms[...] = scale, decay, rate, *more
        scale, decay, rate, *more = self.terms.tolist()
        w = self.w.astype("f8")
        g = scale * self.g.astype("f8") + decay * (np.sign(w) if self.attrs.l1 else w)
        memory = [h.astype("f8") for h in self.h]
        value = np.zeros(self.g.size)
        for i in range(self.g.size):
            own = [h[i] for h in memory]
            value[i] = PLAIN[self.op](g[i], own, rate, *more)
            for h, x in zip(memory, own, strict=True):
                h[i] = x
        self.value, self.want = value, [w - value, *memory]
        self.call()

    def check(self, tol: float) -> None:
        """Params, memories, the value where it is kept; nothing around the piece has been touched."""
        for got, want in zip([self.w, *self.h], self.want, strict=True):
            np.testing.assert_allclose(got, want, rtol=tol, atol=tol)
        if self.attrs.keep:
            np.testing.assert_allclose(self.g, self.value, rtol=tol, atol=tol)
        assert np.isfinite(self.alarm).all()
        assert not any(side.any() for sides in self.around for side in sides)


def run_case(engine: Engine, op: str, more: tuple[float, ...], attrs: UpdateAttrs, n: int, dtype: str, tol: float) -> None:
    """Several updates with terms that change from one to the next."""
    case = Case(engine, op, attrs, n, dtype, seed=n, lead=16)
    for scale, decay, rate in [(1, 0, 0.1), (0.5, 0.1, 0.1), (1, 0.1, 0.02), (0.25, 0.01, 0.0)]:
        case.step(scale, decay, rate, *more)
        case.check(tol)


def run_skipped(engine: Engine, op: str, more: tuple[float, ...], keep: bool, n: int = 70) -> None:
    """A scale of NaN changes nothing, whatever the gradient is; updates before and after it are as if it had not been."""
    case = Case(engine, op, UpdateAttrs(keep=keep), n, "float32", seed=8)
    case.step(0.5, 0.1, 0.1, *more)
    before = [a.copy() for a in (case.w, *case.h)]
    case.g[...] = 1
    case.g[::3] = np.inf
    case.g[1] = np.nan
    case.terms[...] = np.nan, 0.1, 0.1, *more
    case.call()
    for a, b in zip((case.w, *case.h), before, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not case.alarm.any() and not (keep and case.g.any())
    case.step(0.5, 0.1, 0.1, *more)
    case.check(3e-5)
