"""Stochastic pooling of images (N, C, H, W), sizes as in pool.py, no padding.

stochastic_pool       training: each window draws one of its pixels with probability x / sum(x): u is uniform in [0, 1),
                      the first pixel (rows, then columns) at which the running sum reaches u * sum is drawn.
                      backward: dy goes to it.
stochastic_pool_mean  testing: the mean under those probabilities, y = sum(x^2) / sum(x); 0 where sum(x) <= 0.
                      backward: dx[q] = sum over windows with q of dy * (2 x[q] - y) / sum(x); 0 where sum(x) <= 0.
Pixels should not be negative (they come from a ReLU); where they are and no running sum reaches the level, the last
pixel is drawn.
Source: Zeiler and Fergus, "Stochastic pooling for regularization of deep convolutional neural networks", ICLR 2013.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from caffempi.errors import EngineError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.pool import PoolAttrs, add_at_winners, window_cost
from caffempi.ops.window import span, window_spread, window_sum

_Index = tuple[slice, ...]


def _offsets(attrs: PoolAttrs, shape: Sequence[int]) -> Iterator[tuple[_Index, _Index]]:
    """(windows, pixels) as indices, for each place in the kernel, in rows then columns."""
    kernel, places = attrs.windows(shape)
    whole = (slice(None), slice(None))
    for i in range(kernel[0]):
        rows, y = span(i, attrs.stride[0], attrs.pad[0], shape[2], places[0])
        for j in range(kernel[1]):
            cols, x = span(j, attrs.stride[1], attrs.pad[1], shape[3], places[1])
            yield (*whole, rows, cols), (*whole, y, x)


@op
class StochasticPool(Op):
    """One pixel of each window, drawn in proportion to its value; see the module. Saved: its index, int32."""

    name = "stochastic_pool"
    effects = frozenset({"rng"})

    def infer(self, attrs: PoolAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """y."""
        return [Spec(attrs.out_shape(ins[0].shape), ins[0].dtype)]

    def saved(self, attrs: PoolAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The index h * W + w of each drawn pixel, -1 for none."""
        return [Spec(outs[0].shape, "int32")]

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """One number per window, in the order of y's elements."""
        if rng is None:
            raise EngineError(f'op "{self.name}" draws random numbers and was given none')
        x, y = ins[0], outs[0]
        total = np.zeros(y.shape, x.dtype)
        for windows, pixels in _offsets(attrs, x.shape):
            total[windows] += x[pixels]
        level = rng.uniform(y.size).astype(x.dtype).reshape(y.shape) * total
        running, drawn = np.zeros_like(total), np.zeros(y.shape, bool)
        winner = np.full(y.shape, -1, np.int32)
        names = np.arange(x.shape[2] * x.shape[3], dtype=np.int32).reshape(1, 1, *x.shape[2:])
        y.fill(0)
        for windows, pixels in _offsets(attrs, x.shape):
            running[windows] += x[pixels]
            open_ = ~drawn[windows]
            np.copyto(y[windows], x[pixels], where=open_)
            np.copyto(winner[windows], names[pixels], where=open_)
            drawn[windows] |= running[windows] >= level[windows]
        for a in saved:
            a[...] = winner

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """stochastic_pool_dx on the drawn pixels."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("stochastic_pool_dx", node.attrs, [node.saved[0], douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: PoolAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """An addition for the sum and a comparison for the draw, per pixel of every window."""
        return 2 * window_cost(attrs, ins[0], outs[0]), nbytes(ins) + nbytes(outs)


@op
class StochasticPoolDx(Op):
    """dx[n, c, q] = sum of dy over the windows that drew q; ins: the drawn indices (int32), dy."""

    name = "stochastic_pool_dx"
    grad = "none"

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        add_at_winners(ins[0], ins[1], outs[0])


@op
class StochasticPoolMean(Op):
    """y = sum(x^2) / sum(x) of each window; see the module."""

    name = "stochastic_pool_mean"

    def infer(self, attrs: PoolAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """y."""
        return [Spec(attrs.out_shape(ins[0].shape), ins[0].dtype)]

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        outs[0][...] = _mean(attrs, ins[0])[0]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """stochastic_pool_mean_dx."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("stochastic_pool_mean_dx", node.attrs, [node.ins[0], douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: PoolAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two sums and a square, per pixel of every window."""
        return 3 * window_cost(attrs, ins[0], outs[0]), nbytes(ins) + nbytes(outs)


@op
class StochasticPoolMeanDx(Op):
    """dx of stochastic_pool_mean; ins: x, dy."""

    name = "stochastic_pool_mean_dx"
    grad = "none"

    def infer(self, attrs: PoolAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: PoolAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """dx = 2 x * spread(dy / sum) - spread(dy * y / sum)."""
        x, dy = ins
        y, total = _mean(attrs, x)
        rate = np.divide(dy, total, out=np.zeros_like(total), where=total > 0)
        kernel, _ = attrs.windows(x.shape)
        size = (x.shape[2], x.shape[3])
        outs[0][...] = (2 * x * window_spread(rate, kernel, attrs.stride, attrs.pad, size)
                        - window_spread(rate * y, kernel, attrs.stride, attrs.pad, size))


def _mean(attrs: PoolAttrs, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(y, sum of each window)."""
    kernel, places = attrs.windows(x.shape)
    total = window_sum(x, kernel, attrs.stride, attrs.pad, places)
    squares = window_sum(x * x, kernel, attrs.stride, attrs.pad, places)
    return np.divide(squares, total, out=np.zeros_like(total), where=total > 0), total
