"""Convolution over any number of spatial axes: groups, strides, padding, dilation, a bias.

x (outer..., C, size...), w (M, C / group, kernel...), b (M) or absent -> y (outer..., M, out...); `axis` is that of C.
forward   y[n, m, o] = b[m] + sum over c, i of w[m, c, i] * x[n, c, o * stride - pad + i * dilation]
          (a cross-correlation, as in Caffe), m's group choosing the C / group channels; x is zero outside the image
          out = floor((size + 2 pad - (dilation (kernel - 1) + 1)) / stride) + 1
backward  conv_dx, conv_dw, conv_db in conv_grad.py.
Method: one matrix product a group over im2col of as many images as the caches hold; with a 1 x 1 kernel x itself is the
matrix.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.im2col import chunks, im2col, out_sizes
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, product, text

_WIDE = 32                          # places an image from which a product per image is as fast as one over all


@dataclass(frozen=True)
class ConvAttrs:
    """kernel, stride, pad, dilation: one entry a spatial axis. group: parts of the channels that do not mix.

    axis: the channel axis; the axes before it are the batch, those after it are spatial.
    """

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    pad: tuple[int, ...]
    dilation: tuple[int, ...]
    group: int = 1
    axis: int = 1

    @property
    def windows(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """(kernel, stride, pad, dilation), as the functions of im2col take them."""
        return self.kernel, self.stride, self.pad, self.dilation

    @property
    def pointwise(self) -> bool:
        """True where each output place reads the one input place with its own index."""
        return all(k == 1 and s == 1 and p == 0 for k, s, p in zip(self.kernel, self.stride, self.pad, strict=True))

    def split(self, shape: Sequence[int]) -> tuple[int, int, tuple[int, ...]]:
        """(batch, channels, spatial sizes) of a blob. Raises ShapeError where its axes are not those of the kernel."""
        axis = canonical_axis(self.axis, len(shape))
        if len(shape) - axis - 1 != len(self.kernel):
            raise ShapeError(f"a kernel of {len(self.kernel)} axes on channel axis {axis} needs a blob of "
                             f"{axis + 1 + len(self.kernel)} axes; got {text(shape)}")
        return product(shape[:axis]), shape[axis], tuple(shape[axis + 1:])

    def places(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Output places per spatial axis of an input of that shape. Raises ShapeError where the kernel does not fit in."""
        _, _, size = self.split(shape)
        out = out_sizes(size, *self.windows)
        if any(o < 1 for o in out):
            reach = [d * (k - 1) + 1 for k, d in zip(self.kernel, self.dilation, strict=True)]
            padded = [n + 2 * p for n, p in zip(size, self.pad, strict=True)]
            raise ShapeError(f"the kernel reaches over {text(reach)}, more than the padded input {text(padded)} "
                             f"(input {text(shape)})", fix="use a smaller kernel, more padding or larger inputs")
        return out

    def joined(self, a: np.ndarray) -> np.ndarray:
        """A view (batch, channels, size...) of a blob."""
        return a.reshape(self.split(a.shape)[0], *a.shape[canonical_axis(self.axis, a.ndim):])

    def wide(self, places: Sequence[int]) -> bool:
        """True where one product per image on the blobs themselves is the fast way: pointwise, and large images."""
        return self.pointwise and product(places) >= _WIDE


@op
class Conv(Op):
    """y = conv(x, w) + b; see the module."""

    name = "conv"

    def infer(self, attrs: ConvAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(outer..., M, out...). Raises ShapeError where channels, weights or kernel do not fit."""
        x, w = ins[0], ins[1]
        _, channels, _ = attrs.split(x.shape)
        if channels % attrs.group:
            raise ShapeError(f"{channels} channels cannot be cut into {attrs.group} groups; input {text(x.shape)}")
        filters = w.shape[0] if w.shape else 0
        need = (filters, channels // attrs.group, *attrs.kernel)
        if w.shape != need or filters % attrs.group:
            raise ShapeError(f"weights {text(w.shape)} do not fit input {text(x.shape)} in {attrs.group} group(s), "
                             f"which needs {text(need)} with a multiple of {attrs.group} filters")
        if len(ins) > 2 and ins[2].shape != (filters,):
            raise ShapeError(f"bias {text(ins[2].shape)} does not fit {filters} filters")
        return [Spec((*x.shape[:canonical_axis(attrs.axis, len(x.shape))], filters, *attrs.places(x.shape)),
                     x.dtype)]

    def forward(self, attrs: ConvAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x, y = attrs.joined(ins[0]), attrs.joined(outs[0])
        n, m, *places = y.shape
        c, g, flat = x.shape[1], attrs.group, product(places)
        rows = product(ins[1].shape[1:])
        w = ins[1].reshape(g, m // g, rows)
        bias = ins[2].reshape(m, *[1] * len(places)) if len(ins) > 2 else None
        if attrs.wide(places):
            np.matmul(w, x.reshape(n, g, c // g, flat), out=y.reshape(n, g, m // g, flat))
            if bias is not None:
                y += bias
            return
        for part in chunks(n, rows * g, places, x.itemsize):
            cols = im2col(x[part], *attrs.windows)
            images = cols.shape[-1]
            made = np.matmul(w, cols.reshape(g, rows, flat * images)).reshape(m, *places, images)
            if bias is None:
                y[part] = np.moveaxis(made, -1, 0)
            else:
                np.add(np.moveaxis(made, -1, 0), bias, out=y[part])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """conv_dx, conv_dw and conv_db, each where it is needed."""
        if douts[0] is None:
            return [None] * len(node.ins)
        x, w, dy = node.ins[0], node.ins[1], douts[0]
        grads: list[Value | None] = [
            g.emit_grad("conv_dx", node.attrs, [w, dy], like=[x])[0] if need[0] else None,
            g.emit_grad("conv_dw", node.attrs, [x, dy], like=[w])[0] if need[1] else None]
        if len(node.ins) > 2:
            grads.append(g.emit_grad("conv_db", node.attrs, [dy], like=[node.ins[2]])[0] if need[2] else None)
        return grads

    def cost(self, attrs: ConvAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two operations per weight of a filter and output, one per bias added."""
        return conv_flops(ins[1], outs[0]) + (outs[0].count if len(ins) > 2 else 0), nbytes(ins) + nbytes(outs)


def conv_flops(w: Spec, y: Spec) -> int:
    """Multiply-adds x 2 of one product of a convolution (forward, or either gradient)."""
    return 2 * y.count * product(w.shape[1:])
