"""Rows of a table, picked by their indices: a lookup.

forward   y[i] = table[index[i]] for each place i of index; indices are whole numbers held in floats, fractions cut off
backward  dtable[r] = the sum of dy[i] over all i with index[i] = r. The index has no gradient.
Shapes: table (R, ...); index any; y (index's shape, table's dims after the first).
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from caffempi.errors import DataError, ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import product


@dataclass(frozen=True)
class RowsAttrs:
    """axis: the one of the table that indices count along: always the first."""

    axis: ClassVar[int] = 0


@op
class Rows(Op):
    """y = table[index]; ins table, index. See the module."""

    name = "rows"
    differentiable = (0,)

    def infer(self, attrs: RowsAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(index's shape, a row's shape). Raises ShapeError for a table without axes."""
        table, index = ins
        if not table.shape:
            raise ShapeError("needs a bottom of one axis or more to pick rows from; this one is a scalar")
        return [Spec((*index.shape, *table.shape[1:]), table.dtype)]

    def forward(self, attrs: RowsAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module. Raises DataError for an index that is no row."""
        table, index = ins
        outs[0][...] = table[_read(index, table.shape[0])]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """rows_dtable."""
        if douts[0] is None:
            return [None, None]
        table, index = node.ins
        return [g.emit_grad("rows_dtable", node.attrs, [index, douts[0]], like=[table])[0], None]

    def cost(self, attrs: RowsAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Copies of the rows that are picked."""
        return 0, nbytes(ins[1:]) + 2 * nbytes(outs)


@op
class RowsDtable(Op):
    """dtable[r] = the sum of the diffs of the places that picked row r; ins index, dy."""

    name = "rows_dtable"
    grad = "none"

    def forward(self, attrs: RowsAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Brings equal indices together, then sums each run."""
        dtable = outs[0]
        dtable.fill(0)
        index = _read(ins[0], dtable.shape[0]).ravel()
        if not index.size or not dtable.size:
            return
        order = np.argsort(index, kind="stable")
        rows, starts = np.unique(index[order], return_index=True)
        width = product(dtable.shape[1:])
        sums = np.add.reduceat(ins[1].reshape(index.size, width)[order], starts, axis=0)
        dtable.reshape(dtable.shape[0], width)[rows] = sums

    def cost(self, attrs: RowsAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition a diff."""
        return ins[1].count, nbytes(ins) + nbytes(outs)


def _read(index: np.ndarray, rows: int) -> np.ndarray:
    """The indices as int64. Raises DataError on the first that is not in 0..rows - 1."""
    with np.errstate(invalid="ignore"):
        whole = np.trunc(index)
        bad = ~((whole >= 0) & (whole < rows))
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        where = f" at position {place[0] if len(place) == 1 else list(place)}" if place else ""
        raise DataError(f"index {float(index[place]):g}{where} is none of the {rows} rows"
                        + (f", 0..{rows - 1}" if rows else ""), fix="correct the indices")
    return whole.astype(np.int64)
