"""Crop: cuts a window out of its first bottom, as large as its second."""
from __future__ import annotations

from caffempi.errors import ShapeError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.crop import CropAttrs
from caffempi.ops.graph import Value


@LAYERS.register("Crop")
class Crop(Layer):
    """crop_param: axis (default 2: it and all after it are cropped; negative counts from the end), offset.

    offset: where the window starts: none (0), one for all cropped axes, or one for each. Only the first bottom has a
    gradient: zero outside the window.
    """

    bottoms = (2, 2)
    param = "crop_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One crop op."""
        self.axis(bottoms[0])
        offset = tuple(self.p.offset)
        try:
            return g.emit("crop", CropAttrs(self.p.axis, offset), bottoms)
        except ShapeError as e:
            raise e.at(field="crop_param.offset" if offset else "bottom[1]") from None
