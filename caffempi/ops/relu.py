"""ReLU with a slope for negative inputs.

forward   y = max(x, 0) + slope * min(x, 0)
backward  dx = dy * (1 if x > 0 else slope); at x = 0 the slope counts, as in Caffe.
With slope >= 0 the sign of y is that of x, so backward reads y: the forward may run in place.
Shapes: any; y has x's shape.
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
class ReluAttrs:
    """slope: factor on negative inputs (Caffe's negative_slope, default 0)."""

    slope: float = 0.0


@op
class Relu(Op):
    """y = max(x, 0) + slope * min(x, 0)."""

    name = "relu"
    inplace = ((0, 0),)

    def infer(self, attrs: ReluAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As the in."""
        return [ins[0]]

    def forward(self, attrs: ReluAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x, y = ins[0], outs[0]
        if attrs.slope == 0:
            np.maximum(x, 0, out=y)
        else:
            np.copyto(y, np.where(x > 0, x, x * x.dtype.type(attrs.slope)))

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """relu_dx on the output, or on the input where a negative slope hides the sign."""
        reads = node.outs[0] if node.attrs.slope >= 0 else node.ins[0]
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("relu_dx", node.attrs, [reads, douts[0]], like=[node.ins[0]]))

    def reads_newest(self, node: Node) -> bool:
        """In place, Caffe's layer looks at the blob for the sign, whatever has become of it."""
        return node.ins[0].blob is not None and node.ins[0].blob == node.outs[0].blob


@op
class ReluDx(Op):
    """dx = dy * (1 if s > 0 else slope), s being the forward's output (or input)."""

    name = "relu_dx"
    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As dy."""
        return [ins[1]]

    def forward(self, attrs: ReluAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        s, dy = ins
        if attrs.slope == 0:
            np.multiply(dy, s > 0, out=outs[0])
        else:
            np.multiply(dy, np.where(s > 0, dy.dtype.type(1), dy.dtype.type(attrs.slope)), out=outs[0])
