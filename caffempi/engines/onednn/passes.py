"""Formulas as several primitives, one after another on a few images at a time, so that what they hand on stays in cache.

A chain of element-wise steps is one primitive: a binary operation on rows with post-ops. Its first step takes the larger of the
source and itself, since the library's element-wise primitive has no post-ops with a second operand.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.engines.base import Kernel, Operands
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import DST, MAXIMUM, SRC, SRC_1, post_operand
from caffempi.engines.onednn.layouts import OneDnnKernel, Prepared, Slot, in_order
from caffempi.engines.onednn.primitives import MemoryDesc

_PIECE = 1 << 19                                               # bytes of an operand that are worked on at a time
_ALIGN = 64

Where = tuple[str, int]
"""An operand: (kind, place). Kinds are those of Operands; 'temps', handed on within a piece; and 'fixed', constants."""


def pieces_of(images: int, nbytes: int) -> int:
    """Into how many equal pieces to cut so many images of nbytes in all."""
    return next(n for n in range(1, images + 1) if images % n == 0 and (nbytes // n <= _PIECE or n == images))


def chain(lib: Library, row: MemoryDesc, source: Where, dst: Where, *steps: tuple[Any, ...]) -> Prepared:
    """dst = the source after the steps: (algorithm, second operand) of binary ones, (algorithm, alpha, beta) of others.

    A first step that is binary is the primitive itself.
    """
    head, rest = (MAXIMUM, source), steps
    if len(steps[0]) == 2:
        head, rest = steps[0], steps[1:]
    posts = [(s[0], row) if len(s) == 2 else s for s in rest]
    desc = lib.describe("binary", head[0], row, row, row, attr=lib.after(*posts) if posts else None)
    seconds = [Slot(post_operand(i), *s[1]) for i, s in enumerate(rest) if len(s) == 2]
    return Prepared(desc, (Slot(SRC, *source), Slot(SRC_1, *head[1]), Slot(DST, *dst), *seconds))


@dataclass(frozen=True)
class Passes:
    """Payload: `parts` one after another on each of `pieces` equal parts of the operands.

    temps: bytes of each temporary array. fixed: make the constants.
    """

    parts: tuple[Prepared, ...]
    pieces: int
    temps: tuple[int, ...] = ()
    fixed: tuple[Callable[[], np.ndarray], ...] = ()

    @property
    def impl(self) -> str:
        """The names of the parts."""
        return " ".join(p.impl for p in self.parts)

    @property
    def scratch(self) -> int:
        """Bytes of scratch memory: the temporary arrays, then what the hungriest part wants."""
        return sum(map(_whole, self.temps)) + max(p.desc.scratch for p in self.parts)

    def compile(self) -> Kernel:
        """See PassesKernel."""
        return PassesKernel(self)


class PassesKernel:
    """Runs the parts on piece after piece."""

    def __init__(self, made: Passes) -> None:
        self._made = made
        self._kernels = [OneDnnKernel(p) for p in made.parts]
        self._fixed = [make() for make in made.fixed]

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """The operands are cut as they lie; all of them have the images outermost."""
        count, at, temps = self._made.pieces, 0, []
        for nbytes in self._made.temps:
            assert ptrs.scratch is not None
            temps.append(ptrs.scratch[at:at + nbytes])
            at += _whole(nbytes)
        scratch = None if ptrs.scratch is None else ptrs.scratch[at:]
        calls: list[Callable[[], None]] = []
        for k in range(count):
            ins, outs, saved = (_cut(arrays, k, count) for arrays in (ptrs.ins, ptrs.outs, ptrs.saved))
            piece = Operands(ins, outs, saved, scratch=scratch)
            calls += [kernel.bind(piece, temps=temps, fixed=self._fixed) for kernel in self._kernels]
        return in_order(calls)


def _whole(nbytes: int) -> int:
    return -(-nbytes // _ALIGN) * _ALIGN


def _cut(arrays: Sequence[np.ndarray], k: int, count: int) -> tuple[np.ndarray, ...]:
    flat = [a.reshape(-1) for a in arrays]
    return tuple([a[a.size // count * k:a.size // count * (k + 1)] for a in flat])
