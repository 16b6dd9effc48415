"""The chains of ops that the table runs as one, as the plan is told of them."""
from __future__ import annotations

from collections.abc import Sequence

from caffempi.engines.base import Pattern
from caffempi.engines.cuda.kernels import RULES
from caffempi.ops.graph import Node
from caffempi.ops.shapes import canonical_axis


def patterns() -> tuple[Pattern, ...]:
    """One for each chain in the table."""
    return tuple(Pattern(tuple(name.split("+")), fusable) for name in RULES.names() if "+" in name)


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
