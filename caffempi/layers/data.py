"""Where blobs come from outside: Input, whose shape the net states, and the data layers, whose source states it.

None of them emits an op: their tops are values of kind 'in', which the net fills before it runs.
"""
from __future__ import annotations

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Spec, Value
from caffempi.ops.shapes import check_size


@LAYERS.register("Input")
class Input(Layer):
    """input_param.shape: one for all tops, or one a top. A length may be 0 (an empty batch)."""

    bottoms = (0, 0)
    tops = (1, None)
    param = "input_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One value a top. Raises NetError where shapes are missing, ShapeError where one is impossible."""
        shapes = [tuple(s.dim) for s in self.p.shape]
        tops = len(self.lp.top)
        if len(shapes) not in (1, tops):
            raise NetError(f"has {len(shapes)} shapes for {tops} top(s)" if shapes else "the shape is missing",
                           field="input_param.shape", fix="give one for all tops, such as "
                           "shape { dim: 1 dim: 3 dim: 227 dim: 227 }, or one a top")
        for i, shape in enumerate(shapes):
            _check_shape(shape, f"input_param.shape[{i}]")
        return _values(g, shapes * tops if len(shapes) == 1 else shapes)


class _Source(Layer):
    """A data layer: what its fields mean is the data source's affair, which says the shapes of its next batch."""

    bottoms = (0, 0)
    source = True

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One value a top. Raises NetError where sources cannot be opened here, and what the source itself raises."""
        if self.ctx.probe is None:
            raise NetError("has no data source here: the net is built without access to data",
                           fix="use an Input layer, or build the net with its data")
        shapes = self.ctx.probe(self.lp, len(self.lp.top))
        for i, shape in enumerate(shapes):
            _check_shape(shape, f"top[{i}]")
        return _values(g, shapes)


@LAYERS.register("Data", "ImageData")
class Data(_Source):
    """Images, and their labels if a second top is named: of a database (data_param) or a list (image_data_param)."""

    tops = (1, 2)
    obeys = ("data_param.shuffle",)


@LAYERS.register("WindowData")
class WindowData(_Source):
    """Windows of images (window_data_param): objects and background, as R-CNN trains on them, and their labels.

    Each batch has floor(fg_fraction * batch_size) windows drawn from those whose overlap is fg_threshold or more, and before
    them the rest, drawn from those whose overlap is below bg_threshold, with label 0. A window is stretched to crop_size, with
    context_pad pixels of its surroundings on each side, or zeros where the image ends; crop_mode "square" first enlarges it to
    a square. Then mirror, mean and scale of transform_param.
    """

    tops = (2, 2)


@LAYERS.register("MemoryData")
class MemoryData(_Source):
    """Data and labels that the program hands over by net.set_input_arrays; memory_data_param gives the shapes."""

    tops = (2, 2)


@LAYERS.register("HDF5Data", "DummyData")
class Arrays(_Source):
    """One top for each dataset of HDF5 files (hdf5_data_param), or for each filler (dummy_data_param)."""

    tops = (1, None)


def _check_shape(shape: tuple[int, ...], field: str) -> None:
    """Lengths of 0 or more, at most 32 axes, and as many elements as Caffe's 32-bit counts hold."""
    if any(d < 0 for d in shape):
        raise ShapeError("has a negative length", field=field, value=list(shape), fix="lengths must be 0 or more")
    try:
        check_size(shape)
    except ShapeError as e:
        raise e.at(field=field) from None


def _values(g: LayerBuilder, shapes: list[tuple[int, ...]]) -> list[Value]:
    return [g.graph.value(Spec(shape, g.ctx.dtype), "in") for shape in shapes]
