"""Tile: repeats its bottom along an axis."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.graph import Value
from caffempi.ops.tile import TileAttrs


@LAYERS.register("Tile")
class Tile(Layer):
    """tile_param: axis (default 1; negative counts from the end), tiles (must be given)."""

    param = "tile_param"
    limits = {"tiles": at_least(1)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One tile op."""
        self.axis(bottoms[0])
        return g.emit("tile", TileAttrs(self.p.axis, self.p.tiles), bottoms)
