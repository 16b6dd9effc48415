"""LSTM and RNN: layers over whole sequences, time along the first axis, independent streams along the second."""
from __future__ import annotations

from typing import ClassVar

from caffempi.errors import NetError, ShapeError
from caffempi.layers.base import LAYERS, BuildContext, Layer, LayerBuilder, above
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.graph import Value
from caffempi.ops.inner_product import InnerProductAttrs
from caffempi.ops.recurrent import RecurrentAttrs
from caffempi.ops.shapes import product, text
from caffempi.proto import caffe_pb2


class _Recurrent(Layer):
    """recurrent_param: num_output (H), weight_filler (all weights), bias_filler, expose_hidden (false).

    bottoms: x (T x N x ...), continuation marks (T x N, 0 where a sequence starts), optionally an input that is the same at
    all steps (N x ...), and with expose_hidden the first hidden state (1 x N x H each). tops: T x N x H, and with
    expose_hidden the last hidden state. Otherwise that is where the next run starts, until N changes. As in Caffe nothing
    is propagated to the first hidden state, nor from the last. debug_info: true is refused: no inner net exists to show.
    """

    param = "recurrent_param"
    limits = {"num_output": above(0)}
    labels = (1,)
    op: ClassVar[str]
    gates: ClassVar[int]                                        # rows of weights for each output
    states: ClassVar[int]                                       # blobs of hidden state

    def __init__(self, lp: caffe_pb2.LayerParameter, ctx: BuildContext) -> None:
        shown = self.states if lp.recurrent_param.expose_hidden else 0
        self.bottoms, self.tops = (2 + shown, 3 + shown), (1 + shown, 1 + shown)
        super().__init__(lp, ctx)

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """inner_product for the inputs' part of all steps at once, then the recurrence as one op."""
        p, shown = self.p, self.p.expose_hidden
        if p.debug_info:
            raise NetError("there is no inner net whose blobs could be shown", field="recurrent_param.debug_info",
                           value="true", fix="remove it; debug_info of the solver shows this layer's own blobs")
        x, cont = bottoms[:2]
        hidden = bottoms[len(bottoms) - self.states:] if shown else []
        static = bottoms[2:len(bottoms) - len(hidden)]
        if len(x.spec.shape) < 3:
            raise ShapeError(f"the first bottom must have 3 axes or more, steps x streams x values; it is {text(x.spec.shape)}")
        if static and (len(static[0].spec.shape) < 2 or static[0].spec.shape[0] != x.spec.shape[1]):
            raise ShapeError(f"the third bottom must have 2 axes or more, {x.spec.shape[1]} streams x values; it is "
                             f"{text(static[0].spec.shape)}")
        rows = self.gates * p.num_output
        w, b = self._weights(g, rows, product(x.spec.shape[2:])), self._bias(g, rows)
        (u,) = g.emit("inner_product", InnerProductAttrs(axis=2), [x, w, b])
        if static:
            w_static = self._weights(g, rows, product(static[0].spec.shape[1:]))
            (same,) = g.emit("inner_product", InnerProductAttrs(axis=1), [static[0], w_static])
            (u,) = g.emit("bias", AffineAttrs(axis=1), [u, same])
        w_hidden = self._weights(g, rows, p.num_output)
        kept = [] if shown else [g.state((1, x.spec.shape[1], p.num_output)) for _ in range(self.states)]
        h, *last = g.emit(self.op, RecurrentAttrs(shown), [u, cont, w_hidden, *hidden], kept)
        return [self.output(g, h), *last]

    def output(self, g: LayerBuilder, h: Value) -> Value:
        """The first top from the sequence of hidden states (default: that itself)."""
        return h

    def _weights(self, g: LayerBuilder, rows: int, columns: int) -> Value:
        return g.param((rows, columns), self.p.weight_filler, "recurrent_param.weight_filler")

    def _bias(self, g: LayerBuilder, rows: int) -> Value:
        return g.param((rows,), self.p.bias_filler, "recurrent_param.bias_filler")


@LAYERS.register("LSTM")
class LSTM(_Recurrent):
    """Long short-term memory; the gates are i, f, o, g in this order. Fields, bottoms and tops as in `_Recurrent`.

    Hidden state: h and c. Blobs: W_xc (4H x I), b_c (4H), W_xc_static (4H x S) if there is a static input, W_hc (4H x H).
    """

    op = "lstm"
    gates = 4
    states = 2


@LAYERS.register("RNN")
class RNN(_Recurrent):
    """A plain recurrent net, h_t = tanh(W_hh h_(t-1) + W_xh x_t + b_h), with outputs o_t = tanh(W_ho h_t + b_o).

    Hidden state: h. Blobs: W_xh (H x I), b_h (H), W_xh_static (H x S) if there is a static input, W_hh (H x H), W_ho
    (H x H), b_o (H). Fields, bottoms and tops as in `_Recurrent`.
    """

    op = "rnn"
    gates = 1
    states = 1

    def output(self, g: LayerBuilder, h: Value) -> Value:
        """tanh(W_ho h + b_o), as a copy: Caffe's backward reads the outputs as they were, even if a later layer that works
        in place has overwritten the top, while the tanh op by itself reads what is there."""
        size = self.p.num_output
        w, b = self._weights(g, size, size), self._bias(g, size)
        return g.emit("copy", None, g.emit("tanh", None, g.emit("inner_product", InnerProductAttrs(axis=2), [h, w, b])))[0]
