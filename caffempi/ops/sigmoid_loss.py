"""Sigmoid and cross-entropy in one: the loss of labels that are probabilities, each place for itself.

forward   loss = sum over counting places of max(x, 0) - x t + log(1 + e^-|x|), / divisor
backward  dx = (sigmoid(x) - t) dloss / divisor, 0 at places of the ignored label; the targets get none
divisor   max(1, n) with n = all places ("full"), the counting ones ("valid"), the first dim ("batch"), or 1 ("none")
Shapes: x any with one axis or more; targets t as many in number; loss a scalar. A place is ignored where the whole part
of its target is the ignored label.

Saved: sigmoid(x), the divisor (1), the number of counting places (1); `normalizer_saved` and `count_saved` are the
places of the last two, for exchanges, as in `softmax_loss`.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.labels import loss_divisor
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


@dataclass(frozen=True)
class SigmoidLossAttrs:
    """normalization: full, valid, batch (default) or none. ignore: target of places that do not count, None = all count."""

    normalization: str = "batch"
    ignore: int | None = None

    @property
    def counts_vary(self) -> bool:
        """True where the divisor depends on the targets, so that it may differ between ranks."""
        return self.normalization == "valid" and self.ignore is not None

    def counting(self, target: np.ndarray) -> np.ndarray:
        """Mask of the places that count."""
        if self.ignore is None:
            return np.ones(target.shape, bool)
        with np.errstate(invalid="ignore"):
            return np.trunc(target) != self.ignore


@op
class SigmoidLoss(Op):
    """The loss of x and targets. normalizer_saved, count_saved: where in `saved` the divisor and the count are."""

    name = "sigmoid_loss"
    differentiable = (0,)
    normalizer_saved = 1
    count_saved = 2

    def infer(self, attrs: SigmoidLossAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar. Raises ShapeError where the targets do not fit."""
        x, t = ins
        if not x.shape or x.count != t.count:
            raise ShapeError(f"each of the predictions {text(x.shape)} needs a target; the targets are {text(t.shape)}")
        return [Spec((), x.dtype)]

    def saved(self, attrs: SigmoidLossAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """sigmoid(x), divisor, count."""
        return [ins[0], Spec((1,), ins[0].dtype), Spec((1,), ins[0].dtype)]

    def forward(self, attrs: SigmoidLossAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x, t = ins[0], ins[1].reshape(ins[0].shape)
        valid = attrs.counting(t)
        terms = np.maximum(x, 0) - x * t + np.log1p(np.exp(-np.abs(x)))
        count = int(np.count_nonzero(valid))
        divisor = loss_divisor(attrs.normalization, x.size, len(x), count)
        outs[0][...] = float(terms.sum(where=valid, dtype=np.float64)) / divisor
        if saved:
            prob = np.tanh(x * x.dtype.type(0.5), out=saved[0])
            prob *= 0.5
            prob += 0.5
            saved[self.normalizer_saved][...] = divisor
            saved[self.count_saved][...] = count

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """sigmoid_loss_dx on the sigmoid, the targets and the saved divisor."""
        if douts[0] is None or not need[0]:
            return [None, None]
        x, t = node.ins
        ins = [node.saved[0], t, node.saved[self.normalizer_saved], douts[0]]
        return [g.emit_grad("sigmoid_loss_dx", node.attrs, ins, like=[x])[0], None]

    def cost(self, attrs: SigmoidLossAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A sigmoid and a cross-entropy an element."""
        return 10 * ins[0].count, super().cost(attrs, [*ins, ins[0]], outs)[1]


@op
class SigmoidLossDx(Op):
    """dx = (sigmoid(x) - t) dloss / divisor; ins sigmoid(x), targets, divisor (1), dloss (scalar)."""

    name = "sigmoid_loss_dx"
    grad = "none"

    def infer(self, attrs: SigmoidLossAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: SigmoidLossAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        prob, target, divisor, dloss = ins
        t = target.reshape(prob.shape)
        np.multiply(prob - t, dloss.reshape(()) / divisor.reshape(()), out=outs[0])
        outs[0][~attrs.counting(t)] = 0
