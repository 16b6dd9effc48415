"""Deconvolution: the transpose of a convolution, which spreads each input over a window of the output; learned upsampling."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, above, at_least
from caffempi.layers.convolution import conv_attrs
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.graph import Value


@LAYERS.register("Deconvolution")
class Deconvolution(Layer):
    """convolution_param as for Convolution, `engine` and `force_nd_im2col` too.

    size = stride (size - 1) + dilation (kernel - 1) + 1 - 2 pad along each spatial axis. Blobs: weights (channels,
    num_output / group, kernel...), bias (num_output). Bottoms of one shape share them, each for its top.
    """

    bottoms = (1, None)
    tops = (1, None)
    equal = True
    param = "convolution_param"
    limits = {"num_output": above(0), "group": at_least(1)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """A conv_dx op a bottom, and a bias op with bias_term, on the same params."""
        p = self.p
        attrs, channels = conv_attrs(p, bottoms)
        weights = g.param((channels, p.num_output // p.group, *attrs.kernel), p.weight_filler,
                          "convolution_param.weight_filler")
        bias = g.param((p.num_output,), p.bias_filler, "convolution_param.bias_filler") if p.bias_term else None
        tops = []
        for b in bottoms:
            try:
                top = g.emit("conv_dx", attrs, [weights, b])
            except ShapeError as e:
                raise e.at(field="convolution_param.pad" if p.pad else "convolution_param.pad_h") from None
            tops += top if bias is None else g.emit("bias", AffineAttrs(p.axis), [top[0], bias])
        return tops
