"""Code of the user's own as an op: a Python layer's object, which the attributes carry.

The code runs in `actual`, before memory for its outs is bound, since it alone decides their shapes, and may do so as late
as in its forward; the op's own forward copies what it left. Its gradient is what its backward says.
Ins: the bottoms, then the layer's blobs. Outs: the tops. Shapes: whatever the code gives them.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


class Host(Protocol):
    """Holds a Python layer's object and runs its methods."""

    def shapes(self, bottoms: Sequence[Spec]) -> list[Spec]:
        """The tops' specs for bottoms of those specs, as far as they can be told without data."""

    def forward(self, bottoms: Arrays, blobs: Arrays) -> list[Spec]:
        """Runs the code on the arrays and keeps its tops; returns their specs."""

    def tops(self) -> list[np.ndarray]:
        """What the last forward left."""

    def backward(self, bottoms: Arrays, blobs: Arrays, tops: Arrays, douts: Arrays, down: Sequence[bool]) -> list[np.ndarray]:
        """Runs the code's backward; the gradient of each bottom and each blob. down: which bottoms want theirs."""


@dataclass(frozen=True)
class PythonAttrs:
    """code: module and class; param_str: its text; in_place: for each bottom, whether the top of its number is the same
    blob (the code then finds the top's values in the bottom when it runs backward)."""

    code: str
    param_str: str
    in_place: tuple[bool, ...]
    host: Host = field(repr=False)


@dataclass(frozen=True)
class PythonDxAttrs:
    """need: for each in of the forward op, whether its gradient is an out."""

    of: PythonAttrs
    need: tuple[bool, ...]


@op
class Python(Op):
    """tops from bottoms and blobs, by code from outside."""

    name = "python"
    effects = frozenset({"host", "dynamic"})
    grad = "declared"

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """What the code says now; `actual` has the last word. Raises CodeError where the code fails."""
        return attrs.host.shapes(ins[:len(attrs.in_place)])

    def actual(self, attrs: Any, ins: Arrays) -> list[Spec]:
        """Runs the code. Raises CodeError where it fails."""
        bottoms = len(attrs.in_place)
        return attrs.host.forward(ins[:bottoms], ins[bottoms:])

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """Copies the tops that `actual` left."""
        for out, top in zip(outs, attrs.host.tops(), strict=True):
            np.copyto(out, top)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """python_dx for all ins that want a gradient at once."""
        attrs = node.attrs
        bottoms = [node.outs[i] if same else node.ins[i] for i, same in enumerate(attrs.in_place)]
        ins = [*bottoms, *node.ins[len(bottoms):], *node.outs, *(d for d in douts if d is not None)]
        like = [v for v, wants in zip(node.ins, need, strict=True) if wants]
        grads = iter(g.emit_grad("python_dx", PythonDxAttrs(attrs, tuple(need)), ins, like))
        return [next(grads) if wants else None for wants in need]

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Nobody knows what the code computes; what goes in and comes out is counted as bytes."""
        return 0, super().cost(attrs, ins, outs)[1]


@op
class PythonDx(Op):
    """Gradients of the ins in need from bottoms, blobs, tops and the tops' gradients."""

    name = "python_dx"
    effects = frozenset({"host"})
    grad = "none"

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """The shapes of the ins that the gradients belong to."""
        return [spec for spec, wants in zip(ins, attrs.need, strict=False) if wants]

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """Runs the code's backward. Raises CodeError where it fails."""
        b, n = len(attrs.of.in_place), len(attrs.need)
        t = (len(ins) - n) // 2
        grads = attrs.of.host.backward(ins[:b], ins[b:n], ins[n:n + t], ins[n + t:], attrs.need[:b])
        for out, grad in zip(outs, (g for g, wants in zip(grads, attrs.need, strict=True) if wants), strict=True):
            np.copyto(out, grad)

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """As of the forward op."""
        return 0, super().cost(attrs, ins, outs)[1]
