"""Softmax along one axis.

forward   y_i = e^(x_i - max x) / sum_j e^(x_j - max x)
backward  dx = y (dy - sum_j dy_j y_j); reads the output, so that the forward may run in place.
Shapes: any with the axis; y has x's shape.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis


@dataclass(frozen=True)
class SoftmaxAttrs:
    """axis: along which the outputs sum to one; negative counts from the end (default 1)."""

    axis: int = 1


def softmax(x: np.ndarray, axis: int, out: np.ndarray) -> None:
    """Writes the softmax of x along the axis to out, which may be x."""
    if x.size == 0:
        return
    np.subtract(x, x.max(axis=axis, keepdims=True), out=out)
    np.exp(out, out=out)
    np.divide(out, out.sum(axis=axis, keepdims=True), out=out)


@op
class Softmax(Op):
    """y = e^x / sum e^x along the axis."""

    name = "softmax"
    inplace = ((0, 0),)

    def infer(self, attrs: SoftmaxAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As the in. Raises ShapeError where it has no such axis."""
        canonical_axis(attrs.axis, len(ins[0].shape))
        return [ins[0]]

    def forward(self, attrs: SoftmaxAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        softmax(ins[0], attrs.axis, outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """softmax_dx on the output."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("softmax_dx", node.attrs, [node.outs[0], douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: SoftmaxAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Maximum, difference, exponential, sum and quotient an element."""
        return 5 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class SoftmaxDx(Op):
    """dx = y (dy - sum_j dy_j y_j); ins y, dy."""

    name = "softmax_dx"
    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As dy."""
        return [ins[1]]

    def forward(self, attrs: SoftmaxAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        y, dy = ins
        np.subtract(dy, (dy * y).sum(axis=attrs.axis, keepdims=True), out=outs[0])
        np.multiply(outs[0], y, out=outs[0])

    def cost(self, attrs: SoftmaxAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two products, a sum and a difference an element."""
        return 4 * ins[0].count, super().cost(attrs, ins, outs)[1]
