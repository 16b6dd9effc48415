"""Learning-rate policies of Caffe, and `multifixed` and `plateau` of its descendants.

base = base_lr; k = current_step. A field that a policy does not use is left alone; one that
it needs and that is missing or out of range is a SolverError.
"""
from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.policy import NO_LOSS, POLICIES, Policy, power, single

__all__ = ["POLICIES", "Policy", "make_policy"]


def make_policy(p: SolverParameter) -> Policy:
    """The policy that a solver names. Raises SolverError naming the field: missing, unknown, or out of range."""
    if not p.HasField("base_lr") and p.lr_policy != "multifixed":
        raise SolverError("is missing: nothing would be learned", field="base_lr", fix="set it, such as base_lr: 0.01")
    if not p.lr_policy:
        raise SolverError("is missing", field="lr_policy", fix=f"give one of {', '.join(POLICIES.names())}")
    try:
        kind = POLICIES.get(p.lr_policy)
    except SolverError as e:
        raise e.at(field="lr_policy") from None
    return kind(p)


def _positive(value: float) -> str | None:
    return None if value > 0 else "must be above 0"


def _at_least_zero(value: float) -> str | None:
    return None if value >= 0 else "must be at least 0"


def _any(value: float) -> str | None:
    return None


def _ascending(values: Any) -> str | None:
    ordered = all(a <= b for a, b in zip(values, list(values)[1:], strict=False))
    return None if ordered and values[0] >= 0 else "must be iterations in ascending order"


def _all_positive(values: Any) -> str | None:
    return None if min(values) > 0 else "must be above 0, all of them"


def _all_finite(values: Any) -> str | None:
    return None if np.isfinite(list(values)).all() else "must be finite, all of them"


@POLICIES.register("fixed")
class Fixed(Policy):
    """base."""

    def formula(self, iteration: int, step: int) -> float:
        """base."""
        return self.p.base_lr


@POLICIES.register("step")
class Step(Policy):
    """base * gamma ^ floor(iteration / stepsize)."""

    needs: ClassVar = {"gamma": (_any, "set the factor of each step, such as gamma: 0.1"),
                       "stepsize": (_positive, "set the number of iterations between two steps")}

    def formula(self, iteration: int, step: int) -> float:
        """base * gamma ^ floor(iteration / stepsize)."""
        return self.p.base_lr * power(self.p.gamma, iteration // self.p.stepsize)


@POLICIES.register("exp")
class Exp(Policy):
    """base * gamma ^ iteration."""

    needs: ClassVar = {"gamma": (_any, "set the factor of each iteration, such as gamma: 0.9999")}

    def formula(self, iteration: int, step: int) -> float:
        """base * gamma ^ iteration."""
        return self.p.base_lr * power(self.p.gamma, iteration)


@POLICIES.register("inv")
class Inv(Policy):
    """base * (1 + gamma * iteration) ^ -power."""

    needs: ClassVar = {"gamma": (_at_least_zero, "set how fast the rate falls, such as gamma: 0.0001"),
                       "power": (_any, "set the exponent, such as power: 0.75")}

    def formula(self, iteration: int, step: int) -> float:
        """base * (1 + gamma * iteration) ^ -power."""
        return self.p.base_lr * single(power(single(1 + single(self.p.gamma * iteration)), -self.p.power))


@POLICIES.register("multistep")
class MultiStep(Policy):
    """base * gamma ^ k; k grows by one, once an iteration at most, when iteration >= stepvalue[k].

    k is saved in snapshots. From a state without it, it catches up by one each iteration, as in Caffe.
    """

    needs: ClassVar = {"gamma": (_any, "set the factor of each step, such as gamma: 0.1"),
                       "stepvalue": (_ascending, "give the iterations at which the rate drops, one stepvalue each")}
    status = "MultiStep"

    def next_step(self, iteration: int) -> int:
        """k, one more where the next stepvalue is reached."""
        k = self.current_step
        return k + 1 if k < len(self.p.stepvalue) and iteration >= self.p.stepvalue[k] else k

    def formula(self, iteration: int, step: int) -> float:
        """base * gamma ^ k."""
        return self.p.base_lr * power(self.p.gamma, step)


@POLICIES.register("poly")
class Poly(Policy):
    """(base - m) * (1 - iteration / max_iter) ^ power + m; m is min_lr, without it 0.

    From max_iter on (where Caffe's formula leaves the real numbers) m. min_lr: NVCaffe's.
    """

    needs: ClassVar = {"max_iter": (_positive, "set the number of iterations"),
                       "power": (_at_least_zero, "set the exponent, such as power: 1")}

    def formula(self, iteration: int, step: int) -> float:
        """(base - m) * (1 - iteration / max_iter) ^ power + m."""
        p = self.p
        left = single(max(0.0, 1 - single(iteration / p.max_iter)))
        return (p.base_lr - p.min_lr) * single(power(left, p.power)) + p.min_lr


@POLICIES.register("sigmoid")
class Sigmoid(Policy):
    """base / (1 + exp(-gamma * (iteration - stepsize)))."""

    needs: ClassVar = {"gamma": (_any, "set the steepness; below 0 the rate falls"),
                       "stepsize": (_at_least_zero, "set the iteration at which the rate is half of base_lr")}

    def formula(self, iteration: int, step: int) -> float:
        """base / (1 + exp(-gamma * (iteration - stepsize))), as a tanh that cannot overflow."""
        return self.p.base_lr * 0.5 * (1 + math.tanh(0.5 * self.p.gamma * (iteration - self.p.stepsize)))


@POLICIES.register("multifixed")
class MultiFixed(Policy):
    """stagelr[s] up to and including iteration stageiter[s]; after the last one the last stagelr. Intel Caffe's.

    base_lr plays no part.
    """

    needs: ClassVar = {"stagelr": (_all_finite, "give the rate of each stage, one stagelr each"),
                       "stageiter": (_ascending, "give the last iteration of each stage, one stageiter each")}

    def __init__(self, p: SolverParameter) -> None:
        super().__init__(p)
        if len(p.stagelr) != len(p.stageiter):
            raise SolverError(f"{len(p.stagelr)} rates for {len(p.stageiter)} stages", field="stagelr",
                              fix="give one stagelr and one stageiter a stage")

    def formula(self, iteration: int, step: int) -> float:
        """The rate of the first stage that reaches so far."""
        p = self.p
        return next((rate for rate, last in zip(p.stagelr, p.stageiter, strict=True) if iteration <= last), p.stagelr[-1])


@POLICIES.register("plateau")
class Plateau(Policy):
    """base * gamma ^ k; k grows when the smoothed loss has found no new minimum, nor k changed, for plateau_winsize[k]
    iterations. After the last window the rate stays. SSD's and Intel Caffe's.

    The loss is looked at before each update, rounded to the float32 that states hold.
    """

    needs: ClassVar = {"gamma": (_any, "set the factor of each step, such as gamma: 0.1"),
                       "plateau_winsize": (_all_positive, "give the iterations to wait before each drop")}
    watches_loss = True
    status = "Plateau"

    def next_step(self, iteration: int) -> int:
        """k, one more where the window is over."""
        k, windows = self.current_step, self.p.plateau_winsize
        return k + 1 if k < len(windows) and iteration - self.iter_last_event >= windows[k] else k

    def advance(self, iteration: int, loss: float = NO_LOSS) -> float:
        """The rate of an update that takes place now."""
        loss = single(min(loss, NO_LOSS))
        if loss < self.minimum_loss:
            self.minimum_loss, self.iter_last_event = loss, iteration
        step = self.next_step(iteration)
        if step != self.current_step:
            self.current_step, self.iter_last_event = step, iteration
        return single(self.formula(iteration, step))

    def formula(self, iteration: int, step: int) -> float:
        """base * gamma ^ k."""
        return self.p.base_lr * power(self.p.gamma, step)
