"""Bias: y = x + b, with b learned or from a second bottom. May be in place."""
from __future__ import annotations

from caffempi.layers.affine import factor_or_term
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.graph import Value


@LAYERS.register("Bias")
class Bias(Layer):
    """bias_param: axis (default 1), num_axes (1), filler (constant 0).

    b covers num_axes axes of x from `axis` on (-1: all of them, 0: it is a scalar) and is the same along the others.
    It is the layer's blob, or the second bottom, whose shape then stands for num_axes; filler is not looked at then,
    as in Caffe.
    """

    bottoms = (1, 2)
    param = "bias_param"
    limits = {"num_axes": at_least(-1)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One bias op."""
        return g.emit("bias", AffineAttrs(self.p.axis), [bottoms[0], factor_or_term(self, g, bottoms, 0)])
