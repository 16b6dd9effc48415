"""Parameter: a learnable blob as a top, for other layers to read."""
from __future__ import annotations

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value


@LAYERS.register("Parameter")
class Parameter(Layer):
    """parameter_param.shape: of the layer's only blob, which starts from zeros and whose copy is the top.

    Caffe's top and blob are one memory; here the top is refreshed at each forward, and its diff is added to the blob's.
    """

    bottoms = (0, 0)
    param = "parameter_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """A copy of the blob. Raises NetError where the shape is missing, ShapeError for a negative length."""
        if not self.p.HasField("shape"):
            raise NetError("is missing", field="parameter_param.shape", fix="give one, such as shape { dim: 10 }")
        shape = tuple(self.p.shape.dim)
        for i, d in enumerate(shape):
            if d < 0:
                raise ShapeError("must be 0 or more", field=f"parameter_param.shape.dim[{i}]", value=d)
        return g.emit("copy", None, [g.param(shape)])
