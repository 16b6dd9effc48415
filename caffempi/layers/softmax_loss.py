"""SoftmaxWithLoss: softmax along an axis, and the mean negative log-likelihood of the labels."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.softmax_loss import SoftmaxNllAttrs
from caffempi.proto import caffe_pb2

_Loss = caffe_pb2.LossParameter
_MODES = {_Loss.FULL: "full", _Loss.VALID: "valid", _Loss.BATCH_SIZE: "batch", _Loss.NONE: "none"}


@LAYERS.register("SoftmaxWithLoss")
class SoftmaxWithLoss(Layer):
    """softmax_param.axis (default 1); loss_param: ignore_label (none), normalization (VALID), normalize (old style).

    bottoms: scores, and one label for each place. tops: the loss; the probabilities, if a second top is named.
    normalize counts where normalization is absent: true is VALID, false BATCH_SIZE. `engine` chooses nothing here.
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
        mode = self.p.normalization
        if self.p.HasField("normalize") and not self.p.HasField("normalization"):
            mode = _Loss.VALID if self.p.normalize else _Loss.BATCH_SIZE
        ignore = self.p.ignore_label if self.p.HasField("ignore_label") else None
        attrs = SoftmaxNllAttrs(self.lp.softmax_param.axis, _MODES[mode], ignore, len(self.lp.top) == 2)
        return g.emit("softmax_nll", attrs, bottoms)
