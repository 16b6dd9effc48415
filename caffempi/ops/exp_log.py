"""Exponential and logarithm of a line, element by element.

exp  y = outer e^(inner x)              dx = dy inner y
log  y = factor ln(shift + scale x)     dx = dy factor scale / (shift + scale x)
Any base is in the constants: b^(s + c x) has inner = c ln b and outer = b^s; log_b has factor = 1 / ln b.
exp_dx reads y, log_dx reads x. Out of range they give infinity or NaN, as the functions do. Shapes: any; y has x's.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


@dataclass(frozen=True)
class ExpAttrs:
    """inner, outer of outer e^(inner x) (defaults 1, 1)."""

    inner: float = 1.0
    outer: float = 1.0


@dataclass(frozen=True)
class LogAttrs:
    """scale, shift, factor of factor ln(shift + scale x) (defaults 1, 0, 1)."""

    scale: float = 1.0
    shift: float = 0.0
    factor: float = 1.0


class _Line(Op):
    """What the four ops share: shapes and cost."""

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As the first in."""
        return [ins[0]]

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Three operations an element."""
        return 3 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class Exp(_Line):
    """y = outer e^(inner x)."""

    name = "exp"
    inplace = ((0, 0),)

    def forward(self, attrs: ExpAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        y = outs[0]
        with np.errstate(over="ignore", invalid="ignore"):
            np.multiply(ins[0], attrs.inner, out=y)
            np.exp(y, out=y)
            if attrs.outer != 1:
                np.multiply(y, attrs.outer, out=y)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """exp_dx on y; nothing where y is a constant."""
        if douts[0] is None or node.attrs.inner == 0:
            return [None]
        return list(g.emit_grad("exp_dx", node.attrs, [node.outs[0], douts[0]], like=[node.ins[0]]))

    def reads_newest(self, node: Node) -> bool:
        """Caffe's layer reads its top, whatever a later in-place layer has made of it."""
        return True


@op
class ExpDx(_Line):
    """dx = dy inner y; ins y, dy."""

    name = "exp_dx"
    grad = "none"
    inplace = ((1, 0),)

    def forward(self, attrs: ExpAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        y, dy = ins
        with np.errstate(over="ignore", invalid="ignore"):
            np.multiply(dy, y * y.dtype.type(attrs.inner), out=outs[0])


@op
class Log(_Line):
    """y = factor ln(shift + scale x); NaN where the line is below 0, -infinity where it is 0."""

    name = "log"
    inplace = ((0, 0),)

    def forward(self, attrs: LogAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        line = _line(attrs, ins[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            np.log(line, out=line)
        np.multiply(line, attrs.factor, out=outs[0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """log_dx on x."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad("log_dx", node.attrs, [node.ins[0], douts[0]], like=[node.ins[0]]))


@op
class LogDx(_Line):
    """dx = dy factor scale / (shift + scale x); ins x, dy."""

    name = "log_dx"
    grad = "none"
    inplace = ((1, 0),)

    def forward(self, attrs: LogAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        line = _line(attrs, ins[0])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            np.divide(attrs.factor * attrs.scale, line, out=line)
            np.multiply(ins[1], line, out=outs[0])


def _line(attrs: LogAttrs, x: np.ndarray) -> np.ndarray:
    """shift + scale x, a new array."""
    line = np.multiply(x, attrs.scale, out=np.empty_like(x))
    line += attrs.shift
    return line
