"""The recurrences of LSTM and RNN over a whole sequence, given the inputs' part of each step's sum.

For t = 1..T, with u_t the inputs' part (x_t W' + b), k_t the continuation of each stream (0 where a sequence starts):
rnn   h_t = tanh(u_t + (k_t h_(t-1)) W')                                     u T x N x H,  W H x H
lstm  x_t = u_t + (k_t h_(t-1)) W', then one step of `lstm_unit` from c_(t-1) to c_t and h_t    u T x N x 4H,  W 4H x H
k is T x N; the sequence of h T x N x H. h_0 (and c_0 for lstm), 1 x N x H, are further ins, with h_T (and c_T) as further
outs, where `exposed`; otherwise they are the node's state, which h_T and c_T replace: the next run continues from there.

Backward runs from T to 1 and gives du and dW from the gradient of the sequence. It stops at both ends of the sequence, as
Caffe's does: h_0 and c_0 get no gradient, and those of h_T and c_T are not looked at. Hence `declared`.
Saved: of rnn, h_0; of lstm, the gates (T x N x 4H), c_0..c_T ((T + 1) x N x H) and h_0. Source of the rule: Werbos,
Proceedings of the IEEE 1990.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.lstm_unit import lstm_step, lstm_step_back
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


@dataclass(frozen=True)
class RecurrentAttrs:
    """exposed: whether the hidden state comes in and goes out, rather than being kept (default)."""

    exposed: bool = False


class _Recurrent(Op):
    """What rnn and lstm share: ins u, k, W[, h_0[, c_0]]; outs the sequence of h[, h_T[, c_T]]."""

    effects = frozenset({"state"})
    grad = "declared"
    differentiable = (0, 2)
    parts = 1                                                   # rows of u for each number of h
    states = 1                                                  # arrays of the hidden state

    def _hidden(self, ins: Sequence[Spec]) -> Spec:
        """Shape of one array of the hidden state."""
        return Spec((1, ins[0].shape[1], ins[2].shape[1]), ins[0].dtype)

    def infer(self, attrs: RecurrentAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The sequence of h and, where exposed, the last state. Raises ShapeError where the ins do not fit."""
        u, k, w = (s.shape for s in ins[:3])
        if len(u) != 3 or len(w) != 2 or w != (u[2], u[2] // self.parts):
            raise ShapeError(f"weights {text(w)} do not fit inputs' parts {text(u)}")
        if k != u[:2]:
            raise ShapeError(f"{u[0]} steps of {u[1]} streams need continuation marks {text(u[:2])}; they are {text(k)}")
        hidden = self._hidden(ins)
        for s in ins[3:]:
            if s.shape != hidden.shape:
                raise ShapeError(f"a hidden state of {u[1]} streams must be {text(hidden.shape)}; it is {text(s.shape)}")
        return [Spec((*u[:2], w[1]), ins[0].dtype)] + [hidden] * (self.states if attrs.exposed else 0)

    def state_specs(self, attrs: RecurrentAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """h and, for lstm, c: 1 x N x H each."""
        return [] if attrs.exposed else [self._hidden(ins)] * self.states

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """One node gives du and dW. It reads the sequence of h, the continuation marks, W and what was saved."""
        none: list[Value | None] = [None] * (len(node.ins) - 3)
        if douts[0] is None:
            return [None, None, None, *none]
        u, k, w = node.ins[:3]
        du, dw = g.emit_grad(f"{self.name}_grad", node.attrs, [node.outs[0], k, w, *node.saved, douts[0]], like=[u, w])
        return [du if need[0] else None, None, dw if need[2] else None, *none]

    def cost(self, attrs: RecurrentAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A product with W a step, and the functions of a step."""
        return 2 * ins[0].count * ins[2].shape[1] + 8 * ins[0].count, super().cost(attrs, ins, outs)[1]


class _RecurrentGrad(Op):
    """What the gradient ops share: ins h sequence, k, W, what forward saved, dh sequence; outs du, dW."""

    grad = "none"

    def infer(self, attrs: RecurrentAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As u and as W."""
        h, w = ins[0], ins[2]
        return [Spec((*h.shape[:2], w.shape[0]), h.dtype), w]

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two products with W's size a step, and the functions of a step."""
        return 4 * outs[0].count * ins[2].shape[1] + 10 * outs[0].count, super().cost(attrs, ins, outs)[1]


def _dw(du: np.ndarray, h: np.ndarray, h0: np.ndarray, cont: np.ndarray, dw: np.ndarray) -> None:
    """dW = sum over steps of du_t' (k_t h_(t-1))."""
    if not len(h):
        dw.fill(0)
        return
    before = np.concatenate([h0, h[:-1]]) * cont[:, :, None]
    np.matmul(du.reshape(-1, du.shape[2]).T, before.reshape(-1, h.shape[2]), out=dw)


@op
class Rnn(_Recurrent):
    """The sequence of h of a plain recurrent net; see the module."""

    name = "rnn"

    def saved(self, attrs: RecurrentAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """h_0."""
        return [self._hidden(ins)]

    def forward(self, attrs: RecurrentAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        u, cont, w = ins[:3]
        h = first = ins[3][0] if attrs.exposed else state[0][0]
        if saved:
            saved[0][0] = first
        for t in range(len(u)):
            now = outs[0][t]
            np.matmul(h * cont[t, :, None], w.T, out=now)
            now += u[t]
            h = np.tanh(now, out=now)
        (outs[1] if attrs.exposed else state[0])[0] = h


@op
class RnnGrad(_RecurrentGrad):
    """du_t = (1 - h_t^2) (dh_t + k_(t+1) du_(t+1) W); ins h sequence, k, W, h_0, dh sequence."""

    name = "rnn_grad"

    def forward(self, attrs: RecurrentAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        h, cont, w, h0, dh = ins
        du, dw = outs
        back = np.zeros_like(h0[0])
        for t in reversed(range(len(h))):
            np.multiply(dh[t] + back, 1 - h[t] * h[t], out=du[t])
            back = (du[t] @ w) * cont[t, :, None]
        _dw(du, h, h0, cont, dw)


@op
class Lstm(_Recurrent):
    """The sequence of h of an LSTM; see the module."""

    name = "lstm"
    parts = 4
    states = 2

    def saved(self, attrs: RecurrentAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The gates, c_0..c_T, h_0."""
        t, n, size = outs[0].shape
        return [ins[0], Spec((t + 1, n, size), ins[0].dtype), self._hidden(ins)]

    def forward(self, attrs: RecurrentAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        u, cont, w = ins[:3]
        h, c = (a[0] for a in (ins[3:] if attrs.exposed else state))
        if saved:
            saved[1][0], saved[2][0] = c, h
        step = np.empty_like(u[:1])
        for t in range(len(u)):
            gates, cell = (saved[0][t], saved[1][t + 1]) if saved else (step[0], np.empty_like(c))
            np.matmul(h * cont[t, :, None], w.T, out=gates)
            gates += u[t]
            lstm_step(gates, c, cont[t], gates, cell, outs[0][t])
            h, c = outs[0][t], cell
        last = outs[1:] if attrs.exposed else state
        last[0][0], last[1][0] = h, c


@op
class LstmGrad(_RecurrentGrad):
    """du, dW by `lstm_unit`'s rule from the last step to the first; ins h sequence, k, W, gates, cells, h_0, dh sequence."""

    name = "lstm_grad"

    def forward(self, attrs: RecurrentAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        h, cont, w, gates, cells, h0, dh = ins
        du, dw = outs
        back, dc = np.zeros_like(h0[0]), np.zeros_like(h0[0])
        for t in reversed(range(len(h))):
            dc = lstm_step_back(gates[t], cells[t], cells[t + 1], dc, dh[t] + back, du[t])
            back = (du[t] @ w) * cont[t, :, None]
        _dw(du, h, h0, cont, dw)
