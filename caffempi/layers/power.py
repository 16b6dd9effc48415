"""Power: y = (shift + scale x)^power; may be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.power import PowerAttrs


@LAYERS.register("Power")
class Power(Layer):
    """power_param: power (default 1), scale (1), shift (0)."""

    param = "power_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One power op."""
        return g.emit("power", PowerAttrs(self.p.power, self.p.scale, self.p.shift), bottoms)
