"""One prebuilt call of a program, and buffers as arrays."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from caffempi.engines.base import PLAIN, Call, Layout
from caffempi.ops.graph import Node, Spec
from caffempi.ops.op import get_op
from caffempi.plan.buffers import Ref, size_of

MOVES = ("reorder", "pack", "copy", "add")
"""Phases of steps that compute nothing of the net's maths: they bring arrays into other layouts, or sum gradients."""


@dataclass
class Step:
    """One prebuilt call. phase: 'F', 'B', 'pack', 'reorder', 'copy', 'add', 'zero', 'shape' or 'fire'. layer: whose range it
    belongs to.

    kernel: the engine whose kernel it is; impl: that kernel's name of its code, where it tells one. stored: dtypes of operands
    that lie otherwise than as their Spec's, such as bfloat16. does: what it computes, where that is its node's op.
    host: gives the reason why the host has a part in the step, or None; None: it never has. between: of a step that only moves
    or adds arrays, what it reads and what it writes.
    """

    phase: str
    layer: int
    call: Callable[[], None]
    node: Node | None = None
    kernel: str = ""
    impl: str = ""
    stored: str = ""
    does: Call | None = None
    host: Callable[[], str | None] | None = None
    between: tuple[Ref, Ref] | None = None

    @property
    def cost(self) -> tuple[int, int]:
        """(floating-point operations, bytes) of what it does; (0, 0) where that is none of the maths."""
        return (0, 0) if self.does is None else get_op(self.does.op).cost(self.does.attrs, self.does.ins, self.does.outs)

    @property
    def moved(self) -> int:
        """Bytes that a step which only moves or adds arrays reads and writes; 0 of others."""
        if self.between is None:
            return 0
        source, target = (size_of(ref.spec, ref.layout) for ref in self.between)
        return source + target * (2 if self.phase == "add" else 1)


def plain_view(raw: np.ndarray, spec: Spec) -> np.ndarray:
    """The first bytes of a buffer as an array of that spec."""
    nbytes = spec.count * np.dtype(spec.dtype).itemsize
    return raw[:nbytes].view(spec.dtype).reshape(spec.shape)


def view(raw: np.ndarray, spec: Spec, layout: Layout) -> np.ndarray:
    """A buffer as a kernel of that layout sees it: shaped if plain, bytes otherwise."""
    return plain_view(raw, spec) if layout == PLAIN else raw[:layout.nbytes]
