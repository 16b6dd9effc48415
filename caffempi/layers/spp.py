"""SPP, spatial pyramid pooling: an image of any size pooled into 1, 2 x 2, 4 x 4, ... bins, as one row of numbers."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.concat import ConcatAttrs
from caffempi.ops.graph import Value
from caffempi.ops.pyramid_pool import PyramidAttrs
from caffempi.ops.share import FlattenAttrs
from caffempi.proto import caffe_pb2

_Param = caffe_pb2.SPPParameter


@LAYERS.register("SPP")
class SPP(Layer):
    """spp_param: pyramid_height (number of levels), pool (MAX, AVE or STOCHASTIC; default MAX).

    Level i has 2^i bins along each side. One level alone gives its pooling (N, C, 1, 1); several give (N, numbers), the
    coarsest first. STOCHASTIC draws when training and takes the expectation when testing. `engine` is a
    wish (see docs/gpu.md).
    """

    param = "spp_param"
    limits = {"pyramid_height": at_least(1)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """A pyramid_pool and a reshape op a level, and a concat."""
        height = self.p.pyramid_height
        drawn = self.p.pool == _Param.STOCHASTIC and self.ctx.phase == "TRAIN"
        name = {_Param.MAX: "max_pool", _Param.AVE: "ave_pool"}.get(
            self.p.pool, "stochastic_pool" if drawn else "stochastic_pool_mean")
        levels = []
        try:
            for i in range(height):
                pooled = g.emit("pyramid_pool_drawn" if drawn else "pyramid_pool", PyramidAttrs(2**i, name), bottoms)
                levels.append(pooled[0] if height == 1 else g.emit("reshape", FlattenAttrs(), pooled)[0])
        except ShapeError as e:
            raise e.at(field="spp_param.pyramid_height", value=height) from None
        return levels if height == 1 else g.emit("concat", ConcatAttrs(1), levels)
