"""Split: hands its bottom to several tops. Data are shared; the bottom's diff is the sum of the tops' diffs.

A net needs none in its text: one is put in wherever a blob has several readers.
"""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.share import SplitAttrs


@LAYERS.register("Split")
class Split(Layer):
    """No parameters."""

    tops = (1, None)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One split op."""
        return g.emit("split", SplitAttrs(len(self.lp.top)), bottoms)
