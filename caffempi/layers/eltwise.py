"""Eltwise: two bottoms or more of one shape, combined element by element."""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.eltwise import EltwiseProdAttrs, WeightedSumAttrs
from caffempi.ops.graph import Value
from caffempi.proto import caffe_pb2

_Param = caffe_pb2.EltwiseParameter


@LAYERS.register("Eltwise")
class Eltwise(Layer):
    """eltwise_param: operation (default SUM), coeff, stable_prod_grad (true).

    SUM: sum of coeff_i x_i; one coeff for each bottom, or none (1 for all). PROD: the product; its gradient is formed
    without a division unless stable_prod_grad is false. MAX: the largest; of the first two, equal, the second wins.
    """

    bottoms = (2, None)
    param = "eltwise_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One op: sum, weighted_sum, eltwise_prod or eltwise_max. Raises NetError for coefficients that do not fit."""
        coeffs = tuple(self.p.coeff)
        if coeffs and self.p.operation != _Param.SUM:
            raise NetError(f"weights are for operation SUM only, not {_Param.EltwiseOp.Name(self.p.operation)}",
                           field="eltwise_param.coeff", fix="remove them")
        if coeffs and len(coeffs) != len(bottoms):
            raise NetError(f"has {len(coeffs)} entries for {len(bottoms)} bottoms", field="eltwise_param.coeff",
                           fix="give one a bottom, or none")
        if self.p.operation == _Param.PROD:
            return g.emit("eltwise_prod", EltwiseProdAttrs(self.p.stable_prod_grad), bottoms)
        if self.p.operation == _Param.MAX:
            return g.emit("eltwise_max", None, bottoms)
        if any(c != 1 for c in coeffs):
            return g.emit("weighted_sum", WeightedSumAttrs(coeffs), bottoms)
        return g.emit("sum", None, bottoms)
