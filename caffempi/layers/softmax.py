"""Softmax: e^x / sum e^x along an axis. May be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.softmax import SoftmaxAttrs


@LAYERS.register("Softmax")
class Softmax(Layer):
    """softmax_param.axis (default 1). `engine` is a wish (see docs/gpu.md)."""

    param = "softmax_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One softmax op."""
        self.axis(bottoms[0])
        return g.emit("softmax", SoftmaxAttrs(self.p.axis), bottoms)
