"""BatchReindex: picks, repeats or reorders the items of a batch."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.rows import RowsAttrs
from caffempi.ops.shapes import text


@LAYERS.register("BatchReindex")
class BatchReindex(Layer):
    """bottoms: x (N, ...), and a list of indices of items in it. Top: those items. No parameters."""

    bottoms = (2, 2)
    labels = (1,)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One rows op. Raises ShapeError where the indices are not a list."""
        index = bottoms[1].spec.shape
        if len(index) != 1:
            raise ShapeError(f"the indices must be a list (one axis); got {text(index)}", field="bottom[1]")
        return g.emit("rows", RowsAttrs(), bottoms)
