"""Scale: y = x a, with a learned or from a second bottom; and, with bias_term, + b. May be in place."""
from __future__ import annotations

from caffempi.layers.affine import factor_or_term
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, at_least
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.graph import Value


@LAYERS.register("Scale")
class Scale(Layer):
    """scale_param: axis (default 1), num_axes (1), filler (constant 1), bias_term (false), bias_filler (constant 0).

    a covers num_axes axes of x from `axis` on (-1: all of them, 0: it is a scalar) and is the same along the others.
    It is the first blob, or the second bottom, whose shape then stands for num_axes; filler is not looked at then, as
    in Caffe. b, the next blob, is shaped as a.
    """

    bottoms = (1, 2)
    param = "scale_param"
    limits = {"num_axes": at_least(-1)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """A scale op, and a bias op with bias_term."""
        a = factor_or_term(self, g, bottoms, 1)
        attrs = AffineAttrs(self.p.axis)
        tops = g.emit("scale", attrs, [bottoms[0], a])
        if self.p.bias_term:
            filler = self.p.bias_filler if self.p.HasField("bias_filler") else None
            tops = g.emit("bias", attrs, [tops[0], g.param(a.spec.shape, filler, "scale_param.bias_filler")])
        return tops
