"""Half the mean squared distance between two blobs.

forward   loss = sum (a - b)^2 / (2 N), with N items along the first axis
backward  da = (a - b) dloss / N,  db = -da
Shapes: a and b any with one axis or more, as many items (N) in both and as many numbers an item; loss a scalar.
Saved: a - b, as a. A batch of none has loss 0.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


@op
class EuclideanLoss(Op):
    """The loss of a and b. No attrs."""

    name = "euclidean_loss"

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar. Raises ShapeError where the two differ in items or in numbers an item."""
        a, b = ins
        if not a.shape or a.shape[:1] != b.shape[:1] or a.count != b.count:
            raise ShapeError(f"the two bottoms must hold as many items of one size; they are {text(a.shape)} and "
                             f"{text(b.shape)}")
        return [Spec((), a.dtype)]

    def saved(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """a - b."""
        return [ins[0]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        a, b = ins
        away = np.subtract(a, b.reshape(a.shape), out=saved[0] if saved else None)
        outs[0][...] = float(np.vdot(away, away)) / (2 * max(1, len(a)))

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """euclidean_loss_dx on a - b, once for each side."""
        dloss = douts[0]
        if dloss is None:
            return [None, None]
        return [g.emit_grad("euclidean_loss_dx", EuclideanDxAttrs(sign), [node.saved[0], dloss], like=[v])[0] if wanted
                else None for v, sign, wanted in zip(node.ins, (1, -1), need, strict=True)]

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A difference and a product with an addition an element."""
        return 3 * ins[0].count, super().cost(attrs, [*ins, ins[0]], outs)[1]


@dataclass(frozen=True)
class EuclideanDxAttrs:
    """sign: 1 for the gradient of a, -1 for that of b."""

    sign: int = 1


@op
class EuclideanLossDx(Op):
    """sign (a - b) dloss / N; ins a - b, dloss (scalar); the out has the shape of its own side."""

    name = "euclidean_loss_dx"
    grad = "none"

    def infer(self, attrs: EuclideanDxAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As a - b; the caller's `like` says how b is shaped."""
        return [ins[0]]

    def forward(self, attrs: EuclideanDxAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        away, dloss = ins
        factor = attrs.sign * dloss.reshape(()) / away.dtype.type(max(1, len(away)))
        np.multiply(away.reshape(outs[0].shape), factor, out=outs[0])
