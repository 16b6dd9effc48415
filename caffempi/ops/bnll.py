"""BNLL, the binomial normal log likelihood, also called softplus: a smooth ReLU.

forward   y = ln(1 + e^x), formed as max(x, 0) + ln(1 + e^-|x|), which does not overflow
backward  dx = dy e^x / (1 + e^x); reads x
Caffe forms the quotient from e^min(x, 50), which is 1 to the last bit beyond: the same number.
Shapes: any; y has x's shape.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


class _Softplus(Op):
    """What both directions share: shapes and cost."""

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Four operations an element."""
        return 4 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class Bnll(_Softplus):
    """y = ln(1 + e^x); attrs None."""

    name = "bnll"
    inplace = ((0, 0),)

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        x = ins[0]
        np.add(np.maximum(x, 0), np.log1p(np.exp(-np.abs(x))), out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """bnll_dx."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("bnll_dx", None, [node.ins[0], douts[0]], like=[node.ins[0]]))


@op
class BnllDx(_Softplus):
    """dx = dy e^x / (1 + e^x); ins x, dy."""

    name = "bnll_dx"
    grad = "none"
    inplace = ((1, 0),)

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """With t = e^-|x|: the factor is 1 / (1 + t) for x > 0, t / (1 + t) otherwise."""
        x, dy = ins
        t = np.exp(-np.abs(x))
        np.multiply(dy, np.where(x > 0, x.dtype.type(1), t) / (1 + t), out=outs[0])
