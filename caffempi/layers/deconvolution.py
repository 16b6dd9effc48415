"""Deconvolution: the transpose of a convolution, which spreads each input over a window of the output; learned upsampling."""
from __future__ import annotations

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, above, at_least
from caffempi.layers.convolution import channel_axis, spatial
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.graph import Value
from caffempi.ops.shapes import text


@LAYERS.register("Deconvolution")
class Deconvolution(Layer):
    """convolution_param as for Convolution; `engine` and `force_nd_im2col` are accepted, without effect.

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
        p, shape = self.p, bottoms[0].spec.shape
        axis = channel_axis(p, bottoms)
        axes, channels = len(shape) - axis - 1, shape[axis]
        attrs = ConvAttrs(spatial(p, "kernel_size", axes, 0 if axes == 0 else None, 1, "kernel"),
                          spatial(p, "stride", axes, 1, 1, "stride"), spatial(p, "pad", axes, 0, 0, "pad"),
                          spatial(p, "dilation", axes, 1, 1), p.group, p.axis)
        for what, n in (("input channels", channels), ("outputs", p.num_output)):
            if n % p.group:
                raise NetError(f"does not divide the number of {what}, {n}; input {text(shape)}",
                               field="convolution_param.group", value=p.group)
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
