"""Batch normalisation by channel: with the batch's own statistics, or with running ones.

Sums and means go over all axes but axis 1 (over everything for a 1-D x, which is one channel); m is their count.
batch_norm         mu = mean(x), v = mean((x - mu)^2), s = 1 / sqrt(v + eps);  y = (x - mu) s
                   state: factor = f factor + 1;  mean = f mean + mu;  var = f var + v m / (m - 1)   (m = 1: v)
                   dx = (dy - mean(dy) - h mean(dy h)) s   with h = (x - mu) s
batch_norm_global  k = 1 / factor (0 where factor is 0), s = 1 / sqrt(k var + eps);  y = (x - k mean) s,  dx = dy s
The state holds sums weighted by powers of f, as BVLC Caffe stores them: (C), (C), (1). An empty batch leaves it so.
Backward reads x and what forward saved (mu, s), not y: a layer that overwrites y (Scale in place) does no harm.
Shapes: x (N, C, ...); y as x. Source: Ioffe and Szegedy, ICML 2015.
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
from caffempi.ops.shapes import text


@dataclass(frozen=True)
class BatchNormAttrs:
    """eps: added to the variance (default 1e-5). fraction: f, the weight of the old sums (default 0.999)."""

    eps: float = 1e-5
    fraction: float = 0.999


def channels(shape: Sequence[int]) -> int:
    """Number of channels of x. Raises ShapeError for a scalar."""
    if not shape:
        raise ShapeError("needs a bottom of one axis or more; this one is a scalar")
    return shape[1] if len(shape) > 1 else 1


def _axes(x: np.ndarray) -> tuple[int, ...]:
    """The axes that the statistics go over."""
    return 0, *range(2, x.ndim)


def _by_channel(stat: np.ndarray, x: np.ndarray) -> np.ndarray:
    """(C) so that it broadcasts along x's channels."""
    return stat.reshape(-1, *(1,) * (x.ndim - 2)) if x.ndim > 1 else stat


@op
class BatchNorm(Op):
    """Normalises by the batch's statistics and adds them to the running sums. ins x; state mean, var, factor."""

    name = "batch_norm"
    effects = frozenset({"state"})
    inplace = ((0, 0),)

    def infer(self, attrs: BatchNormAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        channels(ins[0].shape)
        return [ins[0]]

    def saved(self, attrs: BatchNormAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """mu (C) and s (C)."""
        return [Spec((channels(ins[0].shape),), ins[0].dtype)] * 2

    def forward(self, attrs: BatchNormAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module. Raises ShapeError where the channels are not those of the statistics."""
        x, y = ins[0], outs[0]
        running_mean, running_var, factor = state
        _check_channels(x.shape, running_mean.shape)
        if x.size == 0:
            for s in saved:
                s[...] = 0
            return
        axes = _axes(x)
        mu = x.mean(axis=axes).reshape(running_mean.shape)
        np.subtract(x, _by_channel(mu, x), out=y)
        var = np.square(y).mean(axis=axes).reshape(running_mean.shape)
        inv_std = 1 / np.sqrt(var + attrs.eps)
        np.multiply(y, _by_channel(inv_std, x), out=y)
        m = x.size // mu.size
        factor[...] = factor * attrs.fraction + 1
        running_mean[...] = running_mean * attrs.fraction + mu
        running_var[...] = running_var * attrs.fraction + var * (m / (m - 1) if m > 1 else 1.0)
        if saved:
            np.copyto(saved[0], mu)
            np.copyto(saved[1], inv_std)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """batch_norm_dx on x and the saved statistics."""
        if douts[0] is None:
            return [None]
        x = node.ins[0]
        return list(g.emit_grad("batch_norm_dx", node.attrs, [x, *node.saved, douts[0]], like=[x]))

    def cost(self, attrs: BatchNormAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two sums, a difference, a square and a product an element; x is read twice."""
        return 5 * ins[0].count, super().cost(attrs, ins, outs)[1] + super().cost(attrs, ins, ())[1]


@op
class BatchNormDx(Op):
    """dx = (dy - mean(dy) - h mean(dy h)) s with h = (x - mu) s; ins x, mu, s, dy."""

    name = "batch_norm_dx"
    grad = "none"
    inplace = ((3, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: BatchNormAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        x, mu, inv_std, dy = ins
        if x.size == 0:
            return
        axes = _axes(x)
        h = x - _by_channel(mu, x)
        h *= _by_channel(inv_std, x)
        mean_dy = dy.mean(axis=axes, keepdims=True)
        h *= (dy * h).mean(axis=axes, keepdims=True)
        h += mean_dy
        np.subtract(dy, h, out=outs[0])
        np.multiply(outs[0], _by_channel(inv_std, x), out=outs[0])

    def cost(self, attrs: BatchNormAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two sums and seven operations an element; x and dy are read for the sums, and again for dx."""
        return 9 * ins[0].count, nbytes(ins) + nbytes([ins[0], ins[-1]]) + nbytes(outs)


@op
class BatchNormGlobal(Op):
    """Normalises by the running statistics, which it leaves alone. ins x, mean, var, factor."""

    name = "batch_norm_global"
    differentiable = (0,)
    inplace = ((0, 0),)

    def infer(self, attrs: BatchNormAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x. Raises ShapeError where the channels are not those of the statistics."""
        _check_channels(ins[0].shape, ins[1].shape)
        return [ins[0]]

    def saved(self, attrs: BatchNormAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """s (C)."""
        return [ins[1]]

    def forward(self, attrs: BatchNormAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x, mean, var, factor = ins
        k = 1 / factor if factor[0] else np.zeros_like(factor)
        inv_std = 1 / np.sqrt(var * k + attrs.eps)
        np.subtract(x, _by_channel(mean * k, x), out=outs[0])
        np.multiply(outs[0], _by_channel(inv_std, x), out=outs[0])
        if saved:
            np.copyto(saved[0], inv_std)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """batch_norm_global_dx on s."""
        dx = None
        if douts[0] is not None and need[0]:
            dx = g.emit_grad("batch_norm_global_dx", None, [node.saved[0], douts[0]], like=[node.ins[0]])[0]
        return [dx, None, None, None]

    def cost(self, attrs: BatchNormAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A difference and a product an element."""
        return 2 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class BatchNormGlobalDx(Op):
    """dx = dy s; ins s, dy."""

    name = "batch_norm_global_dx"
    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As dy."""
        return [ins[1]]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        inv_std, dy = ins
        np.multiply(dy, _by_channel(inv_std, dy), out=outs[0])


def _check_channels(x: Sequence[int], stat: Sequence[int]) -> None:
    """Statistics (C) must be those of x's channels."""
    if tuple(stat) != (channels(x),):
        raise ShapeError(f"statistics {text(stat)} do not fit a bottom {text(x)} of {channels(x)} channel(s)")
