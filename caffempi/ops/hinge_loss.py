"""The hinge loss of one-against-all classifiers, of the margins or of their squares.

With t = 1 for an item's own class and -1 for all others, and m = max(0, 1 - t x) for each of its classes:
forward   loss = sum m / N  (L1)   or   sum m^2 / N  (L2)
backward  dx = -t [m > 0] dloss / N   or   -2 t m dloss / N
Shapes: x is N items of C numbers (all axes after the first together); labels N in number, each in 0..C - 1; loss a scalar.
Saved: m, as x. A batch of none has loss 0.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.labels import item_layout, read_labels
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


@dataclass(frozen=True)
class HingeAttrs:
    """squared: sum the squares of the margins (L2) rather than the margins (L1, the default)."""

    squared: bool = False


def _flip_own(rows: np.ndarray, label: np.ndarray) -> None:
    """Changes the sign of each row's own class. Raises DataError for a label that is no class."""
    index, _ = read_labels(label.reshape(-1), rows.shape[1], None)
    rows[np.arange(len(rows)), index] *= -1


@op
class HingeLoss(Op):
    """The loss of scores x and labels."""

    name = "hinge_loss"
    differentiable = (0,)

    def infer(self, attrs: HingeAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar. Raises ShapeError where the labels do not fit."""
        item_layout(ins[0], ins[1])
        return [Spec((), ins[0].dtype)]

    def saved(self, attrs: HingeAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The margins that are not met."""
        return [ins[0]]

    def forward(self, attrs: HingeAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module. Raises DataError for a label that is no class."""
        x, label = ins
        margin = saved[0] if saved else np.empty_like(x)
        np.copyto(margin, x)
        rows = margin.reshape(item_layout(Spec(x.shape), Spec(label.shape)))
        _flip_own(rows, label)
        rows += 1
        np.maximum(rows, 0, out=rows)
        total = float(np.vdot(rows, rows)) if attrs.squared else float(rows.sum(dtype=np.float64))
        outs[0][...] = total / max(1, len(rows))

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """hinge_loss_dx on the margins and the labels."""
        if douts[0] is None or not need[0]:
            return [None, None]
        ins = [node.saved[0], node.ins[1], douts[0]]
        return [g.emit_grad("hinge_loss_dx", node.attrs, ins, like=[node.ins[0]])[0], None]

    def cost(self, attrs: HingeAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A difference, a maximum and a sum an element."""
        return 3 * ins[0].count, super().cost(attrs, [*ins, ins[0]], outs)[1]


@op
class HingeLossDx(Op):
    """dx by the module's rule; ins margins, labels, dloss (scalar)."""

    name = "hinge_loss_dx"
    grad = "none"

    def infer(self, attrs: HingeAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As the margins."""
        return [ins[0]]

    def forward(self, attrs: HingeAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class. Raises DataError for a label that is no class (it may have been written since forward)."""
        margin, label, dloss = ins
        rows = margin.reshape(item_layout(Spec(margin.shape), Spec(label.shape)))
        dx = outs[0].reshape(rows.shape)
        factor = dloss.reshape(()) / margin.dtype.type(max(1, len(rows)))
        np.multiply(rows if attrs.squared else np.sign(rows), 2 * factor if attrs.squared else factor, out=dx)
        _flip_own(dx, label)
