"""The windows of an image as a blob: what a convolution multiplies its filters with.

x (outer..., C, size...) -> y (outer..., C * product(kernel), out...); `axis` is that of C; out as for a convolution
forward   y[n, (c, i), o] = x[n, c, o * stride - pad + i * dilation], zero outside the image
backward  its adjoint: each pixel gets the sum of the diffs of its places in the windows
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.ops.conv import ConvAttrs
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.im2col import chunks, col2im, im2col
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, product


@op
class Im2col(Op):
    """The windows; see the module. attrs: a ConvAttrs, of which `group` has no meaning."""

    name = "im2col"

    def infer(self, attrs: ConvAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(outer..., C * product(kernel), out...). Raises ShapeError where no window fits."""
        x = ins[0].shape
        axis = canonical_axis(attrs.axis, len(x))
        return [Spec((*x[:axis], x[axis] * product(attrs.kernel), *attrs.places(x)), ins[0].dtype)]

    def forward(self, attrs: ConvAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """As many images at a time as the caches hold."""
        x, y = attrs.joined(ins[0]), attrs.joined(outs[0])
        n, rows, *places = y.shape
        windows = y.reshape(n, x.shape[1], *attrs.kernel, *places)
        for part in chunks(n, rows, places, x.itemsize):
            windows[part] = np.moveaxis(im2col(x[part], *attrs.windows), -1, 0)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """im2col_dx."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("im2col_dx", node.attrs, [douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: ConvAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Copies only."""
        return 0, nbytes(ins) + nbytes(outs)


@op
class Im2colDx(Op):
    """The adjoint of im2col; in: dy."""

    name = "im2col_dx"
    grad = "none"

    def forward(self, attrs: ConvAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """As many images at a time as the caches hold."""
        dy, dx = attrs.joined(ins[0]), attrs.joined(outs[0])
        n, rows, *places = dy.shape
        windows = dy.reshape(n, dx.shape[1], *attrs.kernel, *places)
        for part in chunks(n, rows, places, dy.itemsize):
            col2im(np.moveaxis(windows[part], 0, -1), dx[part], *attrs.windows)

    def cost(self, attrs: ConvAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition a diff."""
        return ins[0].count, nbytes(ins) + nbytes(outs)
