"""Silence: takes blobs that nobody reads, so that they are no outputs of the net; their diffs are zero."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value


@LAYERS.register("Silence")
class Silence(Layer):
    """No parameters, one bottom or more, no top."""

    bottoms = (1, None)
    tops = (0, 0)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """Nothing to compute."""
        return []
