"""LRN: local response normalization, across channels or within each. Formulas: ops/lrn.py."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.lrn import LrnAttrs
from caffempi.proto import caffe_pb2


@LAYERS.register("LRN")
class LRN(Layer):
    """lrn_param: local_size (5, odd), alpha (1), beta (0.75), k (1), norm_region.

    As in Caffe, WITHIN_CHANNEL always adds 1, whatever k says. `engine` is a wish (see docs/gpu.md).
    """

    param = "lrn_param"
    limits = {"local_size": lambda v: None if v % 2 else "must be odd, so that a middle exists"}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One lrn op."""
        p = self.p
        if p.norm_region == caffe_pb2.LRNParameter.WITHIN_CHANNEL:
            return g.emit("lrn_within", LrnAttrs(p.local_size, p.alpha, p.beta), bottoms)
        return g.emit("lrn_across", LrnAttrs(p.local_size, p.alpha, p.beta, p.k), bottoms)
