"""Exp and Log: powers and logarithms to any base, of a line; each may be in place."""
from __future__ import annotations

import math

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.exp_log import ExpAttrs, LogAttrs
from caffempi.ops.graph import Value


def _ln(layer: Layer) -> float:
    """The natural logarithm of the layer's base; -1 stands for e. Raises NetError where it has none."""
    base = layer.p.base
    if base != -1 and not 0 < base < math.inf:
        raise NetError("must be above 0, or -1 for e", field=f"{layer.param}.base", value=f"{base:g}")
    return 1.0 if base == -1 else math.log(base)


@LAYERS.register("Exp")
class Exp(Layer):
    """y = base^(shift + scale x). exp_param: base (-1, which means e), scale (1), shift (0)."""

    param = "exp_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One exp op. Raises NetError where base^shift is beyond what a number holds."""
        log = _ln(self)
        try:
            outer = math.exp(log * self.p.shift)
        except OverflowError:
            raise NetError("makes base^shift too large for a number", field="exp_param.shift",
                           value=f"{self.p.shift:g}") from None
        return g.emit("exp", ExpAttrs(log * self.p.scale, outer), bottoms)


@LAYERS.register("Log")
class Log(Layer):
    """y = the logarithm of shift + scale x. log_param: base (-1, which means e), scale (1), shift (0)."""

    param = "log_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One log op. Raises NetError for base 1."""
        log = _ln(self)
        if log == 0:
            raise NetError("has no logarithms", field="log_param.base", value="1")
        return g.emit("log", LogAttrs(self.p.scale, self.p.shift, 1 / log), bottoms)
