"""Reduction: sums or means over the last axes."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.reduction import ReductionAttrs
from caffempi.proto import caffe_pb2

_Operation = caffe_pb2.ReductionParameter.ReductionOp


@LAYERS.register("Reduction")
class Reduction(Layer):
    """reduction_param: operation (SUM, ASUM, SUMSQ or MEAN; default SUM), axis (0), coeff (1).

    All axes from `axis` on (negative counts from the end) are reduced; the top has those before it.
    """

    param = "reduction_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One reduction op."""
        self.axis(bottoms[0])
        name = _Operation.Name(self.p.operation).lower()
        return g.emit("reduction", ReductionAttrs(name, self.p.axis, self.p.coeff), bottoms)
