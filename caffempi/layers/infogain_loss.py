"""InfogainLoss: softmax along an axis, and a likelihood weighted by an information-gain matrix."""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.layers.loss_fields import ignored, normalization
from caffempi.ops.constant import ConstantAttrs
from caffempi.ops.graph import Value
from caffempi.ops.softmax_loss import SoftmaxNllAttrs


@LAYERS.register("InfogainLoss")
class InfogainLoss(Layer):
    """infogain_loss_param: source (a file with the matrix, one BlobProto), axis (default 1); loss_param: ignore_label
    (none), normalization (VALID). The old loss_param.normalize is refused, as in Caffe.

    bottoms: scores, one label for each place, and the matrix, classes x classes, where it is not read from the file; with
    three bottoms source is not looked at. tops: the loss; the probabilities, if a second top is named.
    """

    bottoms = (2, 3)
    tops = (1, 2)
    param = "infogain_loss_param"
    loss = True
    labels = (1, 2)
    auto_tops = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One infogain_loss op, on a constant where the matrix is a file's."""
        self.axis(bottoms[0])
        loss = self.lp.loss_param
        if loss.HasField("normalize"):
            raise NetError("is not read by this layer", field="loss_param.normalize", value=str(loss.normalize).lower(),
                           fix=f"write normalization: {'VALID' if loss.normalize else 'BATCH_SIZE'} instead")
        matrix = bottoms[2] if len(bottoms) == 3 else self._matrix(g)
        attrs = SoftmaxNllAttrs(self.p.axis, normalization(loss, "valid"), ignored(loss), len(self.lp.top) == 2)
        return g.emit("infogain_loss", attrs, [*bottoms[:2], matrix])

    def _matrix(self, g: LayerBuilder) -> Value:
        """The file's matrix. Raises NetError where no file is named, WeightsError where it cannot be read."""
        if not self.p.source:
            raise NetError("the information-gain matrix is missing", field="infogain_loss_param.source",
                           fix="name a .binaryproto file that holds it, or feed it as a third bottom")
        read = self.ctx.extra.get("blob")
        if read is None:
            raise NetError("no file can be read here", field="infogain_loss_param.source", value=f'"{self.p.source}"',
                           fix="feed the matrix as a third bottom")
        return g.emit("constant", ConstantAttrs.of(read(self.p.source), self.ctx.dtype), [])[0]
