"""Swish: x times the sigmoid of beta x.

forward   s = 1 / (1 + e^(-beta x)),  y = x s
backward  dx = dy (s + beta y (1 - s)); reads y and s, which forward saves: x may be overwritten
Shapes: any; y has x's shape. Source: Ramachandran, Zoph and Le, "Searching for activation functions", 2017.
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
class SwishAttrs:
    """beta: steepness of the sigmoid (default 1)."""

    beta: float = 1.0


@op
class Swish(Op):
    """y = x s; saved: s."""

    name = "swish"
    inplace = ((0, 0),)

    def infer(self, attrs: SwishAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def saved(self, attrs: SwishAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The sigmoid."""
        return [ins[0]]

    def forward(self, attrs: SwishAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """The sigmoid as 0.5 tanh(0.5 beta x) + 0.5, which does not overflow."""
        x = ins[0]
        s = np.multiply(x, 0.5 * attrs.beta, out=saved[0] if saved else np.empty_like(x))
        np.tanh(s, out=s)
        s *= 0.5
        s += 0.5
        np.multiply(x, s, out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """swish_dx."""
        if douts[0] is None:
            return [None]
        ins = [node.outs[0], node.saved[0], douts[0]]
        return list(g.emit_grad("swish_dx", node.attrs, ins, like=[node.ins[0]]))

    def reads_newest(self, node: Node) -> bool:
        """Caffe's layer reads its top, whatever a later in-place layer has made of it."""
        return True

    def cost(self, attrs: SwishAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Five operations an element."""
        return 5 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class SwishDx(Op):
    """dx = dy (s + beta y (1 - s)); ins y, s, dy."""

    name = "swish_dx"
    grad = "none"
    inplace = ((2, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As y."""
        return [ins[0]]

    def forward(self, attrs: SwishAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        y, s, dy = ins
        np.multiply(dy, s + y * y.dtype.type(attrs.beta) * (1 - s), out=outs[0])

    def cost(self, attrs: SwishAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Five operations an element."""
        return 5 * ins[0].count, super().cost(attrs, ins, outs)[1]
