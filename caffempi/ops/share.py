"""Ops that hand data on: reshape and split (aliases: their outs are the in's memory), copy, and sum.

reshape  y = x under another shape. Data and diff are shared: backward is reshape_like, an alias of dy in x's shape.
split    n outs, all equal to x. Data are shared, diffs are not: backward is the sum of the outs' diffs.
copy     y = x in memory of its own; dx = dy.
sum      y = x_0 + x_1 + ... (one or more ins of one shape), added in that order; each dx_i = dy.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, product, text


@dataclass(frozen=True)
class FlattenAttrs:
    """For reshape: joins the axes from `axis` to `end_axis`, both included; negative ones count from the end."""

    axis: int = 1
    end_axis: int = -1

    def shape(self, x: tuple[int, ...]) -> tuple[int, ...]:
        """The shape that x gets. Raises ShapeError where an axis does not exist or the last lies before the first."""
        axis, end = canonical_axis(self.axis, len(x)), canonical_axis(self.end_axis, len(x))
        if end < axis:
            raise ShapeError(f"the last axis to join ({end}) lies before the first ({axis}); input {text(x)}")
        return (*x[:axis], product(x[axis:end + 1]), *x[end + 1:])


@dataclass(frozen=True)
class ReshapeAttrs:
    """For reshape: the num_axes axes from `axis` on become `dims`.

    dims: 0 takes over the dim at the same place of those axes; one -1 becomes what is left. num_axes: -1 for all from
    axis on. axis: negative ones count from the end, -1 being the place after the last.
    """

    dims: tuple[int, ...]
    axis: int = 0
    num_axes: int = -1

    def shape(self, x: tuple[int, ...]) -> tuple[int, ...]:
        """The shape that x gets. Raises ShapeError where it cannot have it."""
        start = canonical_axis(self.axis, len(x), end=True)
        end = len(x) if self.num_axes == -1 else start + self.num_axes
        if end > len(x):
            raise ShapeError(f"axes {start} to {end - 1} do not all exist in input {text(x)}")
        copied = [i for i, d in enumerate(self.dims) if d == 0]
        if copied and start + copied[-1] >= end:
            raise ShapeError(f"dim 0 at place {copied[-1]} copies from axis {start + copied[-1]}, which is not among "
                             f"the axes that are reshaped; input {text(x)}")
        dims = [x[start + i] if d == 0 else d for i, d in enumerate(self.dims)]
        if -1 in dims:
            left = product(d for i, d in enumerate(x[start:end]) if i not in copied)
            stated = product(d for d in self.dims if d > 0)
            if left % stated:
                raise ShapeError(f"dims {list(self.dims)} do not fit input {text(x)}: {stated} does not divide {left}")
            dims[dims.index(-1)] = left // stated
        y = (*x[:start], *dims, *x[end:])
        if product(y) != product(x):
            raise ShapeError(f"input {text(x)} has {product(x)} numbers, the shape {text(y)} would have {product(y)}")
        return y


class _Alias(Op):
    """What alias ops share; forward serves where the aliasing is switched off."""

    alias = True

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """Copies the data to each out."""
        for y in outs:
            y[...] = ins[0].reshape(y.shape)

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Nothing runs."""
        return 0, 0


@op
class Reshape(_Alias):
    """x under the shape that its attrs (FlattenAttrs or ReshapeAttrs) say."""

    name = "reshape"

    def infer(self, attrs: FlattenAttrs | ReshapeAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The attrs' own rule."""
        return [Spec(attrs.shape(ins[0].shape), ins[0].dtype)]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """dy under x's shape, whatever that is when it runs."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("reshape_like", None, [douts[0]], like=[node.ins[0]]))


@op
class ReshapeLike(_Alias):
    """A diff under the shape of the value that its out is `like`. No attrs."""

    name = "reshape_like"
    grad = "none"


@dataclass(frozen=True)
class SplitAttrs:
    """n: number of outs."""

    n: int


@op
class Split(_Alias):
    """n outs that are x."""

    name = "split"

    def infer(self, attrs: SplitAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """n times x's."""
        return [ins[0]] * attrs.n

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """The sum of the diffs that exist; a sum even of one, since x's diff is not any out's."""
        given = [d for d in douts if d is not None]
        if not given:
            return [None]
        return list(g.emit_grad("sum", None, given, like=[node.ins[0]]))


@op
class Copy(Op):
    """y = x. No attrs."""

    name = "copy"
    inplace = ((0, 0),)

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        np.copyto(outs[0], ins[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """dy itself."""
        return [douts[0]]

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A copy only."""
        return 0, nbytes(ins) + nbytes(outs)


@op
class Sum(Op):
    """y = x_0 + x_1 + ...; the same value may come several times. No attrs."""

    name = "sum"
    inplace = ((0, 0),)

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """As the ins. Raises ShapeError where they differ."""
        for i, s in enumerate(ins):
            if s.shape != ins[0].shape:
                raise ShapeError(f"input {i} of a sum is {text(s.shape)}, input 0 is {text(ins[0].shape)}")
        return [ins[0]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """Writes y last, since y may be x_0 and x_0 may come again."""
        if len(ins) == 1:
            np.copyto(outs[0], ins[0])
            return
        total = ins[0]
        for a in ins[1:-1]:
            total = np.asarray(total + a) if total is ins[0] else np.add(total, a, out=total)
        np.add(total, ins[-1], out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """dy itself for each."""
        return [douts[0] if wanted else None for wanted in need]

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition per element of every in but the first."""
        return (len(ins) - 1) * outs[0].count, nbytes(ins) + nbytes(outs)
