"""EuclideanLoss: half the mean squared distance between two bottoms, the loss of regression."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value


@LAYERS.register("EuclideanLoss")
class EuclideanLoss(Layer):
    """Has no message of its own. bottoms: two blobs with as many items of one size; both can get a gradient."""

    bottoms = (2, 2)
    loss = True
    auto_tops = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One euclidean_loss op."""
        return g.emit("euclidean_loss", None, bottoms)
