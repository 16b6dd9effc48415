"""Convolution: y = b + the cross-correlation of x with learned filters, over any number of spatial axes.

Each of kernel_size, stride, pad and dilation is given once for all spatial axes, once an axis, or (not dilation, and with
two spatial axes only) as its _h and _w fields. Several bottoms of one shape go through the same filters, each to its top.
"""
from __future__ import annotations

from typing import Any

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder, above, at_least
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.graph import Value
from caffempi.ops.shapes import canonical_axis, text


def spatial(p: Any, field: str, axes: int, default: int | None, low: int, pair: str = "") -> tuple[int, ...]:
    """One entry a spatial axis from a ConvolutionParameter's field, or from its two fields named `pair` + _h and _w.

    default: where nothing is given (None: then it is an error). low: the least that an entry may be.
    """
    name = f"convolution_param.{field}"
    values = list(getattr(p, field))
    where = [f"{name}[{i}]" for i in range(len(values))]
    if pair and (p.HasField(f"{pair}_h") or p.HasField(f"{pair}_w")):
        sides = [f"{pair}_h", f"{pair}_w"]
        first = next(s for s in sides if p.HasField(s))
        if axes != 2:
            raise NetError(f"serves two spatial axes only, the bottom has {axes}", field=f"convolution_param.{first}",
                           value=getattr(p, first), fix=f"give {field} once, or once a spatial axis")
        if values:
            raise NetError(f"is given beside {first}", field=name,
                           fix=f"give {field}, or {pair}_h and {pair}_w; not both")
        values = [getattr(p, s) if p.HasField(s) or default is None else default for s in sides]
        where = [f"convolution_param.{s}" for s in sides]
    elif not values and default is not None:
        return (default,) * axes
    elif len(values) not in (1, axes):
        raise NetError(f"is given {len(values)} times for {axes} spatial axes", field=name,
                       fix="give it once, or once a spatial axis")
    for v, place in zip(values, where, strict=True):
        if v < low:
            raise NetError(f"must be at least {low}", field=place, value=v)
    return tuple(values) if len(values) == axes else (values[0],) * axes


def channel_axis(p: Any, bottoms: list[Value]) -> int:
    """The axis field as an index. Raises where it does not exist or the bottoms' shapes differ."""
    shape = bottoms[0].spec.shape
    try:
        axis = canonical_axis(p.axis, len(shape))
    except ShapeError as e:
        raise e.at(field="convolution_param.axis") from None
    for i, b in enumerate(bottoms):
        if b.spec.shape != shape:
            raise ShapeError(f"all bottoms must have one shape; bottom 0 is {text(shape)}, bottom {i} is "
                             f"{text(b.spec.shape)}", field=f"bottom[{i}]")
    return axis


def conv_attrs(p: Any, bottoms: list[Value]) -> tuple[ConvAttrs, int]:
    """What the message says of kernel and groups, and the bottoms' channels; for Convolution and Deconvolution alike.

    Raises NetError where a spatial field is out of range, or groups do not divide channels and outputs.
    """
    shape = bottoms[0].spec.shape
    axis = channel_axis(p, bottoms)
    axes, channels = len(shape) - axis - 1, shape[axis]
    attrs = ConvAttrs(spatial(p, "kernel_size", axes, 0 if axes == 0 else None, 1, "kernel"),
                      spatial(p, "stride", axes, 1, 1, "stride"), spatial(p, "pad", axes, 0, 0, "pad"),
                      spatial(p, "dilation", axes, 1, 1), p.group, p.axis)
    for what, n in (("input channels", channels), ("outputs", p.num_output)):
        if n % p.group:
            raise NetError(f"does not divide the number of {what}, {n}; input {text(shape)}",
                           field="convolution_param.group", value=p.group)
    return attrs, channels


@LAYERS.register("Convolution")
class Convolution(Layer):
    """convolution_param: num_output, bias_term, kernel, stride (1), pad (0), dilation (1), group (1), axis, fillers.

    `engine` and `force_nd_im2col` choose between codes with the same result: `engine` is a wish (see docs/gpu.md), the other is
    without effect. Blobs: weights (num_output, channels / group, kernel...), bias (num_output).
    """

    bottoms = (1, None)
    tops = (1, None)
    equal = True
    param = "convolution_param"
    limits = {"num_output": above(0), "group": at_least(1)}

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One conv op a bottom, on the same params."""
        p = self.p
        attrs, channels = conv_attrs(p, bottoms)
        params = [g.param((p.num_output, channels // p.group, *attrs.kernel), p.weight_filler,
                          "convolution_param.weight_filler")]
        if p.bias_term:
            params.append(g.param((p.num_output,), p.bias_filler, "convolution_param.bias_filler"))
        try:
            return [g.emit("conv", attrs, [b, *params])[0] for b in bottoms]
        except ShapeError as e:
            field = "kernel_size" if p.kernel_size else "kernel_h"
            raise e.at(field=f"convolution_param.{field}", value=text(attrs.kernel)) from None
