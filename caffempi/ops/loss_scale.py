"""Loss scaling: gradients are computed of s times the loss, so that small ones do not vanish in 16 bits.

scale_seed   y = x s                                             x: the diff of a loss top, any shape; s: the factor, ()
nonfinite    flags become NaN where a gradient is not finite     a (n,), flags (k,) -> flags
loss_scale   what follows from the flags for the update and for s

Of nonfinite at least one flag becomes NaN where an element of a is not finite, else all keep what they hold; it is exact: large
numbers are finite.

loss_scale: ins and outs flags (k,), own (k,), s (), tally (4,), terms (runs, m). The first column of terms is the factor that
an update takes its gradients times (see `update.py`). With every, lowest and highest of the attributes:

    all flags finite     terms[:, 0] = terms[:, 0] / s;  good = good + 1;  where good = every:  s = min(2 s, highest), good = 0
    else                 terms[:, 0] = NaN, which makes updates skip;      s = max(s / 2, lowest), good = 0

A factor that is beyond a bound already is not moved towards it. tally: good; 1 where this step is skipped, else 0; s before the
step; 1 where a flag of `own` is NaN, else 0. flags and own are 0 afterwards.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.update import CHUNK, finite


@op
class ScaleSeed(Op):
    """y = x s; ins x, s; s is one number."""

    name = "scale_seed"
    grad = "none"

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """As x."""
        return [ins[0]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        with np.errstate(over="ignore"):                       # a factor that is too large shows in the gradients
            np.multiply(ins[0], ins[1], out=outs[0])

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """One product an element."""
        return ins[0].count, nbytes([*ins, *outs])


@op
class Nonfinite(Op):
    """Flags whether all elements of a flat array are finite."""

    name = "nonfinite"
    grad = "none"
    inplace = ((1, 0),)

    def infer(self, attrs: None, ins: Sequence[Spec]) -> list[Spec]:
        """The flags."""
        return [ins[1]]

    def forward(self, attrs: None, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        a, flags = ins[0], outs[0]
        if flags is not ins[1]:
            np.copyto(flags, ins[1])
        with np.errstate(over="ignore", invalid="ignore"):
            if not all(finite(a[lo:lo + CHUNK]) for lo in range(0, a.size, CHUNK)):
                flags[...] = np.nan

    def cost(self, attrs: None, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two operations an element; each is read once."""
        return 2 * ins[0].count, nbytes(ins[:1])


@dataclass(frozen=True)
class LossScaleAttrs:
    """every: steps without a skip after which the factor is doubled. lowest, highest: its bounds."""

    every: int = 2000
    lowest: float = 2.0 ** -16
    highest: float = 2.0 ** 24


@op
class LossScale(Op):
    """One step of the factor on the loss."""

    name = "loss_scale"
    grad = "none"
    inplace = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4))

    def infer(self, attrs: LossScaleAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As the ins."""
        return list(ins)

    def forward(self, attrs: LossScaleAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        for a, b in zip(ins, outs, strict=True):
            if a is not b:
                np.copyto(b, a)
        flags, own, factor, tally, terms = outs
        used, good = float(factor), float(tally[0]) + 1
        skipped = not np.isfinite(flags).all()
        tally[1:] = skipped, used, not np.isfinite(own).all()
        if skipped:
            terms[:, 0] = np.nan
            factor[...] = max(used / 2, attrs.lowest) if used > attrs.lowest else used
        else:
            terms[:, 0] /= used
            if good >= attrs.every:
                factor[...] = min(2 * used, attrs.highest) if used < attrs.highest else used
        tally[0] = 0 if skipped or good >= attrs.every else good
        flags[...] = own[...] = 0

    def cost(self, attrs: LossScaleAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A few operations."""
        return sum(s.count for s in ins), nbytes([*ins, *outs])
