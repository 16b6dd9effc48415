"""InnerProduct: y = x w' + b, every output from every input: a fully connected layer."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, above
from caffempi.ops.graph import Value
from caffempi.ops.inner_product import InnerProductAttrs
from caffempi.ops.shapes import canonical_axis, product


@LAYERS.register("InnerProduct")
class InnerProduct(Layer):
    """inner_product_param: num_output, bias_term, fillers, axis (1: it and all after it are summed over), transpose.

    Blobs: weights (num_output, K), or (K, num_output) with transpose; bias (num_output).
    """

    param = "inner_product_param"
    limits = {"num_output": above(0)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One inner_product op."""
        p, shape = self.p, bottoms[0].spec.shape
        try:
            k = product(shape[canonical_axis(p.axis, len(shape)):])
        except ShapeError as e:
            raise e.at(field="inner_product_param.axis") from None
        params = [g.param((k, p.num_output) if p.transpose else (p.num_output, k), p.weight_filler,
                          "inner_product_param.weight_filler")]
        if p.bias_term:
            params.append(g.param((p.num_output,), p.bias_filler, "inner_product_param.bias_filler"))
        return g.emit("inner_product", InnerProductAttrs(p.axis, p.transpose), [bottoms[0], *params])
