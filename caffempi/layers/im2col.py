"""Im2col: the windows that a convolution would look at, laid out as channels."""
from __future__ import annotations

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.layers.convolution import channel_axis, spatial
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.graph import Value
from caffempi.ops.shapes import text

_OTHERS = ("num_output", "bias_term", "group", "weight_filler", "bias_filler")


@LAYERS.register("Im2col")
class Im2col(Layer):
    """convolution_param: kernel, stride (1), pad (0), dilation (1) and axis (1), in all forms that Convolution knows.

    The top has C * product(kernel) channels. `engine` and `force_nd_im2col` are accepted, without effect; the fields that
    speak of filters are refused.
    """

    param = "convolution_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One im2col op. Raises NetError for fields without meaning, ShapeError where no window fits."""
        p, shape = self.p, bottoms[0].spec.shape
        for name in _OTHERS:
            if p.HasField(name):
                raise NetError("means nothing here: there are no filters", field=f"convolution_param.{name}",
                               fix="remove it")
        axes = len(shape) - channel_axis(p, bottoms) - 1
        if not axes:
            raise ShapeError(f"leaves no spatial axes after it; input {text(shape)}", field="convolution_param.axis",
                             value=p.axis)
        attrs = ConvAttrs(spatial(p, "kernel_size", axes, None, 1, "kernel"), spatial(p, "stride", axes, 1, 1, "stride"),
                          spatial(p, "pad", axes, 0, 0, "pad"), spatial(p, "dilation", axes, 1, 1), 1, p.axis)
        try:
            return g.emit("im2col", attrs, bottoms)
        except ShapeError as e:
            field = "kernel_size" if p.kernel_size else "kernel_h"
            raise e.at(field=f"convolution_param.{field}", value=text(attrs.kernel)) from None
