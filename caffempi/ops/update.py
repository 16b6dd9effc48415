"""Updates of params over flat memory: decay, the rule of SGD or Nesterov, and the step, as one op. The base of all of them.

    g = scale * gradient + decay * W                    (L2), or + decay * sign(W) (L1)
    value and memory by the rule, from g and rate;      W = W - value

sgd_update        h = rate * g + momentum * h;  value = h
nesterov_update   h' = rate * g + momentum * h;  value = (1 + momentum) * h' - momentum * h;  h = h'

For SGD and Nesterov the rate is inside h: a later change of it does not rescale h.

Ins: W, gradient, memory (h; h1, h2), each (n,); terms (3 or more,); alarm (any,). Outs: W, the gradient's place, memory,
alarm, each of which is meant to be the array of its in. terms: scale, decay, rate, then what the rule names in `more`; they
are read at each run, so that numbers that change from run to run need no new call. The gradient's place holds the value
afterwards where attrs.keep is set; else it may hold anything. A scale of NaN skips the update: params, memory and alarm keep
what they hold, whatever the gradient is, and the value is 0. alarm: elements that become NaN where an element of the
gradient is not finite (engines whose check is a sum may also raise it where that passes the dtype's range); otherwise they
keep what they hold.

Work goes in chunks that stay in the cache. Formulas and the layout of memories: Caffe's.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng

CHUNK = 1 << 16                                                # elements: four arrays of them fit into a 2 MB cache


@dataclass(frozen=True)
class UpdateAttrs:
    """l1: decay pulls by the sign of W, not by W. keep: the gradient's place holds the value afterwards."""

    l1: bool = False
    keep: bool = True


class Update(Op):
    """Base of updates. A subclass sets name, memories, more and inplace, and overrides value.

    memories: arrays of memory a param has, 0 at first. more: names of its terms after scale, decay and rate.
    """

    grad = "none"
    memories: ClassVar[int] = 1
    more: ClassVar[tuple[str, ...]] = ()
    inplace: tuple[tuple[int, int], ...] = ((0, 0), (1, 1), (2, 2), (4, 3))

    def infer(self, attrs: UpdateAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As the ins, less terms."""
        return [*ins[:-2], ins[-1]]

    def forward(self, attrs: UpdateAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        scale, decay, *terms = ins[-2].tolist()
        for a, b in zip([*ins[:-2], ins[-1]], outs, strict=True):
            if a is not b:
                np.copyto(b, a)
        w, g, *memory, alarm = outs
        if math.isnan(scale):
            g.fill(0)
            return
        scratch = np.empty(min(CHUNK, w.size), w.dtype)
        with np.errstate(over="ignore", invalid="ignore"):     # the alarm tells
            for lo in range(0, w.size, CHUNK):
                part = slice(lo, min(lo + CHUNK, w.size))
                if not finite(g[part]):
                    alarm[...] = np.nan
                self._chunk(attrs, w[part], g[part], [h[part] for h in memory], (scale, decay, *terms),
                            scratch[:w[part].size])

    def _chunk(self, attrs: UpdateAttrs, w: np.ndarray, g: np.ndarray, memory: Sequence[np.ndarray],
               terms: tuple[float, ...], scratch: np.ndarray) -> None:
        scale, decay, rate, *more = terms
        if scale != 1:
            np.multiply(g, scale, out=g)
        if decay:
            pull = np.sign(w, out=scratch) if attrs.l1 else w
            np.multiply(pull, decay, out=scratch)
            np.add(g, scratch, out=g)
        value = self.value(g, memory, scratch, rate, *more)
        np.subtract(w, value, out=w)
        if attrs.keep and value is not g:
            np.copyto(g, value)

    def value(self, g: np.ndarray, memory: Sequence[np.ndarray], scratch: np.ndarray, rate: float,
              *more: float) -> np.ndarray:
        """The rule on one piece: brings `memory` up to date and returns what is to be subtracted from W.

        g (n,): scaled and decayed; may be overwritten. scratch (n,): free to use. The result may be g, a memory or scratch.
        """
        raise NotImplementedError

    def cost(self, attrs: UpdateAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """About five operations an element and memory; the gradient is written only where it is kept."""
        return 5 * (self.memories + 1) * ins[0].count, nbytes(ins) + nbytes(outs) - (0 if attrs.keep else nbytes(ins[1:2]))


def finite(values: np.ndarray) -> bool:
    """Whether all of a flat array are finite: a sum of squares is one quick pass, and passes the range only if in doubt."""
    return math.isfinite(float(np.dot(values, values))) or bool(np.isfinite(values).all())


@op
class SgdUpdate(Update):
    """h = rate * g + momentum * h; W -= h."""

    name = "sgd_update"
    more = ("momentum",)

    def value(self, g: np.ndarray, memory: Sequence[np.ndarray], scratch: np.ndarray, rate: float,
              *more: float) -> np.ndarray:
        """h."""
        h, (momentum,) = memory[0], more
        np.multiply(g, rate, out=g)
        np.multiply(h, momentum, out=h)
        np.add(h, g, out=h)
        return h


@op
class NesterovUpdate(Update):
    """h' = rate * g + momentum * h; W -= (1 + momentum) * h' - momentum * h; h = h'."""

    name = "nesterov_update"
    more = ("momentum",)

    def value(self, g: np.ndarray, memory: Sequence[np.ndarray], scratch: np.ndarray, rate: float,
              *more: float) -> np.ndarray:
        """In g."""
        h, (momentum,) = memory[0], more
        np.multiply(h, momentum, out=scratch)
        np.multiply(g, rate, out=h)
        np.add(h, scratch, out=h)
        np.multiply(h, 1 + momentum, out=g)
        np.subtract(g, scratch, out=g)
        return g


def update_op(rule: Any) -> Update:
    """The op as an update. Raises TypeError where it is another kind of op: a fault of the program, not of its user."""
    if not isinstance(rule, Update):
        raise TypeError(f'op "{rule.name}" is no update')
    return rule
