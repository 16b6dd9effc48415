"""Softmax and negative log-likelihood of the labels in one: the loss of classifiers.

forward   p = softmax(x) along the axis;  loss = sum over counting places of -log(max(p_label, FLT_MIN)) / divisor
backward  dx = (p - [class is the label]) dloss / divisor, 0 at places of the ignored label
divisor   max(1, n) with n = all places ("full"), the counting ones ("valid"), the batch ("batch"), or 1 ("none")
FLT_MIN (1.18e-38) is float32's smallest normal number, so that one place gives at most 87.34.
Shapes: x any with the axis, outer x classes x inner; labels outer x inner in number; loss a scalar; prob, where it is
asked for, as x (it gets no gradient).

Saved: p, the divisor (1), and the number of counting places (1). Backward reads the saved divisor, so that an exchange
between ranks whose counts differ may put max(1, total) / ranks there after forward and before backward:
`SoftmaxNll.normalizer_saved` and `count_saved` are their places in `saved`; `SoftmaxNllAttrs.counts_vary` says when the
counts can differ.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.labels import chosen, label_layout, loss_divisor, read_labels
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.softmax import softmax

_SMALLEST = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class SoftmaxNllAttrs:
    """What is summed and divided by what.

    axis: of the classes (default 1). normalization: full, valid, batch or none, as in the module (default valid).
    ignore: label of places that do not count, None = all count. with_prob: whether p is a second out.
    """

    axis: int = 1
    normalization: str = "valid"
    ignore: int | None = None
    with_prob: bool = False

    @property
    def counts_vary(self) -> bool:
        """True where the divisor depends on the labels, so that it may differ between ranks."""
        return self.normalization == "valid" and self.ignore is not None


@op
class SoftmaxNll(Op):
    """loss[, p] from x and labels. normalizer_saved, count_saved: where in `saved` the divisor and the count are."""

    name = "softmax_nll"
    differentiable = (0,)
    normalizer_saved = 1
    count_saved = 2

    def infer(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar, and x's shape for p. Raises ShapeError where the labels do not fit."""
        label_layout(ins[0], ins[1], attrs.axis)
        return [Spec((), ins[0].dtype)] + [ins[0]] * attrs.with_prob

    def saved(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """p, divisor, count."""
        return [ins[0], Spec((1,), ins[0].dtype), Spec((1,), ins[0].dtype)]

    def forward(self, attrs: SoftmaxNllAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module. Raises DataError for a label that is no class."""
        x, label = ins
        outer, classes, inner = label_layout(Spec(x.shape), Spec(label.shape), attrs.axis)
        index, valid = read_labels(label, classes, attrs.ignore)
        prob = saved[0] if saved else np.empty_like(x)
        softmax(x, attrs.axis, prob)
        if attrs.with_prob:
            np.copyto(outs[1], prob)
        count = int(np.count_nonzero(valid))
        divisor = loss_divisor(attrs.normalization, outer * inner, outer, count)
        loss = 0.0
        if classes:
            own = prob.reshape(outer, classes, inner)[chosen(outer, index, inner)]
            terms = -np.log(np.maximum(own.reshape(-1), _SMALLEST))
            loss = float(terms.sum(where=valid.reshape(-1), dtype=np.float64)) / divisor
        outs[0][...] = loss
        if saved:
            saved[self.normalizer_saved][...] = divisor
            saved[self.count_saved][...] = count

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """softmax_nll_dx on p, the labels and the saved divisor."""
        if douts[0] is None or not need[0]:
            return [None, None]
        x, label = node.ins
        ins = [node.saved[0], label, node.saved[self.normalizer_saved], douts[0]]
        return [g.emit_grad("softmax_nll_dx", node.attrs, ins, like=[x])[0], None]

    def cost(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A softmax, and a logarithm and a sum for each place; p is written."""
        return 5 * ins[0].count + 2 * ins[1].count, super().cost(attrs, [*ins, ins[0]], outs)[1]


@op
class SoftmaxNllDx(Op):
    """dx = (p - [class is the label]) dloss / divisor; ins p, label, divisor (1), dloss (scalar)."""

    name = "softmax_nll_dx"
    grad = "none"

    def infer(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As p."""
        return [ins[0]]

    def forward(self, attrs: SoftmaxNllAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class. Raises DataError for a label that is no class (it may have been written since forward)."""
        prob, label, divisor, dloss = ins
        outer, classes, inner = label_layout(Spec(prob.shape), Spec(label.shape), attrs.axis)
        index, valid = read_labels(label, classes, attrs.ignore)
        if prob.size == 0:
            return
        factor = dloss.reshape(()) / divisor.reshape(())
        weight = np.where(valid, factor, 0).astype(prob.dtype).reshape(outer, inner)
        dx = prob.reshape(outer, classes, inner) * weight[:, None]
        dx[chosen(outer, index, inner)] -= weight
        np.copyto(outs[0], dx.reshape(outs[0].shape))

    def cost(self, attrs: SoftmaxNllAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A product an element, a difference for each place."""
        return ins[0].count + ins[1].count, super().cost(attrs, ins, outs)[1]
