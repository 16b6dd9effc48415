"""AbsVal, Clip and Threshold: functions of one element."""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.piecewise import ClipAttrs, ThresholdAttrs


@LAYERS.register("AbsVal")
class AbsVal(Layer):
    """y = |x|. No parameters; not in place, as in Caffe."""

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One abs op."""
        self.refuse_in_place()
        return g.emit("abs", None, bottoms)


@LAYERS.register("Clip")
class Clip(Layer):
    """y = x, but no less than clip_param.min and no more than clip_param.max; both must be given. May be in place."""

    param = "clip_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One clip op. Raises NetError where a limit is missing, or they are the wrong way round."""
        for name in ("min", "max"):
            if not self.p.HasField(name):
                raise NetError("is missing", field=f"clip_param.{name}", fix="give both min and max")
        if not self.p.min <= self.p.max:
            raise NetError(f"must not be above max, {self.p.max:g}", field="clip_param.min", value=f"{self.p.min:g}")
        return g.emit("clip", ClipAttrs(self.p.min, self.p.max), bottoms)


@LAYERS.register("Threshold")
class Threshold(Layer):
    """y = 1 where x > threshold_param.threshold (default 0), else 0. No gradient. May be in place."""

    param = "threshold_param"
    labels = (0,)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One threshold op."""
        return g.emit("threshold", ThresholdAttrs(self.p.threshold), bottoms)
