"""MVN: each image, or each channel of it, brought to mean 0 and variance 1. May be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.graph import Value
from caffempi.ops.mvn import MvnAttrs


@LAYERS.register("MVN")
class MVN(Layer):
    """mvn_param: normalize_variance (default true; false: the mean alone), across_channels (false), eps (1e-9)."""

    param = "mvn_param"
    limits = {"eps": at_least(0)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One mvn op."""
        p = self.p
        return g.emit("mvn", MvnAttrs(p.normalize_variance, p.across_channels, p.eps), bottoms)
