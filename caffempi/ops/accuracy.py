"""Accuracy: the share of places whose label is among the best scores.

A place is a hit where fewer than top_k other classes have a score that is not below that of the label's class; so ties
count against it (and so does NaN). accuracy = hits / counting places, by_class_c = hits / counting places of label c;
0 where none counts. Places of the ignored label do not count. No gradient.
Shapes: scores any with the axis, outer x classes x inner; labels outer x inner in number; accuracy a scalar, by_class,
where it is asked for, (classes).
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Spec
from caffempi.ops.labels import label_layout, read_labels
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


@dataclass(frozen=True)
class AccuracyAttrs:
    """What is a hit.

    top_k: how many of the best scores count as a hit (default 1). axis: of the classes (default 1). ignore: label of
    places that do not count, None = all count. by_class: whether the accuracy of each class is a second out.
    """

    top_k: int = 1
    axis: int = 1
    ignore: int | None = None
    by_class: bool = False


@op
class Accuracy(Op):
    """accuracy[, by_class] from scores and labels."""

    name = "accuracy"
    grad = "none"
    differentiable = ()

    def infer(self, attrs: AccuracyAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar, and (classes). Raises ShapeError where labels do not fit or there are fewer classes than top_k."""
        _, classes, _ = label_layout(ins[0], ins[1], attrs.axis)
        if attrs.top_k > classes:
            raise ShapeError(f"top_k is {attrs.top_k}, but there are only {classes} classes along axis {attrs.axis}",
                             fix=f"lower top_k to {classes} or less")
        return [Spec((), ins[0].dtype)] + [Spec((classes,), ins[0].dtype)] * attrs.by_class

    def forward(self, attrs: AccuracyAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module. Raises DataError for a label that is no class."""
        x, label = ins
        outer, classes, inner = label_layout(Spec(x.shape), Spec(label.shape), attrs.axis)
        index, valid = read_labels(label, classes, attrs.ignore)
        scores = x.reshape(outer, classes, inner)
        own = np.take_along_axis(scores, index.reshape(outer, 1, inner), axis=1)
        rivals = np.count_nonzero(~(scores < own), axis=1) - 1
        hit = (rivals < attrs.top_k).reshape(-1) & valid.reshape(-1)
        count = np.count_nonzero(valid)
        outs[0][...] = np.count_nonzero(hit) / count if count else 0
        if attrs.by_class:
            index = index.reshape(-1)
            hits = np.bincount(index[hit], minlength=classes)
            total = np.bincount(index[valid.reshape(-1)], minlength=classes)
            np.copyto(outs[1], hits / np.maximum(total, 1), casting="same_kind")

    def cost(self, attrs: AccuracyAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A comparison an element."""
        return ins[0].count, super().cost(attrs, ins, outs)[1]
