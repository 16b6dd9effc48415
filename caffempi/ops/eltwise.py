"""Combines equal shapes element by element: weighted sum, product, maximum.

weighted_sum  y = sum_i c_i x_i         dx_i = c_i dy
eltwise_prod  y = prod_i x_i            dx_i = dy prod_{j != i} x_j, or, quicker but undefined where x_i = 0, dy y / x_i
eltwise_max   y = max_i x_i             dx_i = dy where i is the winner, else 0
Of equal values, the maximum of the first two is the second's; a later one wins only if it is strictly greater (Caffe's
rule; at a tie the gradient therefore goes to one in alone). The winner's index is saved, so backward reads no x.
Shapes: two ins or more (weighted_sum: one too) of one shape, any; y as they. The plain sum is the op `sum`.
An in may come twice, and y may be the first in: so y is written last.
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
from caffempi.ops.shapes import text


@dataclass(frozen=True)
class WeightedSumAttrs:
    """coeffs: a weight for each in."""

    coeffs: tuple[float, ...]


@dataclass(frozen=True)
class EltwiseProdAttrs:
    """stable: form the gradient as the product of the others (default), not by dividing."""

    stable: bool = True


@dataclass(frozen=True)
class EltwiseDxAttrs:
    """index: the in whose gradient is meant."""

    index: int


class _Eltwise(Op):
    """What the three combinations share: their shapes, and that the first in may be overwritten."""

    inplace = ((0, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As the ins. Raises ShapeError where they differ."""
        if any(s.shape != ins[0].shape for s in ins):
            raise ShapeError(f"needs bottoms of one shape; got {', '.join(text(s.shape) for s in ins)}")
        return [ins[0]]

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One operation an element of each in."""
        return sum(s.count for s in ins), super().cost(attrs, ins, outs)[1]


@op
class WeightedSum(_Eltwise):
    """y = sum_i c_i x_i; one in or more."""

    name = "weighted_sum"

    def forward(self, attrs: WeightedSumAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        total = np.multiply(ins[0], attrs.coeffs[0], out=np.empty_like(ins[0]))
        for x, c in zip(ins[1:], attrs.coeffs[1:], strict=True):
            total += x * c
        np.copyto(outs[0], total)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """A weighted sum of dy alone, or dy itself where the weight is 1."""
        dy = douts[0]
        grads: list[Value | None] = []
        for x, c, wanted in zip(node.ins, node.attrs.coeffs, need, strict=True):
            if dy is None or not wanted:
                grads.append(None)
            else:
                grads.append(dy if c == 1 else g.emit_grad("weighted_sum", WeightedSumAttrs((c,)), [dy], like=[x])[0])
        return grads


@op
class EltwiseProd(_Eltwise):
    """y = prod_i x_i."""

    name = "eltwise_prod"

    def forward(self, attrs: EltwiseProdAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        total = ins[0]
        for x in ins[1:-1]:
            total = np.multiply(total, x)
        np.multiply(total, ins[-1], out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """eltwise_prod of dy and the others; or eltwise_prod_dx on (x_i, y, dy)."""
        dy = douts[0]
        grads: list[Value | None] = []
        for i, x in enumerate(node.ins):
            if dy is None or not need[i]:
                grads.append(None)
            elif node.attrs.stable:
                others = [v for j, v in enumerate(node.ins) if j != i]
                grads += g.emit_grad("eltwise_prod", node.attrs, [dy, *others], like=[x])
            else:
                grads += g.emit_grad("eltwise_prod_dx", None, [x, node.outs[0], dy], like=[x])
        return grads


@op
class EltwiseProdDx(Op):
    """dx = dy y / x; ins x, y, dy. Not finite where x = 0, as asked for."""

    name = "eltwise_prod_dx"
    grad = "none"
    inplace = ((2, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        x, y, dy = ins
        with np.errstate(divide="ignore", invalid="ignore"):
            np.multiply(y / x, dy, out=outs[0])

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A quotient and a product an element."""
        return 2 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class EltwiseMax(_Eltwise):
    """y = max_i x_i; saved: the winner's index, int32, as y."""

    name = "eltwise_max"

    def saved(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The winners."""
        return [Spec(ins[0].shape, "int32")]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        first = ins[0] > ins[1]
        winner = np.where(first, np.int32(0), np.int32(1))
        best = np.where(first, ins[0], ins[1])
        for i, x in enumerate(ins[2:], 2):
            greater = x > best
            np.copyto(best, x, where=greater)
            np.copyto(winner, np.int32(i), where=greater)
        np.copyto(outs[0], best)
        if saved:
            np.copyto(saved[0], winner)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """eltwise_max_dx on the winners, for each in."""
        dy = douts[0]
        return [None if dy is None or not wanted else
                g.emit_grad("eltwise_max_dx", EltwiseDxAttrs(i), [node.saved[0], dy], like=[x])[0]
                for i, (x, wanted) in enumerate(zip(node.ins, need, strict=True))]


@op
class EltwiseMaxDx(Op):
    """dx = dy where the in of that index won, else 0; ins winners, dy."""

    name = "eltwise_max_dx"
    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As dy."""
        return [ins[1]]

    def forward(self, attrs: EltwiseDxAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        winner, dy = ins
        np.multiply(dy, winner == attrs.index, out=outs[0])
