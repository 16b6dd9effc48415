"""Updates whose steps follow from the mean square of gradients, element by element; see `update.py` for what they share.

adagrad_update    h += g^2;                            value = rate * g / (sqrt(h) + delta)
rmsprop_update    h = r * h + (1 - r) * g^2;           value = rate * g / (sqrt(h) + delta)
adadelta_update   h1 = r * h1 + (1 - r) * g^2;  u = g * sqrt((h2 + delta) / (h1 + delta));
                  h2 = r * h2 + (1 - r) * u^2;         value = rate * u
adam_update       h1 = b1 * h1 + (1 - b1) * g;  h2 = b2 * h2 + (1 - b2) * g^2;
                  value = rate * h1 / (sqrt(h2) + delta)

Terms after the rate: of h = r * h + (1 - r) * ..., r is "keep" and 1 - r "take", since a small difference from 1 would lose
its digits in float32. Adam's correction for the first steps is part of the rate that it is given. delta is not scaled by it.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.ops.op import op
from caffempi.ops.update import Update


@op
class AdaGradUpdate(Update):
    """h += g^2; W -= rate * g / (sqrt(h) + delta)."""

    name = "adagrad_update"
    more = ("delta",)

    def value(self, g: np.ndarray, memory: Sequence[np.ndarray], scratch: np.ndarray, rate: float,
              *more: float) -> np.ndarray:
        """In g."""
        h, (delta,) = memory[0], more
        np.square(g, out=scratch)
        np.add(h, scratch, out=h)
        return _divided(g, h, delta, rate, scratch)


@op
class RmsPropUpdate(Update):
    """h = keep * h + take * g^2; W -= rate * g / (sqrt(h) + delta)."""

    name = "rmsprop_update"
    more = ("keep", "take", "delta")

    def value(self, g: np.ndarray, memory: Sequence[np.ndarray], scratch: np.ndarray, rate: float,
              *more: float) -> np.ndarray:
        """In g."""
        h, (keep, take, delta) = memory[0], more
        _mean_square(h, g, keep, take, scratch)
        return _divided(g, h, delta, rate, scratch)


@op
class AdaDeltaUpdate(Update):
    """h1 and h2 follow the squares of g and of u = g * sqrt((h2 + delta) / (h1 + delta)); W -= rate * u."""

    name = "adadelta_update"
    memories = 2
    more = ("keep", "take", "delta")
    inplace = ((0, 0), (1, 1), (2, 2), (3, 3), (5, 4))

    def value(self, g: np.ndarray, memory: Sequence[np.ndarray], scratch: np.ndarray, rate: float,
              *more: float) -> np.ndarray:
        """In g."""
        (h1, h2), (keep, take, delta) = memory, more
        _mean_square(h1, g, keep, take, scratch)
        np.add(h2, delta, out=scratch)                         # two roots: the quotient would need one more array
        np.sqrt(scratch, out=scratch)
        np.multiply(g, scratch, out=g)
        np.add(h1, delta, out=scratch)
        np.sqrt(scratch, out=scratch)
        np.divide(g, scratch, out=g)
        _mean_square(h2, g, keep, take, scratch)
        np.multiply(g, rate, out=g)
        return g


@op
class AdamUpdate(Update):
    """h1 and h2 follow g and its square; W -= rate * h1 / (sqrt(h2) + delta)."""

    name = "adam_update"
    memories = 2
    more = ("keep", "take", "keep2", "take2", "delta")
    inplace = ((0, 0), (1, 1), (2, 2), (3, 3), (5, 4))

    def value(self, g: np.ndarray, memory: Sequence[np.ndarray], scratch: np.ndarray, rate: float,
              *more: float) -> np.ndarray:
        """In g."""
        (m, v), (keep, take, keep2, take2, delta) = memory, more
        _mean_square(v, g, keep2, take2, scratch)
        np.multiply(g, take, out=g)
        np.multiply(m, keep, out=m)
        np.add(m, g, out=m)
        np.copyto(g, m)
        return _divided(g, v, delta, rate, scratch)


def _mean_square(h: np.ndarray, values: np.ndarray, keep: float, take: float, scratch: np.ndarray) -> None:
    """h = keep * h + take * values^2."""
    np.square(values, out=scratch)
    np.multiply(scratch, take, out=scratch)
    np.multiply(h, keep, out=h)
    np.add(h, scratch, out=h)


def _divided(values: np.ndarray, h: np.ndarray, delta: float, rate: float, scratch: np.ndarray) -> np.ndarray:
    """values = rate * values / (sqrt(h) + delta)."""
    np.sqrt(h, out=scratch)
    np.add(scratch, delta, out=scratch)
    np.divide(values, scratch, out=values)
    np.multiply(values, rate, out=values)
    return values
