"""Update rules: from a gradient and a memory to the value that is subtracted from the params.

A rule sees flat pieces of the arena, each of one learning rate, and nothing of nets, decay or ranks. A new one is a class
with `memories` and `update`; solvers find it by `type`.

In the formulas g is the gradient, W the params, h (h1, h2; m, v) the memory, 0 at first; delta, momentum, momentum2 and
rms_decay are fields of the solver. Formulas and the layout of memories: Caffe's.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.registry import Registry


class Terms(NamedTuple):
    """The numbers of one update: updates done before it, the learning rate before lr_mult, momentum, weight decay."""

    iteration: int
    rate: float
    momentum: float = 0.0
    weight_decay: float = 0.0


class Rule:
    """Base.

    memories: arrays of history a param has (saved in snapshots: all params' first ones, then all second ones).
    rate_inside: the memory holds gradients times rates, so that momentum may change from update to update.
    no_momentum: a momentum other than 0 is refused. divides: delta must be above 0, or a gradient of 0 would give 0 / 0.
    Raises SolverError for the last two.
    """

    memories: ClassVar[int] = 1
    rate_inside: ClassVar[bool] = False
    no_momentum: ClassVar[bool] = False
    divides: ClassVar[bool] = False

    def __init__(self, p: SolverParameter) -> None:
        self.p = p
        if self.no_momentum and p.momentum:
            raise SolverError(f"{p.type} has no momentum", field="momentum", value=f"{p.momentum:g}",
                              fix="remove it, or set it to 0")
        if self.divides and not p.delta > 0:
            raise SolverError(f"{p.type} divides by it: must be above 0", field="delta", value=f"{p.delta:g}",
                              fix="set a small number, such as delta: 1e-8")

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, terms: Terms,
               scratch: np.ndarray) -> np.ndarray:
        """The update value of one piece: an array of its length that holds what is to be subtracted from the params.

        grad (n,): clipped, averaged, decayed; may be overwritten. memory: `memories` arrays (n,), to be brought up to
        date. rate: the piece's own, lr_mult included. scratch (n,): free to use. The result may be grad, a memory or
        scratch itself: nothing is allocated.
        """
        raise NotImplementedError


RULES: Registry[type[Rule]] = Registry("solver type", SolverError)


def rule_class(p: SolverParameter) -> type[Rule]:
    """The class of a solver's type. Raises SolverError where it is unknown."""
    try:
        return RULES.get(p.type)
    except SolverError as e:
        raise e.at(field="type") from None


def make_rule(p: SolverParameter) -> Rule:
    """The rule of a solver's type. Raises SolverError: unknown type, or a setting that the rule refuses."""
    return rule_class(p)(p)


@RULES.register("SGD")
class Sgd(Rule):
    """h = rate * g + momentum * h; W -= h. The rate is inside h: a later change of it does not rescale h."""

    rate_inside = True

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, terms: Terms,
               scratch: np.ndarray) -> np.ndarray:
        """h, which is the update value."""
        h = memory[0]
        np.multiply(grad, rate, out=grad)
        np.multiply(h, terms.momentum, out=h)
        np.add(h, grad, out=h)
        return h


@RULES.register("Nesterov")
class Nesterov(Rule):
    """h' = rate * g + momentum * h; W -= (1 + momentum) * h' - momentum * h; h = h'."""

    rate_inside = True

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, terms: Terms,
               scratch: np.ndarray) -> np.ndarray:
        """The update value, in grad."""
        h = memory[0]
        np.multiply(h, terms.momentum, out=scratch)
        np.multiply(grad, rate, out=h)
        np.add(h, scratch, out=h)
        np.multiply(h, 1 + terms.momentum, out=grad)
        np.subtract(grad, scratch, out=grad)
        return grad


@RULES.register("AdaGrad")
class AdaGrad(Rule):
    """h += g^2; W -= rate * g / (sqrt(h) + delta)."""

    no_momentum = divides = True

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, terms: Terms,
               scratch: np.ndarray) -> np.ndarray:
        """The update value, in grad."""
        h = memory[0]
        np.square(grad, out=scratch)
        np.add(h, scratch, out=h)
        return _divided(grad, h, self.p.delta, rate, scratch)


@RULES.register("RMSProp")
class RmsProp(Rule):
    """h = rms_decay * h + (1 - rms_decay) * g^2; W -= rate * g / (sqrt(h) + delta)."""

    no_momentum = divides = True

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, terms: Terms,
               scratch: np.ndarray) -> np.ndarray:
        """The update value, in grad."""
        h = memory[0]
        _mean_square(h, grad, self.p.rms_decay, scratch)
        return _divided(grad, h, self.p.delta, rate, scratch)


@RULES.register("AdaDelta")
class AdaDelta(Rule):
    """h1 = r * h1 + (1 - r) * g^2; u = g * sqrt((h2 + delta) / (h1 + delta)); h2 = r * h2 + (1 - r) * u^2; W -= rate * u.

    r is momentum.
    """

    memories = 2
    divides = True

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, terms: Terms,
               scratch: np.ndarray) -> np.ndarray:
        """The update value, in grad."""
        h1, h2 = memory
        _mean_square(h1, grad, terms.momentum, scratch)
        np.add(h2, self.p.delta, out=scratch)                  # two roots: the quotient would need one more array
        np.sqrt(scratch, out=scratch)
        np.multiply(grad, scratch, out=grad)
        np.add(h1, self.p.delta, out=scratch)
        np.sqrt(scratch, out=scratch)
        np.divide(grad, scratch, out=grad)
        _mean_square(h2, grad, terms.momentum, scratch)
        np.multiply(grad, rate, out=grad)
        return grad


@RULES.register("Adam")
class Adam(Rule):
    """m = b1 * m + (1 - b1) * g; v = b2 * v + (1 - b2) * g^2;
    W -= rate * sqrt(1 - b2^t) / (1 - b1^t) * m / (sqrt(v) + delta).

    b1 is momentum, b2 momentum2, t = iteration + 1. delta is not scaled by the correction. m is h1, v is h2.
    """

    memories = 2
    divides = True

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, terms: Terms,
               scratch: np.ndarray) -> np.ndarray:
        """The update value, in grad."""
        m, v = memory
        b1, b2, t = terms.momentum, self.p.momentum2, terms.iteration + 1
        _mean_square(v, grad, b2, scratch)
        np.multiply(grad, 1 - b1, out=grad)
        np.multiply(m, b1, out=m)
        np.add(m, grad, out=m)
        np.copyto(grad, m)
        return _divided(grad, v, self.p.delta, rate * math.sqrt(1 - b2 ** t) / (1 - b1 ** t), scratch)


def _mean_square(h: np.ndarray, values: np.ndarray, decay: float, scratch: np.ndarray) -> None:
    """h = decay * h + (1 - decay) * values^2."""
    np.square(values, out=scratch)
    np.multiply(scratch, 1 - decay, out=scratch)
    np.multiply(h, decay, out=h)
    np.add(h, scratch, out=h)


def _divided(values: np.ndarray, h: np.ndarray, delta: float, rate: float, scratch: np.ndarray) -> np.ndarray:
    """values = rate * values / (sqrt(h) + delta)."""
    np.sqrt(h, out=scratch)
    np.add(scratch, delta, out=scratch)
    np.divide(values, scratch, out=values)
    np.multiply(values, rate, out=values)
    return values
