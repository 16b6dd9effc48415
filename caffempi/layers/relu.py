"""ReLU: y = max(x, 0) + negative_slope * min(x, 0), element by element; may be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.relu import ReluAttrs


@LAYERS.register("ReLU")
class ReLU(Layer):
    """relu_param.negative_slope (default 0). `engine` is a wish (see docs/gpu.md)."""

    param = "relu_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One relu op."""
        return g.emit("relu", ReluAttrs(self.p.negative_slope), bottoms)
