"""The largest values along an axis, or of each item, and where they are; no gradient.

Of equal values the one with the higher index comes first, as in Caffe; positions are whole numbers held in y's dtype.
With an axis: y has x's shape with top_k along it, and holds the positions, or with `values` the values.
Without: each item x[n] is one row of numbers; y is (N, 1, top_k) with the positions, or with `values` (N, 2, top_k) with
positions, then values; for an x of more than 3 axes y has as many, of length 1.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, outer_inner, product, text


@dataclass(frozen=True)
class ArgMaxAttrs:
    """axis: None, or the one to search along (negative counts from the end). top_k: how many (default 1).

    values: give the values too, or with an axis in place of the positions.
    """

    axis: int | None = None
    top_k: int = 1
    values: bool = False

    def layout(self, shape: Sequence[int]) -> tuple[int, int, int]:
        """(outer, numbers to choose from, inner) of x. Raises ShapeError where x lacks the axis or has too few numbers."""
        if self.axis is None:
            if not shape:
                raise ShapeError("needs a bottom of one axis or more; this one is a scalar")
            outer, among, inner = shape[0], product(shape[1:]), 1
        else:
            axis = canonical_axis(self.axis, len(shape))
            (outer, inner), among = outer_inner(shape, axis), shape[axis]
        if self.top_k > among:
            raise ShapeError(f"the {self.top_k} largest are asked for, but there are {among} to choose from; input "
                             f"{text(shape)}")
        return outer, among, inner


@op
class ArgMax(Op):
    """Positions and values of the largest; see the module."""

    name = "argmax"
    grad = "refuse"

    def infer(self, attrs: ArgMaxAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """See the module."""
        x = ins[0].shape
        attrs.layout(x)
        if attrs.axis is None:
            shape: tuple[int, ...] = (x[0], 2 if attrs.values else 1, attrs.top_k, *(1,) * (len(x) - 3))
        else:
            axis = canonical_axis(attrs.axis, len(x))
            shape = (*x[:axis], attrs.top_k, *x[axis + 1:])
        return [Spec(shape, ins[0].dtype)]

    def forward(self, attrs: ArgMaxAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        outer, among, inner = attrs.layout(ins[0].shape)
        x = ins[0].reshape(outer, among, inner)
        if attrs.top_k == 1:
            best = among - 1 - np.argmax(x[:, ::-1], axis=1, keepdims=True)
        else:
            best = np.argsort(x, axis=1, kind="stable")[:, :-attrs.top_k - 1:-1]
        if attrs.axis is not None:
            y = outs[0].reshape(outer, attrs.top_k, inner)
            y[...] = np.take_along_axis(x, best, 1) if attrs.values else best
            return
        y = outs[0].reshape(outer, 1 + attrs.values, attrs.top_k)
        y[:, 0] = best[:, :, 0]
        if attrs.values:
            y[:, 1:] = np.take_along_axis(x, best, 1).swapaxes(1, 2)

    def cost(self, attrs: ArgMaxAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One comparison a number."""
        return ins[0].count, nbytes(ins) + nbytes(outs)
