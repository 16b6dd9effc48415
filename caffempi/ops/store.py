"""Handing blobs to something outside that keeps them: what HDF5Output does.

Ins: arrays of any shapes that agree in the length of their first axis. No outs; no gradient flows back.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from caffempi.errors import ShapeError
from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


@dataclass(frozen=True)
class StoreAttrs:
    """target: where it goes, for messages and digests; write(arrays) takes them, and copies what it keeps."""

    target: str
    write: Callable[[Arrays], None] = field(repr=False)


@op
class Store(Op):
    """attrs.write(ins), once a run."""

    name = "store"
    effects = frozenset({"host"})
    grad = "none"

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """Nothing. Raises ShapeError where the ins do not hold equally many items."""
        if len({s.shape[:1] for s in ins}) > 1:
            raise ShapeError(f"the bottoms {' and '.join(text(s.shape) for s in ins)} do not hold equally many items")
        return []

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """See the module."""
        attrs.write(ins)
