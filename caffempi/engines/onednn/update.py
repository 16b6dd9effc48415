"""Updates of params (ops/update.py, ops/adaptive_update.py) on oneDNN: a few primitives over pieces that stay in the cache.

Each primitive combines two rows into a third; operands may be multiplied by factors that are read when it runs, so that a
rule is a short list of `Stage`s, bound once. What a primitive overwrites it can add only as it is: so SGD with momentum m is
h = ((rate * scale / m) * g + (rate * decay / m) * W + h) * m, and has another list for m = 0. A sum over the gradient, while
it is in the cache, tells what is not finite.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from caffempi.engines.base import PLAIN, Call, Near, Offer, Operands
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import (
    ADD,
    DIVIDE,
    DST,
    MAXIMUM,
    MULTIPLY,
    REDUCE_SUM,
    SQRT,
    SRC,
    SRC_1,
    SUBTRACT,
    factor_of,
    post_operand,
)
from caffempi.engines.onednn.layouts import Offers
from caffempi.engines.onednn.primitives import PrimitiveDesc
from caffempi.ops.op import get_op
from caffempi.ops.update import update_op

_PIECE, _SHARED = 1 << 17, 1 << 20                              # elements of which three rows stay in an L2, or an L3 cache
_ROW = 1 << 12                                                  # elements that one thread sums at a time
_LEAST = 1e-20                                                  # a momentum that moves a float32, and does not overflow 1 / m


class Stage(NamedTuple):
    """dst = (src op src_1), then what `then` says in turn: "+dst" adds the old dst, "*factor", "+factor", "sqrt".

    Operands are "name" or "factor*name"; names: w, g, h, v (a second memory), t (scratch).
    """

    op: int
    dst: str
    src: str
    src_1: str
    then: tuple[str, ...] = ()


_DECAYED = Stage(ADD, "g", "scale*g", "decay*w")
_STEP = Stage(SUBTRACT, "w", "w", "g")
_SGD_STEP = Stage(SUBTRACT, "w", "w", "h")
_SGD_KEEP = Stage(MAXIMUM, "g", "h", "h")
_MEAN_SQUARE = Stage(MULTIPLY, "t", "take*g", "g"), Stage(ADD, "h", "keep*h", "t")
_DIVIDED = Stage(MAXIMUM, "t", "h", "h", ("sqrt", "+delta")), Stage(DIVIDE, "g", "rate*g", "t"), _STEP
_RULES: dict[str, tuple[Stage, ...]] = {
    "sgd_update": (Stage(ADD, "h", "pull/m*g", "decay/m*w", ("+dst", "*momentum")), _SGD_STEP),
    "sgd_update without momentum": (Stage(ADD, "h", "pull*g", "rate_decay*w"), _SGD_STEP),
    "nesterov_update": (Stage(ADD, "g", "pull*g", "rate_decay*w"), Stage(ADD, "h", "momentum*h", "g"),
                        Stage(ADD, "g", "g", "momentum*h"), _STEP),   # (1 + m) h' - m h = g + m h'
    "adagrad_update": (_DECAYED, Stage(MULTIPLY, "h", "g", "g", ("+dst",)), *_DIVIDED),
    "rmsprop_update": (_DECAYED, *_MEAN_SQUARE, *_DIVIDED),
    "adadelta_update": (_DECAYED, *_MEAN_SQUARE, Stage(MAXIMUM, "t", "h", "h", ("+delta", "sqrt")),
                        Stage(DIVIDE, "g", "g", "t"), Stage(MAXIMUM, "t", "v", "v", ("+delta", "sqrt")),
                        Stage(MULTIPLY, "g", "g", "t"), Stage(MULTIPLY, "t", "take*g", "g"), Stage(ADD, "v", "keep*v", "t"),
                        Stage(MAXIMUM, "g", "rate*g", "rate*g"), _STEP),
    "adam_update": (_DECAYED, Stage(ADD, "h", "keep*h", "take*g"), Stage(MULTIPLY, "t", "take2*g", "g"),
                    Stage(ADD, "v", "keep2*v", "t"), Stage(MAXIMUM, "t", "v", "v", ("sqrt", "+delta")),
                    Stage(DIVIDE, "g", "rate*h", "t"), _STEP),
}
OPS = tuple(name for name in _RULES if " " not in name)


def piece_of(lib: Library) -> int:
    """Elements that go through all stages at a time: more for several threads, since each stage ends with all of them
    waiting for the last."""
    return _PIECE if lib.threads == 1 else _SHARED


def why_not(call: Call, attrs: Any) -> str | None:
    """What this file does not cover."""
    return "knows no decay by the sign of W" if attrs.l1 else None


def update(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """Every update, in place."""
    def way() -> Offer:
        rules = [(*stages, _SGD_KEEP) if attrs.keep and stages[-1] == _SGD_STEP else stages
                 for name, stages in _RULES.items() if name.split()[0] == call.op]
        n, outs = call.ins[0].count, len(call.outs)
        piece = piece_of(lib)
        sizes = sorted({min(n, piece), n % piece} - {0})
        descs = {size: ([[_describe(lib, stage, size) for stage in stages] for stages in rules], _describe_sum(lib, size))
                 for size in sizes}
        scratch = 4 * sizes[-1] if any(s.dst == "t" for stages in rules for s in stages) else 0
        pairs = (*((i, i) for i in range(outs - 1)), (outs, outs - 1))
        return Offer((PLAIN,) * len(call.ins), (PLAIN,) * outs, inplace=pairs, scratch=scratch, cost=0.0,
                     payload=UpdateKernel(lib, call, rules, descs))
    offers.attempt([way])


def _describe(lib: Library, stage: Stage, size: int) -> PrimitiveDesc:
    row, one = lib.plain((size,)), lib.plain((1,))
    posts: list[tuple[Any, ...]] = []
    for then in stage.then:
        if then == "sqrt":
            posts.append((SQRT, 0.0, 0.0))
        else:
            posts.append((1.0,) if then == "+dst" else (ADD if then[0] == "+" else MULTIPLY, one))
    scaled = tuple(a for a, operand in ((SRC, stage.src), (SRC_1, stage.src_1)) if "*" in operand)
    return lib.describe("binary", stage.op, row, row, row, attr=lib.after(*posts, scaled=scaled))


def _describe_sum(lib: Library, size: int) -> PrimitiveDesc:
    rows = _sums(size)
    return lib.describe("reduction", REDUCE_SUM, lib.plain((rows, size // rows)), lib.plain((rows, 1)), 0.0, 0.0)


def _sums(size: int) -> int:
    """How many sums are made of a piece."""
    return size // _ROW if size % _ROW == 0 else 1


@dataclass(frozen=True)
class UpdateKernel:
    """The stages of each variant of a rule, described for each size of a piece, with the sum for the alarm."""

    lib: Library
    call: Call
    rules: Sequence[tuple[Stage, ...]]
    descs: dict[int, tuple[list[list[PrimitiveDesc]], PrimitiveDesc]]

    def compile(self) -> UpdateKernel:
        """Primitives are made as they are bound."""
        return self

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """All calls over all pieces with prebuilt arguments, those of a variant at its first use."""
        return Bound(self, ptrs).run


class Bound:
    """An update on fixed memory."""

    def __init__(self, kernel: UpdateKernel, ptrs: Operands) -> None:
        self._kernel = kernel
        *self._flat, self._terms, self._alarm = ptrs.ins
        self._t = ptrs.scratch.view(np.float32) if ptrs.scratch is not None else None
        self._names = ("scale", "decay", "rate", *update_op(get_op(kernel.call.op)).more)
        self._factors: dict[str, np.ndarray] = {}
        self._programs: dict[int, list[Callable[[], None]]] = {}
        self._piece = piece_of(kernel.lib)
        self._sums = np.zeros((-(-self._flat[0].size // self._piece), self._piece // _ROW), np.float32)

    def run(self) -> None:
        """Reads the terms, sets the factors, runs the variant that fits."""
        values = dict(zip(self._names, self._terms.tolist(), strict=True))
        if math.isnan(values["scale"]):                        # the update is to be skipped
            self._flat[1].fill(0)
            return
        pull, decay, m = values["rate"] * values["scale"], values["rate"] * values["decay"], values.get("momentum", 0.0)
        moves = abs(m) > _LEAST
        values.update({"pull": pull, "rate_decay": decay, "pull/m": pull / m if moves else 0.0,
                       "decay/m": decay / m if moves else 0.0})
        variant = 0 if moves else len(self._kernel.rules) - 1
        if variant not in self._programs:
            self._programs[variant] = self._calls(variant)
        for name, factor in self._factors.items():
            factor[0] = values[name]
        for call in self._programs[variant]:
            call()
        if not np.isfinite(self._sums).all():
            self._sums.fill(0)
            self._alarm.fill(np.nan)

    def _calls(self, variant: int) -> list[Callable[[], None]]:
        calls = []
        for k, lo in enumerate(range(0, self._flat[0].size, self._piece)):
            rows = dict(zip("wghv", (a[lo:lo + self._piece] for a in self._flat), strict=False))
            size = rows["w"].size
            if self._t is not None:
                rows["t"] = self._t[:size]
            variants, total = self._kernel.descs[size]
            calls.append(self._bind(total, {SRC: rows["g"], DST: self._sums[k, :_sums(size)]}, {}))
            for stage, desc in zip(self._kernel.rules[variant], variants[variant], strict=True):
                calls.append(self._bind(desc, *self._arguments(stage, rows)))
        return calls

    def _arguments(self, stage: Stage, rows: dict[str, np.ndarray]) -> tuple[dict[int, np.ndarray], dict[int, np.ndarray]]:
        """(arrays, factors) of a stage by argument id."""
        arrays, factors = {DST: rows[stage.dst]}, {}
        for argument, operand in ((SRC, stage.src), (SRC_1, stage.src_1)):
            factor, _, name = operand.rpartition("*")
            arrays[argument] = rows[name]
            if factor:
                factors[factor_of(argument)] = self._factor(factor)
        for i, then in enumerate(stage.then):
            if then not in ("sqrt", "+dst"):
                factors[post_operand(i)] = self._factor(then[1:])
        return arrays, factors

    def _factor(self, name: str) -> np.ndarray:
        return self._factors.setdefault(name, np.zeros(1, np.float32))

    def _bind(self, desc: PrimitiveDesc, arrays: dict[int, np.ndarray], factors: dict[int, np.ndarray]) -> Callable[[], None]:
        scratch = np.empty(desc.scratch, np.uint8) if desc.scratch else None
        return desc.primitive.bind(arrays, scratch, factors)
