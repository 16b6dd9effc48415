"""ContrastiveLoss: the loss of siamese nets."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.contrastive_loss import ContrastiveAttrs
from caffempi.ops.graph import Value


@LAYERS.register("ContrastiveLoss")
class ContrastiveLoss(Layer):
    """contrastive_loss_param: margin (default 1), legacy_version (false: the margin is held against the distance).

    bottoms: the features of both sides (N x C each), and for each pair whether it is alike (not 0) or not (0).
    """

    bottoms = (3, 3)
    param = "contrastive_loss_param"
    loss = True
    labels = (2,)
    auto_tops = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One contrastive_loss op."""
        return g.emit("contrastive_loss", ContrastiveAttrs(self.p.margin, self.p.legacy_version), bottoms)
