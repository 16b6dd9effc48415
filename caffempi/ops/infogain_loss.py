"""Softmax and a likelihood weighted by an information-gain matrix H: a loss in which mistakes differ in price.

forward   p = softmax(x) along the axis;  loss = sum over counting places, labels l, classes k of
          -H[l, k] log max(p_k, 1e-20), / divisor
backward  dx_k = (p_k sum_j H[l, j] - H[l, k]) dloss / divisor, 0 at places of the ignored label; labels and H get none
divisor   as in `softmax_loss`
Where some p_k lies below 1e-20 the loss is flat in it, but Caffe's gradient takes no notice: its rule, not the derivative.
With H the identity this is the loss of `softmax_loss`.
Shapes: x any with the axis, outer x classes x inner; labels outer x inner in number; H classes x classes in number;
loss a scalar; p, where it is asked for, as x (it gets no gradient).

Saved: p, the divisor (1), the number of counting places (1); `normalizer_saved` and `count_saved` are the places of the
last two, for exchanges, as in `softmax_loss`.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.labels import label_layout, loss_divisor, read_labels
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text
from caffempi.ops.softmax import softmax
from caffempi.ops.softmax_loss import SoftmaxNllAttrs

_SMALLEST = 1e-20


def _prices(h: np.ndarray, index: np.ndarray, outer: int, classes: int, inner: int) -> np.ndarray:
    """The row of H for the label of each place, laid out as x: outer x classes x inner."""
    return np.moveaxis(h.reshape(classes, classes)[index.reshape(outer, inner)], 2, 1)


@op
class InfogainLoss(Op):
    """loss[, p] from x, labels and H, with the attrs of softmax_nll; normalizer_saved and count_saved as there."""

    name = "infogain_loss"
    grad = "declared"
    differentiable = (0,)
    normalizer_saved = 1
    count_saved = 2

    def infer(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar, and x's shape for p. Raises ShapeError where the labels or H do not fit."""
        _, classes, _ = label_layout(ins[0], ins[1], attrs.axis)
        if ins[2].count != classes * classes:
            raise ShapeError(f"the information-gain matrix {text(ins[2].shape)} does not fit {classes} classes",
                             fix=f"give one of {classes} x {classes} numbers")
        return [Spec((), ins[0].dtype)] + [ins[0]] * attrs.with_prob

    def saved(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """p, divisor, count."""
        return [ins[0], Spec((1,), ins[0].dtype), Spec((1,), ins[0].dtype)]

    def forward(self, attrs: SoftmaxNllAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module. Raises DataError for a label that is no class."""
        x, label, h = ins
        outer, classes, inner = label_layout(Spec(x.shape), Spec(label.shape), attrs.axis)
        index, valid = read_labels(label, classes, attrs.ignore)
        prob = saved[0] if saved else np.empty_like(x)
        softmax(x, attrs.axis, prob)
        if attrs.with_prob:
            np.copyto(outs[1], prob)
        count = int(np.count_nonzero(valid))
        divisor = loss_divisor(attrs.normalization, outer * inner, outer, count)
        logs = np.log(np.maximum(prob.reshape(outer, classes, inner), x.dtype.type(_SMALLEST)))
        terms = (logs * _prices(h, index, outer, classes, inner)).sum(axis=1, dtype=np.float64)
        outs[0][...] = -float(terms.sum(where=valid.reshape(outer, inner))) / divisor
        if saved:
            saved[self.normalizer_saved][...] = divisor
            saved[self.count_saved][...] = count

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """infogain_loss_dx on p, the labels, H and the saved divisor."""
        if douts[0] is None or not need[0]:
            return [None, None, None]
        x, label, h = node.ins
        ins = [node.saved[0], label, h, node.saved[self.normalizer_saved], douts[0]]
        return [g.emit_grad("infogain_loss_dx", node.attrs, ins, like=[x])[0], None, None]

    def cost(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A softmax, and a logarithm, a product and a sum an element; p is written."""
        return 8 * ins[0].count, super().cost(attrs, [*ins, ins[0]], outs)[1]


@op
class InfogainLossDx(Op):
    """dx by the module's rule; ins p, labels, H, divisor (1), dloss (scalar)."""

    name = "infogain_loss_dx"
    grad = "none"

    def infer(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As p."""
        return [ins[0]]

    def forward(self, attrs: SoftmaxNllAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class. Raises DataError for a label that is no class (it may have been written since forward)."""
        prob, label, h, divisor, dloss = ins
        outer, classes, inner = label_layout(Spec(prob.shape), Spec(label.shape), attrs.axis)
        index, valid = read_labels(label, classes, attrs.ignore)
        price = _prices(h, index, outer, classes, inner)
        weight = np.where(valid, dloss.reshape(()) / divisor.reshape(()), 0).astype(prob.dtype).reshape(outer, 1, inner)
        dx = (prob.reshape(outer, classes, inner) * price.sum(axis=1, keepdims=True) - price) * weight
        np.copyto(outs[0], dx.reshape(outs[0].shape))

    def cost(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two products, a difference and a sum an element."""
        return 4 * ins[0].count, super().cost(attrs, ins, outs)[1]
