"""Sums over the last axes of a blob.

With x read as (outer, dim), dim being the product of the axes from `axis` on:
sum    y = coeff sum(x)         dx = coeff dy
asum   y = coeff sum(|x|)       dx = coeff sign(x) dy, 0 at x = 0
sumsq  y = coeff sum(x^2)       dx = 2 coeff x dy
mean   y = coeff sum(x) / dim   dx = coeff dy / dim; 0 for dim 0
Shapes: y has the axes of x before `axis`; it is a scalar for axis 0.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, product


@dataclass(frozen=True)
class ReductionAttrs:
    """operation: "sum", "asum", "sumsq" or "mean". axis: the first summed over (negative: from the end). coeff: factor."""

    operation: str = "sum"
    axis: int = 0
    coeff: float = 1.0

    def flat(self, shape: Sequence[int]) -> tuple[int, int]:
        """(outer, dim) of x."""
        axis = canonical_axis(self.axis, len(shape))
        return product(shape[:axis]), product(shape[axis:])

    def factor(self, dim: int) -> float:
        """What the sum is multiplied by."""
        return self.coeff / max(dim, 1) if self.operation == "mean" else self.coeff

    @property
    def reads_x(self) -> bool:
        """Whether the gradient depends on x."""
        return self.operation in ("asum", "sumsq")


@op
class Reduction(Op):
    """y = coeff times a sum; see the module."""

    name = "reduction"

    def infer(self, attrs: ReductionAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The axes before `axis`."""
        shape = ins[0].shape
        return [Spec(shape[:canonical_axis(attrs.axis, len(shape))], ins[0].dtype)]

    def forward(self, attrs: ReductionAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        outer, dim = attrs.flat(ins[0].shape)
        x = ins[0].reshape(outer, dim)
        if attrs.operation == "sumsq":
            total = np.einsum("ij,ij->i", x, x)
        else:
            total = (np.abs(x) if attrs.operation == "asum" else x).sum(axis=1)
        np.multiply(total.reshape(outs[0].shape), attrs.factor(dim), out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """reduction_dx."""
        if douts[0] is None:
            return [None]
        ins = [node.ins[0], douts[0]] if node.attrs.reads_x else [douts[0]]
        return list(g.emit_grad("reduction_dx", node.attrs, ins, like=[node.ins[0]]))

    def cost(self, attrs: ReductionAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition an element, two operations where it is changed first."""
        return (2 if attrs.reads_x else 1) * ins[0].count, nbytes(ins) + nbytes(outs)


@op
class ReductionDx(Op):
    """dx of the reduction; ins: x where the gradient depends on it, dy."""

    name = "reduction_dx"
    grad = "none"

    def forward(self, attrs: ReductionAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        outer, dim = attrs.flat(outs[0].shape)
        dx, dy = outs[0].reshape(outer, dim), ins[-1].reshape(outer, 1) * ins[-1].dtype.type(attrs.factor(dim))
        if attrs.operation == "asum":
            np.multiply(np.sign(ins[0].reshape(outer, dim)), dy, out=dx)
        elif attrs.operation == "sumsq":
            np.multiply(ins[0].reshape(outer, dim), 2 * dy, out=dx)
        else:
            dx[...] = dy
