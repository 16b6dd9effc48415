"""Passes that change the list of nodes: prune what nobody needs, accumulate instead of summing, fuse declared chains.

Each takes the nodes and says in a line what it did; each can be left out (`--no-pass NAME`) without changing a number
beyond rounding.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from caffempi.engines.base import Pattern
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.graph import Graph, Node, Value
from caffempi.ops.op import get_op


def prune(graph: Graph, forward: list[Node], backward: list[Node], observed: set[str]) -> str:
    """Drops backward nodes whose outs nobody reads and nobody sees, and what forward saves for no reader."""
    read = Counter(v.id for n in backward for v in n.ins)
    kept: list[Node] = []
    for n in reversed(backward):
        if any(read[v.id] or v.param is not None or v.blob in observed for v in n.outs):
            kept.append(n)
        else:
            read.subtract(v.id for v in n.ins)
    dropped, backward[:] = len(backward) - len(kept), kept[::-1]
    needless = 0
    for n in forward:
        if n.saved and not any(read[v.id] for v in n.saved):
            n.saved, needless = (), needless + 1
    return f"{dropped} backward nodes dropped, {needless} nodes save nothing"


def accumulate(backward: list[Node], observed: set[str]) -> tuple[list[tuple[Value, list[Value]]], str]:
    """Replaces sums of gradients by adding into one buffer: (sum, its parts in order of writing) for each one replaced.

    A part that is such a sum itself stands for its own parts: in one buffer only the very first of all may overwrite.
    """
    maker = {v.id: (at, n) for at, n in enumerate(backward) for v in n.outs}
    turn = {v.id: k for k, v in enumerate(v for n in backward for v in n.outs)}
    read = Counter(v.id for n in backward for v in n.ins)
    done: dict[int, tuple[Value, list[Value]]] = {}
    gone: set[int] = set()
    for at, n in enumerate(backward):
        if n.op != "sum" or len({v.id for v in n.ins}) != len(n.ins):
            continue
        parts = [maker.get(v.id) for v in n.ins]
        fits = all(p is not None and read[v.id] == 1 and v.kind == "grad" and v.param is None and v.blob not in observed
                   and not get_op(p[1].op).alias for p, v in zip(parts, n.ins, strict=True))
        if fits:
            leaves = [leaf for v in n.ins for leaf in (done.pop(v.id)[1] if v.id in done else [v])]
            done[n.outs[0].id] = n.outs[0], sorted(leaves, key=lambda v: turn[v.id])
            gone.add(at)
    backward[:] = [n for at, n in enumerate(backward) if at not in gone]
    return list(done.values()), f"{len(gone)} sums became additions in place"


def fuse(graph: Graph, forward: list[Node], backward: Sequence[Node], observed: set[str],
         patterns: Sequence[Pattern]) -> str:
    """Rewrites chains that the engine declared, where nothing else reads and nobody sees the middle."""
    read = Counter(v.id for n in [*forward, *backward] for v in n.ins)
    newest = {name: versions[-1].id for name, versions in graph.blobs.items()}
    reader = {v.id: n for n in forward for v in n.ins}
    done = 0
    for pattern in sorted(patterns, key=lambda p: -len(p.ops)):
        for n in list(forward):
            chain = [n]
            while len(chain) < len(pattern.ops) and chain[-1].op == pattern.ops[len(chain) - 1]:
                middle = chain[-1].outs[0]
                seen = middle.blob in observed and newest[middle.blob or ""] == middle.id
                after = reader.get(middle.id)
                if seen or read[middle.id] != 1 or len(chain[-1].outs) != 1 or after is None or after.ins[0] is not middle:
                    break
                chain.append(after)
            if tuple(m.op for m in chain) != pattern.ops or not pattern.allowed(chain) or _state_in_use(forward, chain):
                continue
            rest = [v for i, m in enumerate(chain) for v in (m.ins[1:] if i else m.ins)]
            attrs = FusedAttrs(pattern.ops, tuple(m.attrs for m in chain),
                               tuple(len(m.ins) - (1 if i else 0) for i, m in enumerate(chain)))
            saved = tuple(v for m in chain for v in m.saved)
            last = chain[-1]
            at = forward.index(last)
            state = tuple(v for m in chain for v in m.state)
            forward[at] = Node("fused", attrs, tuple(rest), last.outs, n.layer, saved, state, n.where,
                               tuple(m.outs[0] for m in chain[:-1]))
            for m in chain[:-1]:
                forward.remove(m)
            done += 1
    return f"{done} chains fused"


def _state_in_use(forward: Sequence[Node], chain: Sequence[Node]) -> bool:
    """Whether a chain must stay apart for what it keeps between runs: the chain runs where its last part did, so nobody in
    between may read or change the same statistics, and only one part, and only statistics, can be handed on."""
    keeping = [m for m in chain if m.state]
    if not keeping:
        return False
    if len(keeping) > 1 or any(v.kind != "stat" for v in keeping[0].state):
        return True
    own = {v.param for v in keeping[0].state}
    between = forward[forward.index(chain[0]) + 1:forward.index(chain[-1])]
    return any(v.param in own for m in between if m not in chain for v in (*m.ins, *m.state))
