"""The negative log-likelihood of the labels under given probabilities.

forward   loss = sum over items of -log max(p_label, 1e-20), / N
backward  dp_label = -dloss / (N max(p_label, 1e-20)), 0 for all other classes
Where p_label lies below 1e-20 the loss is flat, but Caffe's gradient is not 0: its rule, not the derivative.
Shapes: p is N items of C numbers (all axes after the first together); labels N in number, each in 0..C - 1; loss a scalar.
A batch of none has loss 0.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.labels import item_layout, read_labels
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng

_SMALLEST = 1e-20


def _of_labels(prob: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(labels, their probabilities, at least 1e-20). Raises DataError for a label that is no class."""
    n, classes = item_layout(Spec(prob.shape), Spec(label.shape))
    index, _ = read_labels(label.reshape(-1), classes, None)
    return index, np.maximum(prob.reshape(n, classes)[np.arange(n), index], prob.dtype.type(_SMALLEST))


@op
class MultinomialLoss(Op):
    """The loss of probabilities p and labels. No attrs."""

    name = "multinomial_loss"
    grad = "declared"
    differentiable = (0,)

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar. Raises ShapeError where the labels do not fit."""
        item_layout(ins[0], ins[1])
        return [Spec((), ins[0].dtype)]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module. Raises DataError for a label that is no class."""
        _, chosen = _of_labels(*ins)
        outs[0][...] = -float(np.log(chosen).sum(dtype=np.float64)) / max(1, len(chosen))

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """multinomial_loss_dx on p and the labels."""
        if douts[0] is None or not need[0]:
            return [None, None]
        return [g.emit_grad("multinomial_loss_dx", None, [*node.ins, douts[0]], like=[node.ins[0]])[0], None]

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A logarithm and a sum an item."""
        return 2 * ins[1].count, super().cost(attrs, [ins[1], ins[1]], outs)[1]


@op
class MultinomialLossDx(Op):
    """dp by the module's rule; ins p, labels, dloss (scalar)."""

    name = "multinomial_loss_dx"
    grad = "none"

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """As p."""
        return [ins[0]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class. Raises DataError for a label that is no class (it may have been written since forward)."""
        prob, label, dloss = ins
        index, chosen = _of_labels(prob, label)
        n = len(index)
        outs[0].fill(0)
        rows = outs[0].reshape(n, prob.size // n if n else 0)
        rows[np.arange(n), index] = -dloss.reshape(()) / (max(1, n) * chosen)
