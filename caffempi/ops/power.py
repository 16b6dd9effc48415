"""Power: y = (shift + scale x)^power.

backward  dx = dy power scale (shift + scale x)^(power - 1), with Caffe's cases apart:
  power scale = 0   y is the constant shift^power (1 for power 0) and dx = 0, whatever x is
  power = 1         dx = scale dy; x is not read
  else              x is read. Caffe divides y by the base: NaN where that is 0, where the rule above is the derivative.
Shapes: any; y has x's shape.
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
class PowerAttrs:
    """power, scale, shift of (shift + scale x)^power (defaults 1, 1, 0: the identity)."""

    power: float = 1.0
    scale: float = 1.0
    shift: float = 0.0


def _base(attrs: PowerAttrs, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """shift + scale x, in `out` or a new array."""
    y = np.multiply(x, attrs.scale, out=np.empty_like(x) if out is None else out)
    if attrs.shift:
        np.add(y, attrs.shift, out=y)
    return y


def _raise(y: np.ndarray, power: float) -> None:
    """y = y^power in place; NaN (a negative base) and infinity (0 to a negative power) come without a warning."""
    if power == 2:
        np.multiply(y, y, out=y)
    elif power != 1:
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            np.power(y, power, out=y)


@op
class Power(Op):
    """y = (shift + scale x)^power."""

    name = "power"
    inplace = ((0, 0),)

    def infer(self, attrs: PowerAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As the in."""
        return [ins[0]]

    def forward(self, attrs: PowerAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        y = outs[0]
        if attrs.power * attrs.scale == 0:
            y[...] = attrs.shift
            _raise(y, attrs.power)
        else:
            _raise(_base(attrs, ins[0], y), attrs.power)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """power_dx; nothing for a constant, the dout itself for x + shift."""
        a: PowerAttrs = node.attrs
        dy = douts[0]
        if dy is None or a.power * a.scale == 0:
            return [None]
        if a.power == 1:
            scaled = PowerAttrs(scale=a.scale)
            return [dy] if a.scale == 1 else list(g.emit_grad("power", scaled, [dy], like=[node.ins[0]]))
        return list(g.emit_grad("power_dx", a, [node.ins[0], dy], like=[node.ins[0]]))

    def cost(self, attrs: PowerAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A product, an addition and a power an element."""
        return 3 * ins[0].count, super().cost(attrs, ins, outs)[1]


@op
class PowerDx(Op):
    """dx = dy power scale (shift + scale x)^(power - 1); ins x, dy."""

    name = "power_dx"
    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: PowerAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        x, dy = ins
        t = _base(attrs, x)
        _raise(t, attrs.power - 1)
        t *= attrs.power * attrs.scale
        np.multiply(t, dy, out=outs[0])

    def cost(self, attrs: PowerAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A product, an addition, a power and two products an element."""
        return 5 * ins[0].count, super().cost(attrs, ins, outs)[1]
