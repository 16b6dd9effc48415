"""PReLU: ReLU with a learned slope for negative inputs; may be in place."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.shapes import text
from caffempi.proto import caffe_pb2


@LAYERS.register("PReLU")
class PReLU(Layer):
    """prelu_param: filler (default constant 0.25); channel_shared (default false).

    The blob: slopes (C), or one number, a scalar, with channel_shared.
    """

    param = "prelu_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One prelu op. Raises ShapeError for a bottom without channels."""
        x = bottoms[0].spec.shape
        if len(x) < 2:
            raise ShapeError(f"needs a bottom of two axes or more, (N, C, ...); this one is {text(x)}")
        filler = self.p.filler if self.p.HasField("filler") else caffe_pb2.FillerParameter(type="constant", value=0.25)
        slopes = g.param(() if self.p.channel_shared else (x[1],), filler, "prelu_param.filler")
        return g.emit("prelu", None, [bottoms[0], slopes])
