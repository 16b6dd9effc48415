"""BNLL: y = ln(1 + e^x); may be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value


@LAYERS.register("BNLL")
class BNLL(Layer):
    """No parameters."""

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One bnll op."""
        return g.emit("bnll", None, bottoms)
