"""Flatten: joins neighbouring axes into one; data and diff are shared with the bottom."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.shapes import canonical_axis
from caffempi.ops.share import FlattenAttrs


@LAYERS.register("Flatten")
class Flatten(Layer):
    """flatten_param: axis (1) and end_axis (-1), the first and last of those joined; negative: from the end."""

    param = "flatten_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One reshape op."""
        p = self.p
        for field in ("axis", "end_axis"):
            try:
                canonical_axis(getattr(p, field), len(bottoms[0].spec.shape))
            except ShapeError as e:
                raise e.at(field=f"flatten_param.{field}") from None
        try:
            return g.emit("reshape", FlattenAttrs(p.axis, p.end_axis), bottoms)
        except ShapeError as e:
            raise e.at(field="flatten_param.end_axis") from None
