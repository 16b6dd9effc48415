"""Slice: cuts its bottom along an axis, a part for each top. One top alone is handed on, data and diff shared."""
from __future__ import annotations

from itertools import pairwise

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.shapes import canonical_axis
from caffempi.ops.share import ReshapeAttrs
from caffempi.ops.slice import SliceAttrs


@LAYERS.register("Slice")
class Slice(Layer):
    """slice_param: axis (1; negative counts from the end), or its old name slice_dim; slice_point.

    slice_point: where each part but the first begins, rising; none: parts of equal length.
    """

    tops = (1, None)
    param = "slice_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One slice op, or an alias of the bottom."""
        p, parts, points = self.p, len(self.lp.top), tuple(self.p.slice_point)
        if p.HasField("axis") and p.HasField("slice_dim"):
            raise NetError("is the old name of axis, which is given too", field="slice_param.slice_dim",
                           value=p.slice_dim, fix="remove slice_dim")
        if points and len(points) != parts - 1:
            raise NetError(f"has {len(points)} entries for {parts} top(s)", field="slice_param.slice_point",
                           fix="give one less than there are tops, or none")
        for i, (before, point) in enumerate(pairwise((0, *points))):
            if point <= before:
                raise NetError(f"must be above {before}: each part has a length", field=f"slice_param.slice_point[{i}]",
                               value=point)
        field = "slice_dim" if p.HasField("slice_dim") else "axis"
        axis = getattr(p, field)
        try:
            canonical_axis(axis, len(bottoms[0].spec.shape))
        except ShapeError as e:
            raise e.at(field=f"slice_param.{field}", value=axis) from None
        if parts == 1:
            return g.emit("reshape", ReshapeAttrs((), 0, 0), bottoms)
        try:
            return g.emit("slice", SliceAttrs(axis, parts, points), bottoms)
        except ShapeError as e:
            raise e.at(field=f"slice_param.{'slice_point' if points else field}") from None
