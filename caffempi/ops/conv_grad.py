"""Gradients of the convolution in conv.py (names and shapes as there).

conv_dx (w, dy) -> dx   dx[n, c, q]  = sum over m, i, o of w[m, c, i] * dy[n, m, o], o * stride - pad + i * dilation = q
conv_dw (x, dy) -> dw   dw[m, c, i]  = sum over n, o of x[n, c, o * stride - pad + i * dilation] * dy[n, m, o]
conv_db (dy)    -> db   db[m]        = sum over n, o of dy[n, m, o]

conv_dx is also the forward of a deconvolution: dy is then its input, dx its output, and it has gradients of its own.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.conv import ConvAttrs, conv_flops
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.im2col import chunks, col2im, im2col
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, product, text


@op
class ConvDx(Op):
    """Gradient of the input: each output's diff spread over its window, weighted. See the module."""

    name = "conv_dx"

    def infer(self, attrs: ConvAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The smallest input that makes such a dy: size = stride (out - 1) + dilation (kernel - 1) + 1 - 2 pad.

        Raises ShapeError where the weights do not fit, or nothing is left of the input beside its padding.
        """
        w, dy = ins
        _, filters, places = attrs.split(dy.shape)
        if filters % attrs.group:
            raise ShapeError(f"{filters} channels cannot be cut into {attrs.group} groups; input {text(dy.shape)}")
        if len(w.shape) < 2 or w.shape[0] != filters or w.shape[2:] != attrs.kernel:
            raise ShapeError(f"weights {text(w.shape)} do not fit input {text(dy.shape)}, which needs "
                             f"{text((filters, w.shape[1] if len(w.shape) > 1 else 1, *attrs.kernel))}")
        size = [s * (o - 1) + d * (k - 1) + 1 - 2 * p
                for o, k, s, p, d in zip(places, *attrs.windows, strict=True)]
        if any(n < 1 for n in size):
            raise ShapeError(f"the padding {text(attrs.pad)} leaves nothing of an output; input {text(dy.shape)}",
                             fix="use less padding, a larger kernel or larger inputs")
        axis = canonical_axis(attrs.axis, len(dy.shape))
        return [Spec((*dy.shape[:axis], w.shape[1] * attrs.group, *size), dy.dtype)]

    def forward(self, attrs: ConvAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        dy, dx = attrs.joined(ins[1]), attrs.joined(outs[0])
        n, m, *places = dy.shape
        c, g, flat = dx.shape[1], attrs.group, product(places)
        w = ins[0].reshape(g, m // g, product(ins[0].shape[1:])).swapaxes(1, 2)
        if attrs.wide(places):
            np.matmul(w, dy.reshape(n, g, m // g, flat), out=dx.reshape(n, g, c // g, flat))
            return
        for part in chunks(n, w.shape[1] * g, places, dy.itemsize):
            rows = _rows(dy[part], g)
            cols = np.matmul(w, rows).reshape(c, *attrs.kernel, *places, rows.shape[2] // flat)
            col2im(cols, dx[part], *attrs.windows)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """As the forward of a layer (a deconvolution): conv_dw and conv, the two products that it is the third of."""
        if douts[0] is None:
            return [None, None]
        w, x = node.ins
        return [g.emit_grad("conv_dw", node.attrs, [douts[0], x], like=[w])[0] if need[0] else None,
                g.emit_grad("conv", node.attrs, [douts[0], w], like=[x])[0] if need[1] else None]

    def cost(self, attrs: ConvAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """As many products as the forward."""
        return conv_flops(ins[0], ins[1]), nbytes(ins) + nbytes(outs)


@op
class ConvDw(Op):
    """Gradient of the weights: diffs times windows, over all places of all images. See the module."""

    name = "conv_dw"
    grad = "none"

    def infer(self, attrs: ConvAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(M, C / group, kernel...)."""
        channels, filters = attrs.split(ins[0].shape)[1], attrs.split(ins[1].shape)[1]
        return [Spec((filters, channels // attrs.group, *attrs.kernel), ins[1].dtype)]

    def forward(self, attrs: ConvAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x, dy = attrs.joined(ins[0]), attrs.joined(ins[1])
        n, m, *places = dy.shape
        g = attrs.group
        dw = outs[0].reshape(g, m // g, product(outs[0].shape[1:]))
        if n == 0:
            dw.fill(0)
        for part in chunks(n, dw.shape[2] * g, places, dy.itemsize):
            rows = _rows(dy[part], g)
            cols = im2col(x[part], *attrs.windows).reshape(g, dw.shape[2], rows.shape[2]).swapaxes(1, 2)
            if part.start == 0:
                np.matmul(rows, cols, out=dw)
            else:
                dw += np.matmul(rows, cols)

    def cost(self, attrs: ConvAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """As many products as the forward."""
        return conv_flops(outs[0], ins[1]), nbytes(ins) + nbytes(outs)


@op
class ConvDb(Op):
    """Gradient of the bias: the sum of the diffs of each channel. See the module."""

    name = "conv_db"
    grad = "none"

    def infer(self, attrs: ConvAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(M)."""
        return [Spec((attrs.split(ins[0].shape)[1],), ins[0].dtype)]

    def forward(self, attrs: ConvAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Sums an image's places pairwise, then the images in float64."""
        dy = attrs.joined(ins[0])
        outs[0][...] = dy.reshape(*dy.shape[:2], product(dy.shape[2:])).sum(2).sum(0, dtype=np.float64)

    def cost(self, attrs: ConvAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition a diff."""
        return ins[0].count, nbytes(ins) + nbytes(outs)


def _rows(dy: np.ndarray, group: int) -> np.ndarray:
    """(group, M / group, places * images): a channel's diffs in one row, as im2col lays out its columns."""
    n, m = dy.shape[:2]
    return np.ascontiguousarray(np.moveaxis(dy, 0, -1)).reshape(group, m // group, n * product(dy.shape[2:]))
