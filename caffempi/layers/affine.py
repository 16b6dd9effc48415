"""What Scale and Bias share: where their factor or term comes from."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.shapes import text
from caffempi.proto import caffe_pb2


def factor_or_term(layer: Layer, g: LayerBuilder, bottoms: list[Value], default: float) -> Value:
    """The second bottom, or the layer's next blob, shaped as `num_axes` axes of the first bottom from `axis` on.

    num_axes: -1 all from `axis` on, 0 a scalar. The blob's filler is `filler`, or the default where there is none.
    Raises ShapeError where the bottom lacks those axes.
    """
    x = bottoms[0].spec.shape
    if len(bottoms) == 2:
        if bottoms[1].spec.shape:
            layer.axis(bottoms[0])
        return bottoms[1]
    shape: tuple[int, ...] = ()
    if layer.p.num_axes:
        start = layer.axis(bottoms[0])
        end = len(x) if layer.p.num_axes == -1 else start + layer.p.num_axes
        if end > len(x):
            raise ShapeError(f"too many: the bottom {text(x)} has only {len(x) - start} axes from axis {start} on",
                             field=f"{layer.param}.num_axes", value=layer.p.num_axes)
        shape = x[start:end]
    filler = layer.p.filler if layer.p.HasField("filler") else caffe_pb2.FillerParameter(type="constant", value=default)
    return g.param(shape, filler, f"{layer.param}.filler")
