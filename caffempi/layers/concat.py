"""Concat: joins its bottoms along an axis. One bottom alone is handed on, data and diff shared."""
from __future__ import annotations

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.concat import ConcatAttrs
from caffempi.ops.graph import Value
from caffempi.ops.shapes import canonical_axis
from caffempi.ops.share import ReshapeAttrs


@LAYERS.register("Concat")
class Concat(Layer):
    """concat_param: axis (1; negative counts from the end), or its old name concat_dim; not both."""

    bottoms = (1, None)
    param = "concat_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One concat op, or an alias of the only bottom."""
        p = self.p
        if p.HasField("axis") and p.HasField("concat_dim"):
            raise NetError("is the old name of axis, which is given too", field="concat_param.concat_dim",
                           value=p.concat_dim, fix="remove concat_dim")
        field = "concat_dim" if p.HasField("concat_dim") else "axis"
        axis = getattr(p, field)
        try:
            canonical_axis(axis, len(bottoms[0].spec.shape))
            if len(bottoms) == 1:
                return g.emit("reshape", ReshapeAttrs((), 0, 0), bottoms)
            return g.emit("concat", ConcatAttrs(axis), bottoms)
        except ShapeError as e:
            raise e.at(field=f"concat_param.{field}", value=axis) from None
