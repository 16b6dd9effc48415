"""Accuracy: the share of places whose label is among the top_k best scores; no gradient."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.accuracy import AccuracyAttrs
from caffempi.ops.graph import Value


@LAYERS.register("Accuracy")
class Accuracy(Layer):
    """accuracy_param: top_k (default 1), axis (1), ignore_label (none).

    bottoms: scores, and one label for each place. tops: the accuracy; that of each class, if a second top is named.
    """

    bottoms = (2, 2)
    tops = (1, 2)
    param = "accuracy_param"
    limits = {"top_k": at_least(1)}
    labels = (0, 1)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One accuracy op. Raises ShapeError where there are fewer classes than top_k."""
        classes = bottoms[0].spec.shape[self.axis(bottoms[0])]
        if self.p.top_k > classes:
            raise ShapeError(f"must not be above the number of classes, {classes}", field="accuracy_param.top_k",
                             value=self.p.top_k)
        ignore = self.p.ignore_label if self.p.HasField("ignore_label") else None
        return g.emit("accuracy", AccuracyAttrs(self.p.top_k, self.p.axis, ignore, len(self.lp.top) == 2), bottoms)
