"""SoftmaxWithLoss: softmax along an axis, and the mean negative log-likelihood of the labels."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.layers.loss_fields import ignored, normalization
from caffempi.ops.graph import Value
from caffempi.ops.softmax_loss import SoftmaxNllAttrs


@LAYERS.register("SoftmaxWithLoss")
class SoftmaxWithLoss(Layer):
    """softmax_param.axis (default 1); loss_param: ignore_label (none), normalization (VALID), normalize (old style).

    bottoms: scores, and one label for each place. tops: the loss; the probabilities, if a second top is named.
    normalize counts where normalization is absent: true is VALID, false BATCH_SIZE. `engine` is a wish.
    """

    bottoms = (2, 2)
    tops = (1, 2)
    param = "loss_param"
    loss = True
    labels = (1,)
    auto_tops = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One softmax_nll op."""
        self.axis(bottoms[0], message="softmax_param")
        attrs = SoftmaxNllAttrs(self.lp.softmax_param.axis, normalization(self.p, "valid"), ignored(self.p),
                                len(self.lp.top) == 2)
        return g.emit("softmax_nll", attrs, bottoms)
