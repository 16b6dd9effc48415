"""Parameter: a learnable blob as a top, for other layers to read."""
from __future__ import annotations

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.shapes import product

_MOST_ELEMENTS = 2**31 - 1


@LAYERS.register("Parameter")
class Parameter(Layer):
    """parameter_param.shape: of the layer's only blob, which starts from zeros and whose copy is the top.

    Caffe's top and blob are one memory; here the top is refreshed at each forward, and its diff is added to the blob's.
    """

    bottoms = (0, 0)
    param = "parameter_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """A copy of the blob. Raises NetError where the shape is missing, ShapeError where it is impossible."""
        if not self.p.HasField("shape"):
            raise NetError("is missing", field="parameter_param.shape", fix="give one, such as shape { dim: 10 }")
        shape = tuple(self.p.shape.dim)
        for i, d in enumerate(shape):
            if d < 0:
                raise ShapeError("must be 0 or more", field=f"parameter_param.shape.dim[{i}]", value=d)
        if product(shape) > _MOST_ELEMENTS:
            raise ShapeError(f"has more than {_MOST_ELEMENTS} elements", field="parameter_param.shape",
                             value=list(shape))
        return g.emit("copy", None, [g.param(shape)])
