"""Update rules: from a gradient and a memory to the value that is subtracted from the params.

A rule sees flat pieces of the arena, each of one learning rate, and nothing of nets, decay or ranks. A new one is a class
with `memories` and `update`; solvers find it by `type`.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.registry import Registry


class Rule:
    """Base. memories: arrays of history a param has (saved in snapshots: all params' first ones, then all second ones)."""

    memories: ClassVar[int] = 1

    def __init__(self, p: SolverParameter) -> None:
        self.p = p

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, iteration: int,
               scratch: np.ndarray) -> np.ndarray:
        """The update value of one piece: an array of its length that holds what is to be subtracted from the params.

        grad (n,): clipped, averaged, decayed; may be overwritten. memory: `memories` arrays (n,), to be brought up to
        date. scratch (n,): free to use. The result may be grad, a memory or scratch itself: nothing is allocated.
        """
        raise NotImplementedError


RULES: Registry[type[Rule]] = Registry("solver type", SolverError)


def make_rule(p: SolverParameter) -> Rule:
    """The rule of a solver's type. Raises SolverError: unknown type, or a setting that the rule refuses."""
    try:
        return RULES.get(p.type)(p)
    except SolverError as e:
        raise e.at(field="type") from None


@RULES.register("SGD")
class Sgd(Rule):
    """h = rate * g + momentum * h; W -= h. The rate is inside h: a later change of it does not rescale h."""

    def update(self, grad: np.ndarray, memory: Sequence[np.ndarray], rate: float, iteration: int,
               scratch: np.ndarray) -> np.ndarray:
        """h, which is the update value."""
        h = memory[0]
        np.multiply(grad, rate, out=grad)
        np.multiply(h, self.p.momentum, out=h)
        np.add(h, grad, out=h)
        return h
