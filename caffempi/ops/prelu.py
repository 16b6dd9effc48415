"""PReLU: ReLU with a learned slope for negative inputs, one a channel or one for all.

forward   y = x if x > 0 else w_c x
backward  dx = dy (1 if x > 0 else w_c)      dw_c = sum over batch and space of dy x where x <= 0
Shapes: x (N, C, ...), w (C) or one element for all channels (shape () or (1)); y as x.
All backward ops read x: run in place, the plan keeps a copy of it. Source: He et al., ICCV 2015.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


def _along_channels(w: np.ndarray, ndim: int) -> np.ndarray:
    """w so that it broadcasts along axis 1 of an array of ndim axes."""
    return w.reshape(-1, *(1,) * (ndim - 2))


@op
class Prelu(Op):
    """y = x if x > 0 else w_c x; ins x, w; attrs None."""

    name = "prelu"
    inplace = ((0, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x. Raises ShapeError where x has fewer than two axes or w fits not its channels."""
        x, w = ins
        if len(x.shape) < 2:
            raise ShapeError(f"needs a bottom of two axes or more, (N, C, ...); this one is {text(x.shape)}")
        if w.shape not in ((), (1,), (x.shape[1],)):
            raise ShapeError(f"slopes {text(w.shape)} do not fit a bottom {text(x.shape)} of {x.shape[1]} channels")
        return [x]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        x, w = ins
        np.multiply(x, np.where(x > 0, x.dtype.type(1), _along_channels(w, x.ndim)), out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """prelu_dx and prelu_dw, as needed."""
        (x, w), dy = node.ins, douts[0]
        if dy is None:
            return [None, None]
        dx = g.emit_grad("prelu_dx", None, [x, w, dy], like=[x])[0] if need[0] else None
        dw = g.emit_grad("prelu_dw", None, [x, dy], like=[w])[0] if need[1] else None
        return [dx, dw]

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A comparison and a product an element."""
        return 2 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class PreluDx(Op):
    """dx = dy (1 if x > 0 else w_c); ins x, w, dy."""

    name = "prelu_dx"
    grad = "none"
    inplace = ((2, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        x, w, dy = ins
        np.multiply(dy, np.where(x > 0, x.dtype.type(1), _along_channels(w, x.ndim)), out=outs[0])


@op
class PreluDw(Op):
    """dw = sum of dy x where x <= 0, by channel or over all; ins x, dy; the out's shape is that of w."""

    name = "prelu_dw"
    grad = "none"

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """(C), as for slopes by channel; the caller's `like` says where it is one for all."""
        return [Spec((ins[0].shape[1],), ins[0].dtype)]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        x, dy = ins
        by_channel = (np.minimum(x, 0) * dy).sum(axis=(0, *range(2, x.ndim)))
        dw = outs[0]
        np.copyto(dw, by_channel if dw.shape == by_channel.shape else by_channel.sum().reshape(dw.shape))

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A product and an addition an element."""
        return 2 * ins[0].count, super().cost(attrs, ins, outs)[1]
