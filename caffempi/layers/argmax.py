"""ArgMax: where the largest values are; no gradient."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.argmax import ArgMaxAttrs
from caffempi.ops.graph import Value


@LAYERS.register("ArgMax")
class ArgMax(Layer):
    """argmax_param: top_k (default 1), out_max_val (false), axis (none).

    With an axis, the top is the bottom with top_k along it: positions, or with out_max_val values. Without, each item is
    one row, and the top is N x 1 x top_k (positions), or with out_max_val N x 2 x top_k (positions, then values).
    """

    param = "argmax_param"
    limits = {"top_k": at_least(1)}
    labels = (0,)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One argmax op."""
        p, axis = self.p, None
        if p.HasField("axis"):
            self.axis(bottoms[0])
            axis = p.axis
        try:
            return g.emit("argmax", ArgMaxAttrs(axis, p.top_k, p.out_max_val), bottoms)
        except ShapeError as e:
            raise e.at(field="argmax_param.top_k", value=p.top_k) from None
