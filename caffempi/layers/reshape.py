"""Reshape: its bottom's numbers under another shape; data and diff are shared with the bottom."""
from __future__ import annotations

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.graph import Value
from caffempi.ops.shapes import canonical_axis
from caffempi.ops.share import ReshapeAttrs


@LAYERS.register("Reshape")
class Reshape(Layer):
    """reshape_param: shape, axis (default 0), num_axes (-1).

    The num_axes axes of the bottom from `axis` on (-1: all of them; a negative axis counts from the place after the last)
    become shape's dims: 0 copies the dim at its place, one -1 takes what is left. Not in place, as in Caffe.
    """

    param = "reshape_param"
    limits = {"num_axes": at_least(-1)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One reshape op. Raises NetError for dims that mean nothing, ShapeError where the bottom cannot have them."""
        self.refuse_in_place()
        p, dims = self.p, tuple(self.p.shape.dim)
        for i, d in enumerate(dims):
            if d < -1:
                raise NetError("must be -1 or more", field=f"reshape_param.shape.dim[{i}]", value=d)
        if dims.count(-1) > 1:
            raise NetError(f"has {dims.count(-1)} dims -1; only one can take what is left",
                           field="reshape_param.shape")
        try:
            canonical_axis(p.axis, len(bottoms[0].spec.shape), end=True)
        except ShapeError as e:
            raise e.at(field="reshape_param.axis") from None
        try:
            return g.emit("reshape", ReshapeAttrs(dims, p.axis, p.num_axes), bottoms)
        except ShapeError as e:
            raise e.at(field="reshape_param.shape") from None
