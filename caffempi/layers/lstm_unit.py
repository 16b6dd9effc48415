"""LSTMUnit: one step of an LSTM's cell."""
from __future__ import annotations

from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value


@LAYERS.register("LSTMUnit")
class LSTMUnit(Layer):
    """Has no message of its own.

    bottoms: the cell before (1 x N x H), the inputs of the gates i, f, o, g (1 x N x 4H), the continuation marks (1 x N,
    0 where a sequence starts). tops: the cell, the hidden state.
    """

    bottoms = (3, 3)
    tops = (2, 2)
    labels = (2,)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One lstm_unit op."""
        return g.emit("lstm_unit", None, bottoms)
