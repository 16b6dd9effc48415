"""Inner product: a fully connected layer.

x is read as (outer, K): the axes before `axis`, and the product of those from `axis` on.
w (num_output, K), or (K, num_output) where transposed; b (num_output) or absent.
forward   y = x w' + b                     y (outer axes..., num_output)
backward  dx = dy w    dw = dy' x (its transpose where w is)    db = sum over outer of dy
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, product, text


@dataclass(frozen=True)
class InnerProductAttrs:
    """axis: the first of those that are summed over. transpose: w is stored (K, num_output)."""

    axis: int = 1
    transpose: bool = False

    def flat(self, shape: Sequence[int]) -> tuple[int, int]:
        """(outer, K) of an input."""
        axis = canonical_axis(self.axis, len(shape))
        return product(shape[:axis]), product(shape[axis:])

    def filters(self, w: Sequence[int]) -> int:
        """num_output of weights of that shape."""
        return w[1] if self.transpose else w[0]


@op
class InnerProduct(Op):
    """y = x w' + b; see the module."""

    name = "inner_product"

    def infer(self, attrs: InnerProductAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(outer axes..., num_output). Raises ShapeError where the weights or the bias do not fit."""
        x, w = ins[0].shape, ins[1].shape
        k = attrs.flat(x)[1]
        if len(w) != 2 or w[0 if attrs.transpose else 1] != k:
            need = f"{k} x outputs" if attrs.transpose else f"outputs x {k}"
            raise ShapeError(f"input {text(x)} gives {k} numbers an item (from axis {attrs.axis} on), so the weights "
                             f"must be {need}; they are {text(w)}", fix="feed inputs of the size that the weights want")
        if len(ins) > 2 and ins[2].shape != (attrs.filters(w),):
            raise ShapeError(f"bias {text(ins[2].shape)} does not fit {attrs.filters(w)} outputs")
        return [Spec((*x[:canonical_axis(attrs.axis, len(x))], attrs.filters(w)), ins[0].dtype)]

    def forward(self, attrs: InnerProductAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        outer, k = attrs.flat(ins[0].shape)
        w = ins[1]
        y = outs[0].reshape(outer, attrs.filters(w.shape))
        np.matmul(ins[0].reshape(outer, k), w if attrs.transpose else w.T, out=y)
        if len(ins) > 2:
            y += ins[2]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """inner_product_dx, inner_product_dw and inner_product_db, each where it is needed."""
        if douts[0] is None:
            return [None] * len(node.ins)
        x, w, dy = node.ins[0], node.ins[1], douts[0]
        grads: list[Value | None] = [
            g.emit_grad("inner_product_dx", node.attrs, [w, dy], like=[x])[0] if need[0] else None,
            g.emit_grad("inner_product_dw", node.attrs, [x, dy], like=[w])[0] if need[1] else None]
        if len(node.ins) > 2:
            grads.append(g.emit_grad("inner_product_db", node.attrs, [dy], like=[node.ins[2]])[0] if need[2] else None)
        return grads

    def cost(self, attrs: InnerProductAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two operations per weight and item, one per bias added."""
        k = attrs.flat(ins[0].shape)[1]
        return (2 * k + len(ins) - 2) * outs[0].count, nbytes(ins) + nbytes(outs)


@op
class InnerProductDx(Op):
    """dx = dy w; ins: w, dy."""

    name = "inner_product_dx"
    grad = "none"

    def forward(self, attrs: InnerProductAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        w, dy = ins
        outer, k = attrs.flat(outs[0].shape)
        np.matmul(dy.reshape(outer, dy.shape[-1]), w.T if attrs.transpose else w, out=outs[0].reshape(outer, k))

    def cost(self, attrs: InnerProductAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """As many products as the forward."""
        return 2 * outs[0].count * ins[1].shape[-1], nbytes(ins) + nbytes(outs)


@op
class InnerProductDw(Op):
    """dw = dy' x, or x' dy where the weights are transposed; ins: x, dy."""

    name = "inner_product_dw"
    grad = "none"

    def infer(self, attrs: InnerProductAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(num_output, K) or (K, num_output)."""
        k, filters = attrs.flat(ins[0].shape)[1], ins[1].shape[-1]
        return [Spec((k, filters) if attrs.transpose else (filters, k), ins[0].dtype)]

    def forward(self, attrs: InnerProductAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        outer, k = attrs.flat(ins[0].shape)
        x, dy = ins[0].reshape(outer, k), ins[1].reshape(outer, ins[1].shape[-1])
        if attrs.transpose:
            np.matmul(x.T, dy, out=outs[0])
        else:
            np.matmul(dy.T, x, out=outs[0])

    def cost(self, attrs: InnerProductAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """As many products as the forward."""
        return 2 * ins[0].count * ins[1].shape[-1], nbytes(ins) + nbytes(outs)


@op
class InnerProductDb(Op):
    """db = sum of dy over all but the last axis; in: dy."""

    name = "inner_product_db"
    grad = "none"

    def infer(self, attrs: InnerProductAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(num_output)."""
        return [Spec((ins[0].shape[-1],), ins[0].dtype)]

    def forward(self, attrs: InnerProductAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Adds in float64."""
        dy = ins[0]
        outs[0][...] = dy.reshape(product(dy.shape[:-1]), dy.shape[-1]).sum(0, dtype=np.float64)

    def cost(self, attrs: InnerProductAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition a diff."""
        return ins[0].count, nbytes(ins) + nbytes(outs)
