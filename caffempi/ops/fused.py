"""A chain of ops run as one: each part reads the part before as its first in. Made by the plan, never by layers.

The definition runs the parts one after another; an engine that declared the pattern runs them in one kernel.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, get_op, nbytes, op
from caffempi.ops.philox import Rng


@dataclass(frozen=True)
class FusedAttrs:
    """ops, attrs: of the parts in order. counts: how many ins each part reads from outside (the first: all of its ins)."""

    ops: tuple[str, ...]
    attrs: tuple[Any, ...]
    counts: tuple[int, ...]


@op
class Fused(Op):
    """parts[n](...parts[1](parts[0](ins...), ...)...)."""

    name = "fused"
    grad = "none"

    def infer(self, attrs: FusedAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The last part's outs."""
        return self._chain(attrs, list(ins))[-1][2]

    def inner(self, attrs: FusedAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """Specs of what each part but the last hands on."""
        return [out[0] for _, _, out, _ in self._chain(attrs, list(ins))[:-1]]

    def saved(self, attrs: FusedAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """What all parts leave, in order."""
        return [s for name, a, out, given in self._chain(attrs, list(ins)) for s in get_op(name).saved(a, given, out)]

    def forward(self, attrs: FusedAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """Part after part; the middles are temporary. The state is that of the one part that keeps any."""
        taken = kept = 0
        last = len(attrs.ops) - 1
        before: list[np.ndarray] = []
        for i, (name, a, n) in enumerate(zip(attrs.ops, attrs.attrs, attrs.counts, strict=True)):
            rule = get_op(name)
            given = [*before, *ins[taken:taken + n]]
            taken += n
            specs = [Spec(x.shape, str(x.dtype)) for x in given]
            out = rule.infer(a, specs)
            leaves = len(rule.saved(a, specs, out))
            made = list(outs) if i == last else [np.empty(s.shape, s.dtype) for s in out]
            rule.forward(a, given, made, saved[kept:kept + leaves], state if "state" in rule.effects else (), rng)
            kept += leaves if saved else 0
            before = made[:1]

    def cost(self, attrs: FusedAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """That of the parts, but no middle is written and read again."""
        chain = self._chain(attrs, list(ins))
        parts = [get_op(name).cost(a, given, out) for name, a, out, given in chain]
        middles = nbytes([out[0] for _, _, out, _ in chain[:-1]])
        return sum(flops for flops, _ in parts), sum(moved for _, moved in parts) - 2 * middles

    def _chain(self, attrs: FusedAttrs, ins: list[Spec]) -> list[tuple[str, Any, list[Spec], list[Spec]]]:
        """Per part: op, attrs, outs, ins."""
        chain: list[tuple[str, Any, list[Spec], list[Spec]]] = []
        taken = 0
        for name, a, n in zip(attrs.ops, attrs.attrs, attrs.counts, strict=True):
            given = ([chain[-1][2][0]] if chain else []) + ins[taken:taken + n]
            taken += n
            chain.append((name, a, get_op(name).infer(a, given), given))
        return chain
