"""Scale and bias: a factor or a term that covers some neighbouring axes of x and is the same along all others.

scale  y = x w   dx = dy w                      dw = sum of dy x over the axes that w does not cover
bias   y = x + b   dx = dy                        db = sum of dy over the axes that b does not cover
Shapes: w and b have the dims of x from `axis` on, as many as they have axes (none: one number for all of x); y as x.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, product, text


@dataclass(frozen=True)
class AffineAttrs:
    """axis: the first axis of x that the factor or term covers; negative counts from the end (default 1).

    Meaningless, and not looked at, for a scalar factor or term.
    """

    axis: int = 1


def _start(attrs: AffineAttrs, ndim: int, covered: int) -> int:
    """The first axis covered."""
    return canonical_axis(attrs.axis, ndim) if covered else 0


def _spread(w: np.ndarray, attrs: AffineAttrs, ndim: int) -> np.ndarray:
    """w so that it broadcasts over an array of ndim axes."""
    return w.reshape((*w.shape, *(1,) * (ndim - w.ndim - _start(attrs, ndim, w.ndim))))


def _others(attrs: AffineAttrs, ndim: int, covered: int) -> tuple[int, ...]:
    """The axes that are summed over."""
    start = _start(attrs, ndim, covered)
    return *range(start), *range(start + covered, ndim)


class _Affine(Op):
    """What scale and bias share: their shapes."""

    inplace = ((0, 0),)

    def infer(self, attrs: AffineAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x. Raises ShapeError where the second in is not a run of x's dims."""
        x, w = ins
        start = _start(attrs, len(x.shape), len(w.shape))
        run = x.shape[start:start + len(w.shape)]
        if run != w.shape:
            raise ShapeError(f"the {self.name} {text(w.shape)} does not fit a bottom {text(x.shape)}, "
                             f"whose dims from axis {start} on are {text(x.shape[start:])}")
        return [x]


@op
class Scale(_Affine):
    """y = x w; ins x, w."""

    name = "scale"

    def forward(self, attrs: AffineAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        x, w = ins
        np.multiply(x, _spread(w, attrs, x.ndim), out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """dx is a scale of dy; scale_dw reads x."""
        (x, w), dy = node.ins, douts[0]
        if dy is None:
            return [None, None]
        dx = g.emit_grad("scale", node.attrs, [dy, w], like=[x])[0] if need[0] else None
        dw = g.emit_grad("scale_dw", node.attrs, [x, dy], like=[w])[0] if need[1] else None
        return [dx, dw]


@op
class ScaleDw(Op):
    """dw = sum of dy x over the axes that w does not cover; ins x, dy; the out's shape is that of w."""

    name = "scale_dw"
    grad = "none"

    def infer(self, attrs: AffineAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The dims of x from `axis` on; the caller's `like` says how many of them w has."""
        return [Spec(ins[0].shape[attrs.axis:], ins[0].dtype)]

    def forward(self, attrs: AffineAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        x, dy = ins
        np.sum(dy * x, axis=_others(attrs, x.ndim, outs[0].ndim), out=outs[0])

    def replaces(self, attrs: AffineAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> frozenset[int]:
        """Caffe's layer overwrites the gradient where nothing lies before w's axes (a batch of one, say), unless w is a
        single number for several; it counts here when gradients of several backward runs are added up."""
        x, w = ins[0].shape, outs[0].shape
        outer = product(x[:_start(attrs, len(x), len(w))])
        whole = outs[0].count == ins[0].count or (outer == 1 and outs[0].count != 1)
        return frozenset({0}) if whole else frozenset()

    def cost(self, attrs: AffineAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A product and an addition an element of x."""
        return 2 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class Bias(_Affine):
    """y = x + b; ins x, b."""

    name = "bias"

    def forward(self, attrs: AffineAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        x, b = ins
        np.add(x, _spread(b, attrs, x.ndim), out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """dx is dy itself; bias_db reads dy alone."""
        dy = douts[0]
        if dy is None:
            return [None, None]
        db = g.emit_grad("bias_db", node.attrs, [dy], like=[node.ins[1]])[0] if need[1] else None
        return [dy if need[0] else None, db]


@op
class BiasDb(Op):
    """db = sum of dy over the axes that b does not cover; ins dy; the out's shape is that of b."""

    name = "bias_db"
    grad = "none"

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """The dims of dy from `axis` on; the caller's `like` says how many of them b has."""
        return [Spec(ins[0].shape[attrs.axis:], ins[0].dtype)]

    def forward(self, attrs: AffineAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        np.sum(ins[0], axis=_others(attrs, ins[0].ndim, outs[0].ndim), out=outs[0])

    def cost(self, attrs: AffineAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """An addition an element of dy."""
        return ins[0].count, super().cost(attrs, ins, outs)[1]
