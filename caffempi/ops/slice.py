"""Cuts a blob into parts along an axis: what concat undoes.

forward   out i = x from points[i - 1] (the start for i = 0) to points[i] (the end for the last) along `axis`
backward  dx = the diffs of the outs one after the other: a concat node, with zeros where no diff flows
Shapes: all dims of an out but that at the axis are x's.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from caffempi.errors import ShapeError
from caffempi.ops.concat import ConcatAttrs
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, starts_with_ones, text


@dataclass(frozen=True)
class SliceAttrs:
    """axis: the one that is cut; negative counts from the end. parts: number of outs.

    points: the parts - 1 places to cut at, rising; none: parts of equal length.
    """

    axis: int
    parts: int
    points: tuple[int, ...] = ()

    def bounds(self, shape: Sequence[int]) -> tuple[int, list[int]]:
        """(axis, the parts + 1 bounds along it). Raises ShapeError where x cannot be cut so."""
        axis = canonical_axis(self.axis, len(shape))
        length = shape[axis]
        if not self.points:
            if length % self.parts:
                raise ShapeError(f"the length {length} of axis {axis} cannot be cut into {self.parts} equal parts; "
                                 f"input {text(shape)}", fix="state the slice points")
            return axis, [i * (length // self.parts) for i in range(self.parts + 1)]
        if self.points[-1] > length or self.parts > length:
            raise ShapeError(f"axis {axis}, of length {length}, cannot be cut into {self.parts} parts at "
                             f"{', '.join(map(str, self.points))}; input {text(shape)}")
        return axis, [0, *self.points, length]


@op
class Slice(Op):
    """The parts of x; see the module."""

    name = "slice"

    def infer(self, attrs: SliceAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """One part an out."""
        x = ins[0].shape
        axis, bounds = attrs.bounds(x)
        return [Spec((*x[:axis], hi - lo, *x[axis + 1:]), ins[0].dtype)
                for lo, hi in pairwise(bounds)]

    def forward(self, attrs: SliceAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Copies each part."""
        axis, bounds = attrs.bounds(ins[0].shape)
        for y, (lo, hi) in zip(outs, pairwise(bounds), strict=True):
            y[...] = ins[0][(slice(None),) * axis + (slice(lo, hi),)]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """A concat of the diffs."""
        if all(d is None for d in douts):
            return [None]
        parts = [g.emit_grad("zeros", None, [], like=[v])[0] if d is None else d
                 for v, d in zip(node.outs, douts, strict=True)]
        return list(g.emit_grad("concat", ConcatAttrs(node.attrs.axis), parts, like=[node.ins[0]]))

    def cost(self, attrs: SliceAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Copies only."""
        return 0, nbytes(ins) + nbytes(outs)

    def adjacent(self, attrs: SliceAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> bool:
        """Where nothing but 1s stands before the axis."""
        return starts_with_ones(ins[0].shape, attrs.axis)
