"""The cell of an LSTM: one step from the cell before and the four gates' inputs, and its share of backward.

With the parts x = [i', f', o', g'] of the gates' input, c0 the cell before, k the continuation (0 at a sequence's start):
forward   i = sigmoid(i'), f = k sigmoid(f'), o = sigmoid(o'), g = tanh(g');  c = f c0 + i g;  h = o tanh(c)
backward  e = dc + dh o (1 - tanh(c)^2);  dc0 = e f;  di' = e g i (1 - i);  df' = e c0 f (1 - f);
          do' = dh tanh(c) o (1 - o);  dg' = e i (1 - g^2);  k gets none
df' is Caffe's rule: the derivative where k is 0 or 1, as it should be, and not between.
Shapes: c0, c, h 1 x N x H; x 1 x N x 4H; k 1 x N. Saved: i, f, o, g, as x. Source: Hochreiter and Schmidhuber, Neural
Computation 1997, with the forget gate of Gers et al., 2000.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


def lstm_step(x: np.ndarray, c0: np.ndarray, cont: np.ndarray, gates: np.ndarray, c: np.ndarray, h: np.ndarray) -> None:
    """One step by the module's rule; x (N, 4H), c0 (N, H), cont (N). Writes gates (i, f, o, g: N, 4H), c and h (N, H).

    gates may be x itself, and c may be c0.
    """
    size = c0.shape[1]
    np.tanh(x[:, 3 * size:], out=gates[:, 3 * size:])
    squashed = gates[:, :3 * size]
    np.multiply(x[:, :3 * size], x.dtype.type(0.5), out=squashed)
    np.tanh(squashed, out=squashed)
    squashed += 1
    squashed *= 0.5
    i, f, o, g = _parts(gates)
    f *= cont[:, None]
    np.multiply(f, c0, out=c)
    c += i * g
    np.tanh(c, out=h)
    h *= o


def lstm_step_back(gates: np.ndarray, c0: np.ndarray, c: np.ndarray, dc: np.ndarray, dh: np.ndarray,
                   dx: np.ndarray) -> np.ndarray:
    """The gradients of one step: writes dx (N, 4H), returns dc0 (N, H)."""
    i, f, o, g = _parts(gates)
    di, df, do, dg = _parts(dx)
    flat = np.tanh(c)
    e = dc + dh * o * (1 - flat * flat)
    np.multiply(e * g, i * (1 - i), out=di)
    np.multiply(e * c0, f * (1 - f), out=df)
    np.multiply(dh * flat, o * (1 - o), out=do)
    np.multiply(e * i, 1 - g * g, out=dg)
    return np.asarray(e * f)


def _parts(gates: np.ndarray) -> tuple[np.ndarray, ...]:
    size = gates.shape[1] // 4
    return tuple(gates[:, k * size:(k + 1) * size] for k in range(4))


@op
class LstmUnit(Op):
    """c, h from c0, x and k. No attrs."""

    name = "lstm_unit"
    grad = "declared"
    differentiable = (0, 1)

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """c and h as c0. Raises ShapeError where the ins do not fit."""
        c0, x, k = (s.shape for s in ins)
        if len(c0) != 3 or c0[0] != 1:
            raise ShapeError(f"the cell's bottom must be 1 x streams x cells; it is {text(c0)}")
        if x != (1, c0[1], 4 * c0[2]) or k != (1, c0[1]):
            raise ShapeError(f"cells {text(c0)} need gate inputs {text((1, c0[1], 4 * c0[2]))} and continuation marks "
                             f"{text((1, c0[1]))}; those are {text(x)} and {text(k)}")
        return [ins[0], ins[0]]

    def saved(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """The gates."""
        return [ins[1]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        c0, x, k = ins
        gates = saved[0] if saved else np.empty_like(x)
        lstm_step(x[0], c0[0], k[0], gates[0], outs[0][0], outs[1][0])

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """One lstm_unit_grad for both gradients; it reads the gates, c0 and c."""
        given = [d for d in douts if d is not None]
        if not given:
            return [None, None, None]
        c0, x, _ = node.ins
        dc, dh = (d if d is not None else g.emit_grad("zeros", None, [], like=[c0])[0] for d in douts)
        dc0, dx = g.emit_grad("lstm_unit_grad", None, [node.saved[0], c0, node.outs[0], dc, dh], like=[c0, x])
        return [dc0 if need[0] else None, dx if need[1] else None, None]

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Four squashing functions, a tanh and a few products a cell."""
        return 24 * ins[0].count, super().cost(attrs, [*ins, ins[1]], outs)[1]


@op
class LstmUnitGrad(Op):
    """dc0, dx by the module's rule; ins gates, c0, c, dc, dh."""

    name = "lstm_unit_grad"
    grad = "none"

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """As c0 and as the gates."""
        return [ins[1], ins[0]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the class."""
        gates, c0, c, dc, dh = (a[0] for a in ins)
        outs[0][0] = lstm_step_back(gates, c0, c, dc, dh, outs[1][0])

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A tanh and some twenty products a cell."""
        return 30 * ins[1].count, super().cost(attrs, ins, outs)[1]
