"""Learning-rate policies: the rate of an update from the number of updates done before it (`iteration`, from 0).

Formulas: Caffe's, in double precision. base = base_lr; k = current_step, which only `multistep` moves. A field that a
policy does not use is left alone; one that it needs and that is missing or out of range is a SolverError.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.registry import Registry

Check = Callable[[Any], str | None]


def _positive(value: float) -> str | None:
    return None if value > 0 else "must be above 0"


def _at_least_zero(value: float) -> str | None:
    return None if value >= 0 else "must be at least 0"


def _any(value: float) -> str | None:
    return None


def _ascending(values: Any) -> str | None:
    ordered = all(a <= b for a, b in zip(values, list(values)[1:], strict=False))
    return None if ordered and values[0] >= 0 else "must be iterations in ascending order"


class Policy:
    """Base: `needs` says which fields a policy cannot do without, and what is wrong with their values."""

    needs: ClassVar[dict[str, tuple[Check, str]]] = {}          # field -> (check, what to write)

    def __init__(self, p: SolverParameter) -> None:
        self.p, self.current_step = p, 0
        for name, (check, fix) in self.needs.items():
            value = getattr(p, name)
            given = len(value) > 0 if hasattr(value, "__len__") else p.HasField(name)
            if not given:
                raise SolverError(f'lr_policy "{p.lr_policy}" needs it, but it is missing', field=name, fix=fix)
            why = check(value)
            if why:
                raise SolverError(f'lr_policy "{p.lr_policy}": {why}', field=name, fix=fix,
                                  value=list(value) if hasattr(value, "__len__") else f"{value:g}")

    def next_step(self, iteration: int) -> int:
        """What current_step is for the update at that iteration."""
        return self.current_step

    def formula(self, iteration: int, step: int) -> float:
        """The rate divided by base_lr."""
        raise NotImplementedError

    def rate(self, iteration: int) -> float:
        """The rate of the update at that iteration; changes nothing."""
        return self.p.base_lr * self.formula(iteration, self.next_step(iteration))

    def advance(self, iteration: int) -> float:
        """The same for an update that takes place now: current_step moves on."""
        self.current_step = self.next_step(iteration)
        return self.p.base_lr * self.formula(iteration, self.current_step)


POLICIES: Registry[type[Policy]] = Registry("lr_policy", SolverError)


def make_policy(p: SolverParameter) -> Policy:
    """The policy that a solver names. Raises SolverError naming the field: missing, unknown, or out of range."""
    if not p.HasField("base_lr"):
        raise SolverError("is missing: nothing would be learned", field="base_lr", fix="set it, such as base_lr: 0.01")
    if not p.lr_policy:
        raise SolverError("is missing", field="lr_policy", fix=f"give one of {', '.join(POLICIES.names())}")
    try:
        kind = POLICIES.get(p.lr_policy)
    except SolverError as e:
        raise e.at(field="lr_policy") from None
    return kind(p)


@POLICIES.register("fixed")
class Fixed(Policy):
    """base."""

    def formula(self, iteration: int, step: int) -> float:
        """1."""
        return 1.0


@POLICIES.register("step")
class Step(Policy):
    """base * gamma ^ floor(iteration / stepsize)."""

    needs: ClassVar = {"gamma": (_any, "set the factor of each step, such as gamma: 0.1"),
                       "stepsize": (_positive, "set the number of iterations between two steps")}

    def formula(self, iteration: int, step: int) -> float:
        """gamma ^ floor(iteration / stepsize)."""
        return _power(self.p.gamma, iteration // self.p.stepsize)


@POLICIES.register("exp")
class Exp(Policy):
    """base * gamma ^ iteration."""

    needs: ClassVar = {"gamma": (_any, "set the factor of each iteration, such as gamma: 0.9999")}

    def formula(self, iteration: int, step: int) -> float:
        """gamma ^ iteration."""
        return _power(self.p.gamma, iteration)


@POLICIES.register("inv")
class Inv(Policy):
    """base * (1 + gamma * iteration) ^ -power."""

    needs: ClassVar = {"gamma": (_at_least_zero, "set how fast the rate falls, such as gamma: 0.0001"),
                       "power": (_any, "set the exponent, such as power: 0.75")}

    def formula(self, iteration: int, step: int) -> float:
        """(1 + gamma * iteration) ^ -power."""
        return _power(1 + self.p.gamma * iteration, -self.p.power)


@POLICIES.register("multistep")
class MultiStep(Policy):
    """base * gamma ^ k; k grows by one, once an iteration at most, when iteration >= stepvalue[k].

    k is saved in snapshots. From a state without it, it catches up by one each iteration, as in Caffe.
    """

    needs: ClassVar = {"gamma": (_any, "set the factor of each step, such as gamma: 0.1"),
                       "stepvalue": (_ascending, "give the iterations at which the rate drops, one stepvalue each")}

    def next_step(self, iteration: int) -> int:
        """k, one more where the next stepvalue is reached."""
        k = self.current_step
        return k + 1 if k < len(self.p.stepvalue) and iteration >= self.p.stepvalue[k] else k

    def formula(self, iteration: int, step: int) -> float:
        """gamma ^ k."""
        return _power(self.p.gamma, step)


@POLICIES.register("poly")
class Poly(Policy):
    """base * (1 - iteration / max_iter) ^ power; 0 from max_iter on (where Caffe's formula leaves the real numbers)."""

    needs: ClassVar = {"max_iter": (_positive, "set the number of iterations"),
                       "power": (_at_least_zero, "set the exponent, such as power: 1")}

    def formula(self, iteration: int, step: int) -> float:
        """(1 - iteration / max_iter) ^ power."""
        return _power(max(0.0, 1 - iteration / self.p.max_iter), self.p.power)


@POLICIES.register("sigmoid")
class Sigmoid(Policy):
    """base / (1 + exp(-gamma * (iteration - stepsize)))."""

    needs: ClassVar = {"gamma": (_any, "set the steepness; below 0 the rate falls"),
                       "stepsize": (_at_least_zero, "set the iteration at which the rate is half of base_lr")}

    def formula(self, iteration: int, step: int) -> float:
        """1 / (1 + exp(-gamma * (iteration - stepsize))), as a tanh that cannot overflow."""
        return 0.5 * (1 + math.tanh(0.5 * self.p.gamma * (iteration - self.p.stepsize)))


def _power(base: float, exponent: float) -> float:
    """base ^ exponent. Raises SolverError where the result is too large or not a number."""
    try:
        value = base ** exponent
    except (OverflowError, ZeroDivisionError):
        value = math.inf
    if isinstance(value, complex) or not math.isfinite(value):
        raise SolverError(f"the learning rate is not finite: {base:g} ^ {exponent:g}", field="lr_policy",
                          fix="change gamma or power")
    return value
