"""Repeats a blob along an axis.

forward   y = x, tiles times one after the other along `axis`
backward  dx = the sum of the tiles' diffs
Shapes: y has x's, with the dim at the axis times tiles.
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
class TileAttrs:
    """axis: the one along which x is repeated; negative counts from the end (default 1). tiles: how often."""

    axis: int
    tiles: int

    def cut(self, x: Sequence[int]) -> tuple[int, int]:
        """(number of blocks that are repeated, size of one) of a blob of x's shape."""
        axis = canonical_axis(self.axis, len(x))
        return product(x[:axis]), product(x[axis:])


@op
class Tile(Op):
    """y = x, repeated; see the module."""

    name = "tile"

    def infer(self, attrs: TileAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """x's shape with one dim times tiles."""
        x = ins[0].shape
        axis = canonical_axis(attrs.axis, len(x))
        return [Spec((*x[:axis], x[axis] * attrs.tiles, *x[axis + 1:]), ins[0].dtype)]

    def forward(self, attrs: TileAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        blocks, size = attrs.cut(ins[0].shape)
        outs[0].reshape(blocks, attrs.tiles, size)[...] = ins[0].reshape(blocks, 1, size)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """tile_dx."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("tile_dx", node.attrs, [douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: TileAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Copies only."""
        return 0, nbytes(ins) + nbytes(outs)


@op
class TileDx(Op):
    """dx = the sum of the tiles of dy; in: dy."""

    name = "tile_dx"
    grad = "none"

    def forward(self, attrs: TileAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        blocks, size = attrs.cut(outs[0].shape)
        np.sum(ins[0].reshape(blocks, attrs.tiles, size), axis=1, out=outs[0].reshape(blocks, size))

    def cost(self, attrs: TileAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition a diff."""
        return ins[0].count, nbytes(ins) + nbytes(outs)
