"""SigmoidCrossEntropyLoss: sigmoid and cross-entropy of targets that are probabilities."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.layers.loss_fields import ignored, normalization
from caffempi.ops.graph import Value
from caffempi.ops.sigmoid_loss import SigmoidLossAttrs


@LAYERS.register("SigmoidCrossEntropyLoss")
class SigmoidCrossEntropyLoss(Layer):
    """loss_param: ignore_label (none), normalization (BATCH_SIZE), normalize (old style, as in SoftmaxWithLoss).

    bottoms: scores, and a target for each of them.
    """

    bottoms = (2, 2)
    param = "loss_param"
    loss = True
    labels = (1,)
    auto_tops = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One sigmoid_loss op."""
        return g.emit("sigmoid_loss", SigmoidLossAttrs(normalization(self.p, "batch"), ignored(self.p)), bottoms)
