"""Absolute value, clipping and threshold, element by element.

abs        y = |x|                      dx = dy sign(x), 0 at x = 0
clip       y = min(max(x, low), high)   dx = dy where low <= x <= high, else 0
threshold  y = 1 if x > at else 0       no gradient: asking for one is an error, as in Caffe
Backward reads x. Shapes: any; y has x's shape.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


@dataclass(frozen=True)
class ClipAttrs:
    """low, high: the least and the greatest output; low <= high."""

    low: float
    high: float


@dataclass(frozen=True)
class ThresholdAttrs:
    """at: what an input must exceed (default 0)."""

    at: float = 0.0


class _Elementwise(Op):
    """A function of one element."""

    inplace = ((0, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]


class _Dx(Op):
    """dx from (x, dy); may overwrite dy."""

    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]


@op
class Abs(_Elementwise):
    """y = |x|; attrs None."""

    name = "abs"

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        np.abs(ins[0], out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """abs_dx."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("abs_dx", None, [node.ins[0], douts[0]], like=[node.ins[0]]))


@op
class AbsDx(_Dx):
    """dx = dy sign(x)."""

    name = "abs_dx"

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        x, dy = ins
        np.multiply(dy, np.sign(x), out=outs[0])


@op
class Clip(_Elementwise):
    """y = min(max(x, low), high); NaN stays NaN."""

    name = "clip"

    def forward(self, attrs: ClipAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        np.clip(ins[0], attrs.low, attrs.high, out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """clip_dx."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("clip_dx", node.attrs, [node.ins[0], douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: ClipAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two comparisons an element."""
        return 2 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class ClipDx(_Dx):
    """dx = dy where low <= x <= high, else 0: at the limits themselves it passes."""

    name = "clip_dx"

    def forward(self, attrs: ClipAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        x, dy = ins
        np.multiply(dy, (x >= attrs.low) & (x <= attrs.high), out=outs[0])

    def cost(self, attrs: ClipAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two comparisons and a product an element."""
        return 3 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class Threshold(_Elementwise):
    """y = 1 if x > at else 0."""

    name = "threshold"
    grad = "refuse"

    def forward(self, attrs: ThresholdAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        np.copyto(outs[0], ins[0] > attrs.at)
