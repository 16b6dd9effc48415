"""Dropout: zeroes each element with probability `ratio` and scales the others by 1 / (1 - ratio).

forward   m_i = 1 if u_i >= ratio 2^32 else 0, with u_i uniform 32-bit numbers;  y = x m / (1 - ratio)
backward  dx = dy m / (1 - ratio)
So the mean of y is x, and at test time nothing is done. m (uint8, shaped as x) is saved; backward reads nothing else.
Shapes: any; y has x's shape. Source: Srivastava et al., JMLR 2014.
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
class DropoutAttrs:
    """ratio: probability that an element is dropped, in [0, 1) (default 0.5)."""

    ratio: float = 0.5

    @property
    def threshold(self) -> int:
        """The smallest 32-bit number that keeps its element."""
        return round(self.ratio * 2**32)

    @property
    def scale(self) -> float:
        """Factor on the elements that are kept."""
        return 1 / (1 - self.ratio)


@op
class Dropout(Op):
    """y = x m / (1 - ratio); saved: m."""

    name = "dropout"
    effects = frozenset({"rng"})
    inplace = ((0, 0),)

    def infer(self, attrs: DropoutAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As the in."""
        return [ins[0]]

    def saved(self, attrs: DropoutAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The mask."""
        return [Spec(ins[0].shape, "uint8")]

    def forward(self, attrs: DropoutAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        assert rng is not None, "dropout draws random numbers"
        x = ins[0]
        mask = (rng.uint32(x.size) >= attrs.threshold).reshape(x.shape)
        if saved:
            np.copyto(saved[0], mask)
        np.multiply(x, mask, out=outs[0])
        np.multiply(outs[0], attrs.scale, out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """dropout_dx on the mask."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("dropout_dx", node.attrs, [node.saved[0], douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: DropoutAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A number drawn, a comparison and a product an element; the mask written."""
        return 3 * ins[0].count, super().cost(attrs, ins, outs)[1] + ins[0].count


@op
class DropoutDx(Op):
    """dx = dy m / (1 - ratio); ins m, dy."""

    name = "dropout_dx"
    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As dy."""
        return [ins[1]]

    def forward(self, attrs: DropoutAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        mask, dy = ins
        np.multiply(dy, mask, out=outs[0])
        np.multiply(outs[0], attrs.scale, out=outs[0])
