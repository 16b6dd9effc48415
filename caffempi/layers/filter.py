"""Filter: passes on the items of a batch whose selector is not zero, so that the batch size depends on the data."""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, BuildContext, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.proto import caffe_pb2


@LAYERS.register("Filter")
class Filter(Layer):
    """Bottoms x_1.. and last the selector (N, 1); tops the same items of each x. Gradients flow to the x only."""

    bottoms, tops = (2, None), (1, None)

    def __init__(self, lp: caffe_pb2.LayerParameter, ctx: BuildContext) -> None:
        super().__init__(lp, ctx)
        self.labels = (len(lp.bottom) - 1,)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One filter op."""
        if len(self.lp.top) != len(bottoms) - 1:
            raise NetError(f"needs one top for each bottom but the selector: {len(bottoms) - 1}, the net gives "
                           f"{len(self.lp.top)}", field="top")
        return g.emit("filter", None, bottoms)
