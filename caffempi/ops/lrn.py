"""Local response normalization of images (N, C, H, W): pixels are divided by a power of their neighbours' mean square.

forward   y = x * s^-beta,   s = k + alpha / n * W(x^2)
          lrn_across: W sums over `size` channels around the pixel's own, n = size
          lrn_within: W sums over size x size pixels of the same channel, k = 1, n = size^2 even at the borders (that
          is what Caffe's average pooling with padding (size - 1) / 2 gives)
backward  dx = dy * s^-beta - 2 alpha beta / n * x * W(dy * x * s^(-beta - 1));  W is its own adjoint, size being odd
Source: Krizhevsky, Sutskever, Hinton, "ImageNet classification with deep convolutional neural networks", NIPS 2012.
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
from caffempi.ops.window import window_sum


@dataclass(frozen=True)
class LrnAttrs:
    """size: channels, or pixels along each axis; odd. alpha, beta, k: see the module (lrn_within has k = 1)."""

    size: int = 5
    alpha: float = 1.0
    beta: float = 0.75
    k: float = 1.0


class _Lrn(Op):
    """What both regions share. Saved: s."""

    within: bool

    def infer(self, attrs: LrnAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        if len(ins[0].shape) != 4:
            raise ShapeError(f"needs a blob of 4 axes (N x C x H x W); got {text(ins[0].shape)}")
        return [ins[0]]

    def saved(self, attrs: LrnAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """s."""
        return [ins[0]]

    def forward(self, attrs: LrnAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x = ins[0]
        s = _neighbours(np.square(x), attrs.size, self.within)
        s *= x.dtype.type(attrs.alpha / _count(attrs, self.within))
        s += x.dtype.type(1 if self.within else attrs.k)
        np.multiply(x, _power(s, attrs.beta), out=outs[0])
        for a in saved:
            a[...] = s

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """The _dx op on x, s and dy."""
        if douts[0] is None:
            return [None]
        x, s = node.ins[0], node.saved[0]
        return list(g.emit_grad(f"{self.name}_dx", node.attrs, [x, s, douts[0]], like=[x]))

    def cost(self, attrs: LrnAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Square, sum, scale, power and product: size + 5 operations a pixel (twice the sums within a channel)."""
        return (attrs.size * (2 if self.within else 1) + 5) * outs[0].count, nbytes(ins) + nbytes(outs)


class _LrnDx(Op):
    """What both gradients share; ins: x, s, dy."""

    within: bool
    grad = "none"

    def infer(self, attrs: LrnAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: LrnAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x, s, dy = ins
        direct = _power(s, attrs.beta)
        direct *= dy
        pull = direct * x
        pull /= s
        pull = _neighbours(pull, attrs.size, self.within)
        pull *= x
        pull *= x.dtype.type(2 * attrs.alpha * attrs.beta / _count(attrs, self.within))
        np.subtract(direct, pull, out=outs[0])

    def cost(self, attrs: LrnAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """The sum, the power and six products: size + 7 operations a pixel."""
        return (attrs.size * (2 if self.within else 1) + 7) * outs[0].count, nbytes(ins) + nbytes(outs)


@op
class LrnAcross(_Lrn):
    """Neighbours are the same pixel of nearby channels."""

    name = "lrn_across"
    within = False


@op
class LrnWithin(_Lrn):
    """Neighbours are nearby pixels of the same channel."""

    name = "lrn_within"
    within = True


@op
class LrnAcrossDx(_LrnDx):
    """Gradient of lrn_across."""

    name = "lrn_across_dx"
    within = False


@op
class LrnWithinDx(_LrnDx):
    """Gradient of lrn_within."""

    name = "lrn_within_dx"
    within = True


def _count(attrs: LrnAttrs, within: bool) -> int:
    return attrs.size ** 2 if within else attrs.size


def _neighbours(a: np.ndarray, size: int, within: bool) -> np.ndarray:
    """A new array: the sum over each pixel's neighbours, itself included; nothing beyond the borders."""
    half = (size - 1) // 2
    if within:
        rows, cols = min(half, a.shape[2]), min(half, a.shape[3])
        return window_sum(a, (2 * rows + 1, 2 * cols + 1), (1, 1), (rows, cols), (a.shape[2], a.shape[3]))
    total = a.copy()
    for d in range(1, min(half, a.shape[1] - 1) + 1):
        total[:, d:] += a[:, :-d]
        total[:, :-d] += a[:, d:]
    return total


def _power(s: np.ndarray, beta: float) -> np.ndarray:
    """s^-beta as a new array; 0.75, the usual exponent, by two square roots, which are several times faster."""
    if beta != 0.75:
        return np.power(s, s.dtype.type(-beta))
    root = np.sqrt(s)
    out = np.sqrt(root)
    out *= root
    return np.divide(1, out, out=out)
