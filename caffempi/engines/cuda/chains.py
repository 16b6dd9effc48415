"""Chains of ops that are run as one: what the table calls them, and what the plan is told of them."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from caffempi.engines.base import Call, Pattern
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.graph import Node
from caffempi.ops.shapes import canonical_axis


def key_of(call: Call) -> str:
    """The call's name in the table: its op, or of a fused chain its ops joined by "+"."""
    return "+".join(call.attrs.ops) if isinstance(call.attrs, FusedAttrs) else call.op


def head_of(call: Call) -> Call:
    """The first op of a fused chain, with all that the chain reads; any other call as it is."""
    return call._replace(op=call.attrs.ops[0], attrs=call.attrs.attrs[0]) if isinstance(call.attrs, FusedAttrs) else call


def patterns(names: Iterable[str]) -> tuple[Pattern, ...]:
    """One for each chain among the names of the table."""
    return tuple(Pattern(tuple(name.split("+")), fusable) for name in names if "+" in name)


def fusable(nodes: Sequence[Node]) -> bool:
    """Whether what follows the first op goes channel by channel, and ReLUs cut at 0; of sums, those of two."""
    shape = nodes[0].outs[0].spec.shape
    if nodes[0].op == "sum" and len(nodes[0].ins) != 2:
        return False
    for n in nodes[1:]:
        if n.op == "relu" and n.attrs.slope:
            return False
        if n.op in ("scale", "bias") and not (len(shape) > 1 and n.ins[1].spec.shape == (shape[1],)
                                              and canonical_axis(n.attrs.axis, len(shape)) == 1):
            return False
    return True
