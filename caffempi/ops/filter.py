"""Filter: keeps the items of a batch whose selector is not zero; how many is known only when it runs.

forward   y_k = x_k[items], items = the positions n with s_n != 0, in order
backward  dx_k[items] = dy_k, 0 elsewhere
Shapes: x_k (N, ...), s (N, 1, ...); y_k (M, ...) with M the number of items, which may be 0. The selector gets no gradient.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


@op
class Filter(Op):
    """outs y_1.. from ins x_1.., s; attrs None. Saved: the items' positions, the first M of N."""

    name = "filter"
    effects = frozenset({"dynamic"})

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """The largest there can be: all N items. Raises ShapeError where the batch sizes differ or s is not one a item."""
        *xs, s = ins
        if not s.shape or s.count != s.shape[0]:
            raise ShapeError(f"the selector {text(s.shape)} must hold one number for each item", fix="give it shape N x 1")
        for x in xs:
            if not x.shape or x.shape[0] != s.shape[0]:
                raise ShapeError(f"the bottom {text(x.shape)} and the selector {text(s.shape)} differ in their first axis")
        return list(xs)

    def saved(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """Positions of the items."""
        return [Spec((ins[-1].shape[0],), "int64")]

    def actual(self, attrs: Any, ins: Arrays) -> list[Spec]:
        """Shapes for the selector as it stands now."""
        kept = int(np.count_nonzero(ins[-1]))
        return [Spec((kept, *x.shape[1:]), str(x.dtype)) for x in ins[:-1]]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        items = np.flatnonzero(ins[-1])
        for x, y in zip(ins[:-1], outs, strict=True):
            np.take(x, items[:len(y)], axis=0, out=y)
        if saved:
            saved[0][:len(items)] = items

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """filter_dx for each x that wants it."""
        grads: list[Value | None] = []
        for x, dy, wants in zip(node.ins[:-1], douts, need[:-1], strict=True):
            if not wants or dy is None:
                grads.append(None)
            else:
                grads.append(g.emit_grad("filter_dx", None, [node.saved[0], dy], like=[x])[0])
        return [*grads, None]


@op
class FilterDx(Op):
    """dx from the items' positions and dy."""

    name = "filter_dx"
    grad = "none"

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        items, dy = ins
        outs[0].fill(0)
        outs[0][items[:len(dy)]] = dy
