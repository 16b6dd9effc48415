"""Sigmoid, hyperbolic tangent and ELU, element by element.

sigmoid   y = 0.5 tanh(0.5 x) + 0.5, which is 1 / (1 + e^-x) without overflow;    dx = dy y (1 - y)
tanh      y = tanh(x);                                                            dx = dy (1 - y^2)
elu       y = x if x > 0 else alpha (e^x - 1);                                    dx = dy (1 if x > 0 else y + alpha)

Backward reads the output, so that the forward may run in place. For ELU the output's sign tells that of the input only
where alpha >= 0; with a negative alpha backward reads x, and alpha e^x stands for y + alpha.
ELU: Clevert, Unterthiner, Hochreiter, ICLR 2016. Shapes: any; y has x's shape.
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
class EluAttrs:
    """alpha: the output for very negative inputs is -alpha (default 1)."""

    alpha: float = 1.0


class _Activation(Op):
    """An element-wise function whose backward reads y and dy."""

    inplace = ((0, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As the in."""
        return [ins[0]]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """NAME_dx on the output."""
        if douts[0] is None:
            return [None]
        return list(g.emit_grad(f"{self.name}_dx", node.attrs, [self.reads(node), douts[0]], like=[node.ins[0]]))

    def reads(self, node: Node) -> Value:
        """What backward reads beside dy."""
        return node.outs[0]


class _ActivationDx(Op):
    """dx from (y, dy); may overwrite dy."""

    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """As dy."""
        return [ins[1]]


@op
class Sigmoid(_Activation):
    """y = 0.5 tanh(0.5 x) + 0.5; attrs None."""

    name = "sigmoid"

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        y = outs[0]
        np.multiply(ins[0], 0.5, out=y)
        np.tanh(y, out=y)
        np.multiply(y, 0.5, out=y)
        np.add(y, 0.5, out=y)

    def reads_newest(self, node: Node) -> bool:
        """Caffe's layer reads its top, whatever a later in-place layer has made of it."""
        return True


@op
class SigmoidDx(_ActivationDx):
    """dx = dy y (1 - y)."""

    name = "sigmoid_dx"

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        y, dy = ins
        np.multiply(dy, y * (1 - y), out=outs[0])


@op
class Tanh(_Activation):
    """y = tanh(x); attrs None."""

    name = "tanh"

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        np.tanh(ins[0], out=outs[0])

    def reads_newest(self, node: Node) -> bool:
        """Caffe's layer reads its top, whatever a later in-place layer has made of it."""
        return True


@op
class TanhDx(_ActivationDx):
    """dx = dy (1 - y^2)."""

    name = "tanh_dx"

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        y, dy = ins
        np.multiply(dy, 1 - y * y, out=outs[0])


@op
class Elu(_Activation):
    """y = x if x > 0 else alpha (e^x - 1)."""

    name = "elu"

    def forward(self, attrs: EluAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        x = ins[0]
        np.copyto(outs[0], np.where(x > 0, x, np.expm1(np.minimum(x, 0)) * attrs.alpha))

    def reads(self, node: Node) -> Value:
        """y where its sign is that of x, else x."""
        return node.outs[0] if node.attrs.alpha >= 0 else node.ins[0]


@op
class EluDx(_ActivationDx):
    """dx = dy (1 if s > 0 else t): s is y and t = s + alpha for alpha >= 0, else s is x and t = alpha e^s."""

    name = "elu_dx"

    def forward(self, attrs: EluAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        s, dy = ins
        slope = s + attrs.alpha if attrs.alpha >= 0 else np.exp(np.minimum(s, 0)) * attrs.alpha
        np.multiply(dy, np.where(s > 0, s.dtype.type(1), slope), out=outs[0])
