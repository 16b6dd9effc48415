"""HingeLoss: the loss of one-against-all classifiers with a margin."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.hinge_loss import HingeAttrs
from caffempi.proto import caffe_pb2


@LAYERS.register("HingeLoss")
class HingeLoss(Layer):
    """hinge_loss_param.norm: L1 (default) sums the margins that are not met, L2 their squares.

    bottoms: scores, N items of C classes, and one label for each item.
    """

    bottoms = (2, 2)
    param = "hinge_loss_param"
    loss = True
    labels = (1,)
    auto_tops = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One hinge_loss op."""
        return g.emit("hinge_loss", HingeAttrs(self.p.norm == caffe_pb2.HingeLossParameter.L2), bottoms)
