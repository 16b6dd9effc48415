"""Mean-variance normalisation of each image, by channel or over all channels.

With x read as (groups, m): a group is one channel of an item, or with `across` a whole item; over each group
forward   mu = mean(x), s = sqrt(mean((x - mu)^2)) + eps;  y = (x - mu) / s,  or y = x - mu without `variance`
backward  dx = (dy - mean(dy) - y mean(dy y)) / s,  or dx = dy - mean(dy)
which is Caffe's rule: not the derivative by what eps adds to s. Backward reads y and s (saved).
Shapes: x has at most 4 axes; y has 4, those that x lacks being of length 1 at the end.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import product, text

_AXES = 4


@dataclass(frozen=True)
class MvnAttrs:
    """variance: divide by the deviation. across: over all channels at once. eps: added to the deviation (1e-9)."""

    variance: bool = True
    across: bool = False
    eps: float = 1e-9

    def groups(self, shape: Sequence[int]) -> tuple[int, int]:
        """(groups, numbers in one)."""
        lead = 1 if self.across else 2
        return product(shape[:lead]), product(shape[lead:])


@op
class Mvn(Op):
    """y = (x - mu) / s; see the module. Saved: s (groups), with `variance`."""

    name = "mvn"
    grad = "declared"
    inplace = ((0, 0),)

    def infer(self, attrs: MvnAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """x's shape, filled up to 4 axes. Raises ShapeError for more."""
        shape = ins[0].shape
        if len(shape) > _AXES:
            raise ShapeError(f"takes a bottom of at most {_AXES} axes; got {text(shape)}")
        filled = shape + (1,) * (_AXES - len(shape))
        return [Spec(filled, ins[0].dtype)]

    def saved(self, attrs: MvnAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The divisors."""
        return [Spec((attrs.groups(ins[0].shape)[0],), ins[0].dtype)] if attrs.variance else []

    def forward(self, attrs: MvnAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        if outs[0].size == 0:
            for s in saved:
                s.fill(attrs.eps)
            return
        groups, m = attrs.groups(ins[0].shape)
        x, y = ins[0].reshape(groups, m), outs[0].reshape(groups, m)
        np.subtract(x, x.mean(axis=1, keepdims=True), out=y)
        if attrs.variance:
            s = np.sqrt(np.einsum("ij,ij->i", y, y) / m)
            s += attrs.eps
            for a in saved:
                a[...] = s
            with np.errstate(divide="ignore", invalid="ignore"):
                y /= s[:, None]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """mvn_dx."""
        if douts[0] is None:
            return [None]
        ins = [node.outs[0], *node.saved, douts[0]] if node.attrs.variance else [douts[0]]
        return list(g.emit_grad("mvn_dx", node.attrs, ins, like=[node.ins[0]]))

    def reads_newest(self, node: Node) -> bool:
        """Caffe's layer reads its top, whatever a later in-place layer has made of it."""
        return True

    def cost(self, attrs: MvnAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two operations an element for the mean, three more with the deviation."""
        return (5 if attrs.variance else 2) * ins[0].count, nbytes(ins) + nbytes(outs)


@op
class MvnDx(Op):
    """dx; ins: y and s with `variance`, dy."""

    name = "mvn_dx"
    grad = "none"

    def forward(self, attrs: MvnAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        if outs[0].size == 0:
            return
        groups, m = attrs.groups(outs[0].shape)
        dx, dy = outs[0].reshape(groups, m), ins[-1].reshape(groups, m)
        np.subtract(dy, dy.mean(axis=1, keepdims=True), out=dx)
        if attrs.variance:
            y, s = ins[0].reshape(groups, m), ins[1]
            with np.errstate(divide="ignore", invalid="ignore"):
                dx -= y * (np.einsum("ij,ij->i", dy, y) / m)[:, None]
                dx /= s[:, None]

    def cost(self, attrs: MvnAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two operations an element for the mean, five more with the deviation."""
        return (7 if attrs.variance else 2) * outs[0].count, nbytes(ins) + nbytes(outs)
