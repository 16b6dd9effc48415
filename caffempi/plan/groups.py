"""The alias pass: which values are one buffer, and where backward needs a copy of something that is overwritten.

Always one buffer: a param's uses; the gradients of one param; an alias op's in and outs; all versions of an observed blob,
and all diffs of one. With the pass on, in-place ops share elsewhere too, where nobody reads the value again.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from caffempi.ops.graph import Graph, Node, Value
from caffempi.ops.op import get_op


class Groups:
    """Disjoint sets of value ids."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def of(self, v: Value) -> int:
        """The set's representative."""
        i = v.id
        while len(self._parent) <= i:
            self._parent.append(len(self._parent))
        while self._parent[i] != i:
            self._parent[i] = self._parent[self._parent[i]]
            i = self._parent[i]
        return i

    def join(self, values: Iterable[Value]) -> None:
        """Makes them one set."""
        first: int | None = None
        for v in values:
            root = self.of(v)
            if first is None:
                first = root
            elif root != first:
                self._parent[root] = first


def fixed_groups(graph: Graph, forward: Sequence[Node], backward: Sequence[Node], observed: set[str]) -> Groups:
    """The sharing that Caffe's semantics ask for."""
    groups = Groups(len(graph.values))
    uses: dict[object, list[Value]] = defaultdict(list)
    for v in graph.values:
        if v.param is not None:
            uses[v.param, v.kind == "grad"].append(v)
        elif v.blob in observed:
            uses[v.blob, v.kind in ("grad", "seed")].append(v)
    for same in uses.values():
        groups.join(same)
    for n in [*forward, *backward]:
        if get_op(n.op).alias:
            groups.join([n.ins[0], *n.outs])
    return groups


def share_overwritten(groups: Groups, graph: Graph, forward: Sequence[Node], observed: set[str]) -> None:
    """Where a layer in place writes a blob that is one memory with others, as tops of Split, Flatten and Reshape are, and one
    of those is read or seen later, it writes them too, as in Caffe."""
    made = {v.id: at for at, n in enumerate(forward) for v in n.outs}
    shared: dict[int, list[Value]] = defaultdict(list)
    for n in forward:
        if get_op(n.op).alias:
            shared[groups.of(n.ins[0])] += [n.ins[0], *n.outs]
    read = {v.id: at for at, n in enumerate(forward) for v in n.ins}
    for name, versions in graph.blobs.items():
        for old, new in pairwise(versions):
            if groups.of(old) != groups.of(new) and any(
                    v.blob != name and (read.get(v.id, -1) > made.get(new.id, -1) or v.blob in observed)
                    for v in shared.get(groups.of(old), ())):
                together = [*shared.pop(groups.of(old)), new, *shared.pop(groups.of(new), ())]
                groups.join(together)
                shared[groups.of(new)] = together


def share_in_place(groups: Groups, graph: Graph, forward: Sequence[Node], backward: Sequence[Node], observed: set[str],
                   kept: set[int]) -> int:
    """Lets in-place ops write over an in that nobody reads again; returns how many do. kept: value ids left alone."""
    order = [*forward, *backward]
    last_read: dict[int, int] = {}                             # group -> index of its last reader
    pinned: set[int] = {groups.of(v) for v in graph.values
                        if v.id in kept or v.blob in observed or v.param is not None or v.kind in ("in", "seed", "state")}
    for at, n in enumerate(order):
        for v in n.ins:
            last_read[groups.of(v)] = at
    shared = 0
    for at, n in enumerate(order):
        rule = get_op(n.op)
        for i, o in rule.inplace:
            a, b = groups.of(n.ins[i]), groups.of(n.outs[o])
            others = {groups.of(v) for k, v in enumerate(n.ins) if k != i}
            if a == b or a in pinned or b in pinned or a in others or last_read.get(a, -1) > at:
                continue
            end = max(last_read.get(a, -1), last_read.get(b, -1))
            groups.join([n.ins[i], n.outs[o]])
            last_read[groups.of(n.outs[o])] = end
            shared += 1
            break
    return shared


def share_copies(groups: Groups, graph: Graph, forward: Sequence[Node], backward: Sequence[Node], observed: set[str]) -> int:
    """Lets copies of gradients share the memory of what they copy, where each of the two is written only after the other has
    been read for the last time; returns how many do."""
    order = [*forward, *backward]
    fixed = {groups.of(v) for v in graph.values
             if v.param is not None or v.blob in observed or v.kind in ("in", "seed", "state")}
    read: dict[int, int] = {}                                  # group -> index of its last reader
    written: dict[int, list[int]] = defaultdict(list)          # group -> indices of its writers
    for at, n in enumerate(order):
        for v in n.ins:
            read[groups.of(v)] = at
        if not get_op(n.op).alias:
            for v in n.outs:
                written[groups.of(v)].append(at)
    shared = 0
    for at, n in enumerate(order):
        if n.op != "copy":
            continue
        a, b = groups.of(n.ins[0]), groups.of(n.outs[0])
        if a == b or a in fixed or b in fixed or n.outs[0].kind != "grad" or any(w < at for w in written[b]):
            continue
        ends = read.get(a, -1), read.get(b, -1)
        if any(at < w <= ends[1] for w in written[a]) or any(at < w <= ends[0] for w in written[b]):
            continue
        groups.join([n.ins[0], n.outs[0]])
        root = groups.of(n.ins[0])
        read[root] = max(ends)
        written[root] = sorted(w for w in [*written[a], *written[b]] if w != at)
        shared += 1
    return shared


def save_overwritten(groups: Groups, graph: Graph, forward: list[Node], backward: list[Node]) -> int:
    """Where backward reads a value that a later forward node overwrites, keeps a copy for it; returns how many.

    The copy is made within the layer that reads it: before the layer's own overwriting, or after the layer made the value.
    """
    writes: dict[int, list[int]] = defaultdict(list)           # group -> indices of the nodes that write it
    made: dict[int, int] = {}                                  # value -> index of its node; alias outs as what they alias
    for at, n in enumerate(forward):
        alias = get_op(n.op).alias
        for v in n.outs:
            made[v.id] = made.get(n.ins[0].id, -1) if alias else at
            if not alias:
                writes[groups.of(v)].append(at)
    first: dict[int, int] = {}
    for at, n in enumerate(forward):
        first.setdefault(n.layer, at)
    copies: dict[tuple[int, int], Value] = {}
    inserts: list[tuple[int, Node]] = []
    for n in backward:
        ins = list(n.ins)
        for k, v in enumerate(ins):
            if v.kind not in ("act", "in") or not any(w > made.get(v.id, -1) for w in writes[groups.of(v)]):
                continue
            key = v.id, n.layer
            if key not in copies:
                copy = graph.value(v.spec, "saved", like=v)
                at = made.get(v.id, -1)
                here = at >= 0 and forward[at].layer == n.layer
                inserts.append((at + 1 if here else first[n.layer],
                                Node("copy", None, (v,), (copy,), n.layer, (), (), n.where)))
                copies[key] = copy
            ins[k] = copies[key]
        n.ins = tuple(ins)
    for at, node in sorted(inserts, key=lambda pair: -pair[0]):
        forward.insert(at, node)
    return len(inserts)


def guard_gradients(groups: Groups, graph: Graph, backward: list[Node]) -> int:
    """Where a node overwrites a gradient that a later node of its layer still reads, lets it run after that reader.

    If something in between needs its result, the reader gets a copy instead. Returns how many copies were made.
    """
    made: dict[int, int] = {v.id: at for at, n in enumerate(backward) for v in n.outs}
    copies, at = 0, 0
    while at < len(backward):
        n = backward[at]
        if n.op == "copy" and groups.of(n.ins[0]) == groups.of(n.outs[0]):
            at += 1
            continue
        hit = [(j, v) for j in range(at + 1, len(backward)) if backward[j].layer == n.layer for v in backward[j].ins
               if v.kind in ("grad", "seed") and made.get(v.id, -1) < at and any(
                   groups.of(v) == groups.of(w) and v is not w for w in n.outs) and not get_op(n.op).alias]
        if not hit:
            at += 1
            continue
        last = hit[-1][0]
        waits = {v.id for v in n.outs}
        if any(v.id in waits for m in backward[at + 1:last + 1] for v in m.ins):
            kept: dict[int, Value] = {}
            for j, v in hit:
                if v.id not in kept:
                    kept[v.id] = graph.value(v.spec, "grad", like=v.like)
                backward[j].ins = tuple(kept[v.id] if u is v else u for u in backward[j].ins)
            backward[at:at] = [Node("copy", None, (v,), (kept[v.id],), n.layer, (), (), n.where)
                               for v in {v.id: v for _, v in hit}.values()]
            copies += len(kept)
        else:
            backward.insert(last, backward.pop(at))
        made = {v.id: i for i, m in enumerate(backward) for v in m.outs}
    return copies
