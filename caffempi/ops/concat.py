"""Concatenation along an axis.

forward   y = the ins one after the other along `axis`; all other dims equal
backward  each in gets its part of dy (concat_dx: one node with an out per in, whose shapes say where to cut)
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, starts_with_ones, text


@dataclass(frozen=True)
class ConcatAttrs:
    """axis: the one along which the ins are joined; negative counts from the end."""

    axis: int = 1


@op
class Concat(Op):
    """Joins the ins; see the module."""

    name = "concat"

    def infer(self, attrs: ConcatAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The ins' shape, with the sum of their dims at the axis. Raises ShapeError where the other dims differ."""
        first = ins[0].shape
        axis = canonical_axis(attrs.axis, len(first))
        for i, s in enumerate(ins):
            if len(s.shape) != len(first) or any(a != b for d, (a, b) in enumerate(zip(s.shape, first, strict=True))
                                                 if d != axis):
                raise ShapeError(f"input {i} is {text(s.shape)}, input 0 is {text(first)}: "
                                 f"all but axis {axis} must be equal")
        return [Spec((*first[:axis], sum(s.shape[axis] for s in ins), *first[axis + 1:]), ins[0].dtype)]

    def forward(self, attrs: ConcatAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Copies each in to its part."""
        for a, part in zip(ins, _parts(outs[0], ins, attrs.axis), strict=True):
            part[...] = a

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """concat_dx."""
        if douts[0] is None or not any(need):
            return [None] * len(node.ins)
        parts = g.emit_grad("concat_dx", node.attrs, [douts[0]], like=list(node.ins))
        return [part if wanted else None for part, wanted in zip(parts, need, strict=True)]

    def cost(self, attrs: ConcatAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Copies only."""
        return 0, nbytes(ins) + nbytes(outs)

    def adjacent(self, attrs: ConcatAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> bool:
        """Where nothing but 1s stands before the axis."""
        return starts_with_ones(outs[0].shape, attrs.axis)


@op
class ConcatDx(Op):
    """Cuts dy along the axis into the outs; in: dy."""

    name = "concat_dx"
    grad = "none"

    def forward(self, attrs: ConcatAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Copies each part to its out."""
        for a, part in zip(outs, _parts(ins[0], outs, attrs.axis), strict=True):
            a[...] = part

    def cost(self, attrs: ConcatAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Copies only."""
        return 0, nbytes(ins) + nbytes(outs)

    def adjacent(self, attrs: ConcatAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> bool:
        """Where nothing but 1s stands before the axis."""
        return starts_with_ones(ins[0].shape, attrs.axis)


def _parts(whole: np.ndarray, parts: Arrays, axis: int) -> Iterator[np.ndarray]:
    """Views of the whole, one as long along the axis as each of the parts."""
    axis, start = canonical_axis(axis, whole.ndim), 0
    for p in parts:
        yield whole[(slice(None),) * axis + (slice(start, start + p.shape[axis]),)]
        start += p.shape[axis]
