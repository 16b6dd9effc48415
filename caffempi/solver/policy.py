"""What a learning-rate policy is: the rate of an update from the number of updates done before it (`iteration`, from 0).

Policies are in `policies.py`, what precedes and bounds them in `schedule.py`. Rates are numbers of single precision, rounded
where Caffe's are: in long runs weights close to zero, L1 decay and normalising rules show the difference.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.registry import Registry

Check = Callable[[Any], str | None]
NO_LOSS = float(np.float32(1e38))                              # minimum_loss before any loss is known, as states have it
_LARGEST = float(np.finfo(np.float32).max)


class Policy:
    """Base: `needs` says which fields a policy cannot do without, and what is wrong with their values.

    current_step, minimum_loss, iter_last_event: memory, saved in states (fields 4, 5, 6); by default it stays as it is.
    watches_loss: `advance` wants the loss. status: the word that the log line of a step begins with.
    """

    needs: ClassVar[dict[str, tuple[Check, str]]] = {}          # field -> (check, what to write)
    watches_loss: ClassVar[bool] = False
    status: ClassVar[str] = ""

    def __init__(self, p: SolverParameter) -> None:
        self.p = p
        self.current_step, self.minimum_loss, self.iter_last_event = 0, NO_LOSS, 0
        for name, (check, fix) in self.needs.items():
            value = getattr(p, name)
            given = len(value) > 0 if hasattr(value, "__len__") else p.HasField(name)
            if not given:
                raise SolverError(f'lr_policy "{p.lr_policy}" needs it, but it is missing', field=name, fix=fix)
            why = check(value)
            if why:
                raise SolverError(f'lr_policy "{p.lr_policy}": {why}', field=name, fix=fix,
                                  value=list(value) if hasattr(value, "__len__") else f"{value:g}")

    @property
    def memory(self) -> dict[str, float]:
        """current_step, minimum_loss and iter_last_event by name."""
        return {name: getattr(self, name) for name in ("current_step", "minimum_loss", "iter_last_event")}

    @memory.setter
    def memory(self, values: dict[str, float]) -> None:
        self.current_step, self.iter_last_event = int(values["current_step"]), int(values["iter_last_event"])
        self.minimum_loss = values["minimum_loss"]

    def next_step(self, iteration: int) -> int:
        """What current_step is for the update at that iteration."""
        return self.current_step

    def formula(self, iteration: int, step: int) -> float:
        """The rate, in double precision."""
        raise NotImplementedError

    def rate(self, iteration: int) -> float:
        """The rate of the update at that iteration; changes nothing."""
        return single(self.formula(iteration, self.next_step(iteration)))

    def advance(self, iteration: int, loss: float = NO_LOSS) -> float:
        """The same for an update that takes place now: the memory moves on. loss: the smoothed one, alike on all ranks."""
        self.current_step = self.next_step(iteration)
        return single(self.formula(iteration, self.current_step))


POLICIES: Registry[type[Policy]] = Registry("lr_policy", SolverError)


def single(value: float) -> float:
    """The nearest number of single precision. Raises SolverError where there is none."""
    if abs(value) > _LARGEST:
        raise SolverError(f"the learning rate is not finite: {value:g}", field="lr_policy", fix="change gamma or power")
    return float(np.float32(value))


def power(base: float, exponent: float) -> float:
    """base ^ exponent. Raises SolverError where the result is too large or not a number."""
    try:
        value = base ** exponent
    except (OverflowError, ZeroDivisionError):
        value = math.inf
    if isinstance(value, complex) or not math.isfinite(value):
        raise SolverError(f"the learning rate is not finite: {base:g} ^ {exponent:g}", field="lr_policy",
                          fix="change gamma or power")
    return value
