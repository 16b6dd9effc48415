"""Dropout: in phase TRAIN drops elements at random and scales up the others, else does nothing. May be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.dropout import DropoutAttrs
from caffempi.ops.graph import Value


@LAYERS.register("Dropout")
class Dropout(Layer):
    """dropout_param.dropout_ratio (default 0.5): probability that an element is dropped, in [0, 1)."""

    param = "dropout_param"
    limits = {"dropout_ratio": lambda v: None if 0 <= v < 1 else "must be at least 0 and below 1"}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One dropout op, or a copy in phase TEST."""
        if self.ctx.phase == "TEST":
            return g.emit("copy", None, bottoms)
        return g.emit("dropout", DropoutAttrs(self.p.dropout_ratio), bottoms)
