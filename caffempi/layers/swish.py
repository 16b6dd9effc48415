"""Swish: y = x / (1 + e^(-beta x)); may be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.swish import SwishAttrs


@LAYERS.register("Swish")
class Swish(Layer):
    """swish_param: beta (default 1)."""

    param = "swish_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One swish op."""
        return g.emit("swish", SwishAttrs(self.p.beta), bottoms)
