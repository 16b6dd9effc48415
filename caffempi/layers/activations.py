"""Sigmoid, TanH and ELU: functions of one element; each may be in place."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.activations import EluAttrs
from caffempi.ops.graph import Value


@LAYERS.register("Sigmoid")
class Sigmoid(Layer):
    """y = 1 / (1 + e^-x). sigmoid_param.engine is a wish (see docs/gpu.md)."""

    param = "sigmoid_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One sigmoid op."""
        return g.emit("sigmoid", None, bottoms)


@LAYERS.register("TanH")
class TanH(Layer):
    """y = tanh(x). tanh_param.engine is a wish (see docs/gpu.md)."""

    param = "tanh_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One tanh op."""
        return g.emit("tanh", None, bottoms)


@LAYERS.register("ELU")
class ELU(Layer):
    """y = x if x > 0 else alpha (e^x - 1); elu_param.alpha (default 1)."""

    param = "elu_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One elu op."""
        return g.emit("elu", EluAttrs(self.p.alpha), bottoms)
