"""Update rules: which op makes the step of a solver type, and the numbers that it is given at each update.

A rule computes nothing itself: the op (`ops/update.py`, `ops/adaptive_update.py`) is its formula, and engines have kernels
for it. A new one is a class with `op` and, where the op has further terms, `more`; solvers find it by `type`.
"""
from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

from caffempi.errors import SolverError
from caffempi.ops.op import get_op
from caffempi.ops.update import Update, update_op
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

    op: name of the update op. rate_inside: its memory holds gradients times rates, so that momentum may change from update
    to update. no_momentum: a momentum other than 0 is refused. divides: delta must be above 0, or a gradient of 0 would
    give 0 / 0. Raises SolverError for the last two.
    """

    op: ClassVar[str] = ""
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

    @property
    def update(self) -> Update:
        """The update op; its `memories` are the arrays of history that a param has (saved in snapshots: all params' first
        ones, then all second ones)."""
        return update_op(get_op(self.op))

    def factor(self, terms: Terms) -> float:
        """What every rate is multiplied by at this update."""
        return 1.0

    def more(self, terms: Terms) -> tuple[float, ...]:
        """The op's terms after scale, decay and rate, as its `more` names them."""
        return ()


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
    """sgd_update."""

    op = "sgd_update"
    rate_inside = True

    def more(self, terms: Terms) -> tuple[float, ...]:
        """momentum."""
        return (terms.momentum,)


@RULES.register("Nesterov")
class Nesterov(Sgd):
    """nesterov_update."""

    op = "nesterov_update"


@RULES.register("AdaGrad")
class AdaGrad(Rule):
    """adagrad_update; delta of the solver."""

    op = "adagrad_update"
    no_momentum = divides = True

    def more(self, terms: Terms) -> tuple[float, ...]:
        """delta."""
        return (self.p.delta,)


@RULES.register("RMSProp")
class RmsProp(Rule):
    """rmsprop_update; r is rms_decay, delta the solver's."""

    op = "rmsprop_update"
    no_momentum = divides = True

    def more(self, terms: Terms) -> tuple[float, ...]:
        """keep, take, delta."""
        return self.p.rms_decay, 1 - self.p.rms_decay, self.p.delta


@RULES.register("AdaDelta")
class AdaDelta(Rule):
    """adadelta_update; r is momentum, delta the solver's."""

    op = "adadelta_update"
    divides = True

    def more(self, terms: Terms) -> tuple[float, ...]:
        """keep, take, delta."""
        return terms.momentum, 1 - terms.momentum, self.p.delta


@RULES.register("Adam")
class Adam(Rule):
    """adam_update; b1 is momentum, b2 momentum2, delta the solver's.

    The rate is multiplied by sqrt(1 - b2^t) / (1 - b1^t), t = iteration + 1.
    """

    op = "adam_update"
    divides = True

    def factor(self, terms: Terms) -> float:
        """The correction of the memories' start from 0."""
        t = terms.iteration + 1
        return math.sqrt(1 - self.p.momentum2 ** t) / (1 - terms.momentum ** t)

    def more(self, terms: Terms) -> tuple[float, ...]:
        """keep, take, keep2, take2, delta."""
        b1, b2 = terms.momentum, self.p.momentum2
        return b1, 1 - b1, b2, 1 - b2, self.p.delta
