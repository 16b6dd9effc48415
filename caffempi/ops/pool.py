"""Max and average pooling of images (N, C, H, W) -> (N, C, out_h, out_w), with Caffe's sizes and borders.

out = round((size + 2 pad - kernel) / stride) + 1, rounded up (CEIL) or down (FLOOR); with padding on either axis, a
last window that would start beyond the image and its first padding is dropped.
max_pool  y = the largest pixel of the window inside the image; the first in rows, then columns, wins; NaN never does. A
          window with no pixel (a stride above the kernel can leave one) gives -FLT_MAX. Second out (attrs.mask): the
          winner's index h * W + w as a number, -1 for none, no gradient.
          backward: dy goes to the winner.
ave_pool  y = sum of the window's pixels / area, area being the window cut to the padded image: padding counts, what
          sticks out beyond it does not. backward: dy / area goes to each pixel of the window.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text
from caffempi.ops.window import Pair, along, span, window_area, window_spread, window_sum

LOWEST = float(np.finfo(np.float32).min)


@dataclass(frozen=True)
class PoolAttrs:
    """kernel, stride, pad: (rows, columns). global_: the kernel is the whole image, whatever `kernel` says.

    round_mode: "CEIL" or "FLOOR". mask: max_pool has a second out with the winners' indices.
    """

    kernel: Pair = (1, 1)
    stride: Pair = (1, 1)
    pad: Pair = (0, 0)
    global_: bool = False
    round_mode: str = "CEIL"
    mask: bool = False

    def windows(self, shape: Sequence[int]) -> tuple[Pair, Pair]:
        """(kernel, places) for a blob of that shape. Raises ShapeError where it has not 4 axes or no window fits."""
        if len(shape) != 4:
            raise ShapeError(f"pooling needs a blob of 4 axes (N x C x H x W); got {text(shape)}")
        if self.global_:
            return (shape[2], shape[3]), (1, 1)
        out = []
        for n, k, s, p in zip(shape[2:], self.kernel, self.stride, self.pad, strict=True):
            room = n + 2 * p - k
            o = (room // s if self.round_mode == "FLOOR" else -(-room // s)) + 1
            if any(self.pad) and (o - 1) * s >= n + p:
                o -= 1
            out.append(o)
        if min(out) < 1:
            raise ShapeError(f"the window {text(self.kernel)} with padding {text(self.pad)} is too large for the input "
                             f"{text(shape)}", fix="use a smaller window, more padding or larger inputs")
        return self.kernel, (out[0], out[1])

    def out_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """(N, C, out_h, out_w)."""
        return (*shape[:2], *self.windows(shape)[1])


def window_cost(attrs: PoolAttrs, image: Spec, places: Spec) -> int:
    """One operation per pixel of every window."""
    kernel, _ = attrs.windows(image.shape)
    return places.count * kernel[0] * kernel[1]


@op
class MaxPool(Op):
    """The largest pixel of each window; see the module. Saved: the winners' indices, int32."""

    name = "max_pool"

    def infer(self, attrs: PoolAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """y, and the mask if there is one."""
        return [Spec(attrs.out_shape(ins[0].shape), ins[0].dtype)] * (2 if attrs.mask else 1)

    def saved(self, attrs: PoolAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The index h * W + w of each winner, -1 for none."""
        return [Spec(outs[0].shape, "int32")]

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """The maxima axis by axis; then, for who asks, the first offset in the window at which each is met."""
        x, y = ins[0], outs[0]
        kernel, places = attrs.windows(x.shape)
        columns = _max_along(2, x, attrs, kernel, places)
        y[...] = _max_along(3, columns, attrs, kernel, places)
        if saved or attrs.mask:
            winner = _winners(attrs, x, columns, y, kernel, places)
            for a in (*saved, *outs[1:]):
                a[...] = winner

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """max_pool_dx on the winners; the mask has no gradient."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("max_pool_dx", node.attrs, [node.saved[0], douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: PoolAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One comparison per pixel of every window."""
        return window_cost(attrs, ins[0], outs[0]), nbytes(ins) + nbytes(outs)


def _max_along(axis: int, x: np.ndarray, attrs: PoolAttrs, kernel: Pair, places: Pair) -> np.ndarray:
    """The largest numbers of the windows along axis 2 or 3; NaN is passed over."""
    i = axis - 2
    best = np.full((*x.shape[:axis], places[i], *x.shape[axis + 1:]), LOWEST, x.dtype)
    for offset in range(kernel[i]):
        windows, pixels = span(offset, attrs.stride[i], attrs.pad[i], x.shape[axis], places[i])
        part = best[along(axis, windows)]
        np.fmax(part, x[along(axis, pixels)], out=part)
    return best


def _winners(attrs: PoolAttrs, x: np.ndarray, columns: np.ndarray, y: np.ndarray, kernel: Pair,
             places: Pair) -> np.ndarray:
    """The index h * W + w of the first pixel of each window that is y; -1 where none is (a window with no number).

    columns: the largest number of each column of each row of windows. Of the columns that hold y, the one in which it
    comes in the earliest row wins, then the leftmost.
    """
    (height, width), none = kernel, kernel[0] * kernel[1]
    small = np.uint8 if none + width < 256 else np.int32
    row = np.zeros(columns.shape, small)                       # rows before the column's largest number
    searching = np.ones(columns.shape, bool)
    for i in range(height):
        windows, pixels = span(i, attrs.stride[0], attrs.pad[0], x.shape[2], places[0])
        part = searching[:, :, windows]
        part &= x[:, :, pixels] != columns[:, :, windows]
        row += searching
    row *= small(width)
    first = np.full(y.shape, none, small)                      # row * width + column in the window
    for j in range(width):
        windows, pixels = span(j, attrs.stride[1], attrs.pad[1], x.shape[3], places[1])
        held = columns[..., pixels] == y[..., windows]
        part = first[..., windows]
        np.minimum(part, np.where(held, row[..., pixels] + small(j), small(none)), out=part)
    corner = [np.arange(n) * s - p for n, s, p in zip(places, attrs.stride, attrs.pad, strict=True)]
    offset = np.array([i * x.shape[3] + j for i in range(height) for j in range(width)] + [0], np.int32)
    winner = offset[first] + np.add.outer(corner[0] * x.shape[3], corner[1]).astype(np.int32)
    winner[first == none] = -1
    return winner


@op
class MaxPoolDx(Op):
    """dx[n, c, q] = sum of dy over the windows whose winner is q; ins: the winners (int32), dy."""

    name = "max_pool_dx"
    grad = "none"

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Counts by index in float64."""
        add_at_winners(ins[0], ins[1], outs[0])


def add_at_winners(winner: np.ndarray, dy: np.ndarray, dx: np.ndarray) -> None:
    """Writes to dx (N, C, H, W) the sums of dy at the winners' indices h * W + w (negative: none), plane by plane."""
    planes, pixels = dx.shape[0] * dx.shape[1], dx.shape[2] * dx.shape[3]
    at = winner + (np.arange(planes) * pixels).reshape(*dx.shape[:2], 1, 1)
    weight = np.where(winner < 0, 0, dy)
    dx[...] = np.bincount(np.maximum(at, 0).ravel(), weight.ravel(), planes * pixels).reshape(dx.shape)


@op
class AvePool(Op):
    """The mean of each window; see the module."""

    name = "ave_pool"

    def infer(self, attrs: PoolAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """y."""
        return [Spec(attrs.out_shape(ins[0].shape), ins[0].dtype)]

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Sum over area."""
        x = ins[0]
        kernel, places = attrs.windows(x.shape)
        area = window_area(kernel, attrs.stride, attrs.pad, (x.shape[2], x.shape[3]), places, x.dtype)
        np.divide(window_sum(x, kernel, attrs.stride, attrs.pad, places), area, out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """ave_pool_dx."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("ave_pool_dx", node.attrs, [douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: PoolAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition per pixel of every window."""
        return window_cost(attrs, ins[0], outs[0]), nbytes(ins) + nbytes(outs)


@op
class AvePoolDx(Op):
    """dx[n, c, q] = sum of dy / area over the windows with q; in: dy."""

    name = "ave_pool_dx"
    grad = "none"

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """The adjoint of the mean."""
        size = (outs[0].shape[2], outs[0].shape[3])
        kernel, places = attrs.windows(outs[0].shape)
        area = window_area(kernel, attrs.stride, attrs.pad, size, places, ins[0].dtype)
        outs[0][...] = window_spread(ins[0] / area, kernel, attrs.stride, attrs.pad, size)

    def cost(self, attrs: PoolAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One addition per pixel of every window."""
        return window_cost(attrs, outs[0], ins[0]), nbytes(ins) + nbytes(outs)
