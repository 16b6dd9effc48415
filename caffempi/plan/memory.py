"""The memory pass: when each buffer is in use, and where in one arena it lies meanwhile.

Time is a place in the order of steps, forward before backward. A buffer is in use from the first step that touches it to the
last; two that are in use at once never overlap. What outside code may look into, what keeps its content from run to run and
what another binding may go on reading has memory of its own; see `settle_owners`.
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from caffempi.ops.op import get_op
from caffempi.plan.buffers import Buffer, Draft
from caffempi.plan.plan import Plan

ALIGN = 64
_WASTE = 1.02                                                   # of the least possible, before a second way is tried


def touched(d: Draft) -> list[Buffer]:
    """The buffers that a step reads or writes; wholes for their parts."""
    found = [r.buffer for r in d.ins]
    found += [r.buffer for r in d.outs]
    if d.saved or d.state:
        found += [r.buffer for r in (*d.saved, *d.state)]
    if d.scratch is not None:
        found.append(d.scratch)
    return [b.parent or b for b in found]


def find_lifetimes(order: Sequence[Draft]) -> list[Buffer]:
    """Sets first and last of all buffers touched, which are returned. What is read before it is written keeps its content from
    an earlier run: it becomes `owned`."""
    found: list[Buffer] = []
    for at, d in enumerate(order):
        for b in touched(d):
            if b.first < 0:
                b.first = at
                b.owned = b.owned or b in [r.buffer.parent or r.buffer for r in (*d.ins, *d.state)]
                found.append(b)
            b.last = at
    return found


def settle_owners(plan: Plan, order: Sequence[Draft], forward: int, buffers: Iterable[Buffer]) -> None:
    """Makes owned what must not lie in the arena. forward: how many of the steps are forward ones.

    Where all blobs are observed any range of layers may run, so only what a single layer uses in one direction stays
    unowned. Where a dynamic node may send the run on to another binding, that binding must find what the nodes before have
    left: what nodes on both sides use, and reordered copies, which the other binding may use in another way.
    """
    if "memory" in plan.off:
        for b in buffers:
            b.owned = True
        return
    changes = [at for at, d in enumerate(order[:forward]) if d.phase == "F" and d.node is not None and
               "dynamic" in get_op(d.node.op).effects]
    last = max(changes, default=-1)
    crossing = _crossing(plan)
    for b in buffers:
        if b.owned:
            continue
        if plan.observes_all:
            b.owned = order[b.first].layer != order[b.last].layer or (b.first < forward) != (b.last < forward)
        if any(b.first < at <= b.last for at in changes):
            b.owned = True
        elif b.kind == "copy":
            b.owned |= b.first < last
        else:
            b.owned |= b.key in crossing


def _crossing(plan: Plan) -> set[int]:
    """Groups of values that nodes before a dynamic node use and that node, or later ones, too: whatever the shapes are."""
    of, nodes = plan.groups.of, [*plan.forward, *plan.backward]
    changes = [at for at, n in enumerate(plan.forward) if "dynamic" in get_op(n.op).effects]
    if not changes:
        return set()
    first: dict[int, int] = {}
    found: set[int] = set()
    for at, n in enumerate(nodes):
        for v in (*n.ins, *n.outs, *n.saved, *n.state):
            start = first.setdefault(of(v), at)
            if any(start < change <= at for change in changes):
                found.add(of(v))
    return found


def place(buffers: Sequence[Buffer]) -> int:
    """Gives each buffer its offset; returns the bytes of the arena.

    In order of time, into the lowest gap that is large enough: what was freed a moment ago, and is still in the caches, tends
    to be there. Where that wastes more than 2 % over what is in use at once, the largest first, if that is better.
    """
    size = _in_time(buffers)
    if size > _WASTE * usage(buffers)[0]:
        kept = [b.offset for b in buffers]
        other = _largest_first(buffers)
        if other < size:
            return other
        for b, offset in zip(buffers, kept, strict=True):
            b.offset = offset
    return size


def usage(buffers: Iterable[Buffer]) -> tuple[int, int]:
    """The most bytes that are in use at once, and the first step at which they are: no arena can be smaller."""
    change: dict[int, int] = {}
    for b in buffers:
        change[b.first] = change.get(b.first, 0) + _room(b)
        change[b.last + 1] = change.get(b.last + 1, 0) - _room(b)
    now = most = when = 0
    for at in sorted(change):
        now += change[at]
        if now > most:
            most, when = now, at
    return most, when


def _room(b: Buffer) -> int:
    return -(-b.nbytes // ALIGN) * ALIGN


def _in_time(buffers: Sequence[Buffer]) -> int:
    """First fit, in order of first use; gaps: (offset, bytes) in order, none beside another or at the end."""
    gaps: list[tuple[int, int]] = []
    end = most = 0
    leaving = sorted(buffers, key=lambda b: b.last)
    gone = 0
    for b in sorted(buffers, key=lambda b: (b.first, -b.last, -b.nbytes)):
        while leaving[gone].last < b.first:
            end = _free(gaps, leaving[gone], end)
            gone += 1
        room = _room(b)
        for k, (offset, size) in enumerate(gaps):
            if size >= room:
                b.offset = offset
                gaps[k:k + 1] = [(offset + room, size - room)] if size > room else []
                break
        else:
            b.offset = end
            end += room
            most = max(most, end)
    return most


def _free(gaps: list[tuple[int, int]], b: Buffer, end: int) -> int:
    """Adds the buffer's place to the gaps; returns where what is in use ends then."""
    assert b.offset is not None
    offset, size = b.offset, _room(b)
    if not size:
        return end
    k = bisect_left(gaps, (offset,))
    if k < len(gaps) and gaps[k][0] == offset + size:
        size += gaps.pop(k)[1]
    if k and sum(gaps[k - 1]) == offset:
        k -= 1
        offset, before = gaps.pop(k)
        size += before
    if offset + size == end:
        return offset
    gaps.insert(k, (offset, size))
    return end


def _largest_first(buffers: Sequence[Buffer]) -> int:
    """The largest first, each at the lowest place that is free as long as it is in use."""
    done: list[tuple[int, int, int, int]] = []                 # offset, end, first, last
    for b in sorted(buffers, key=lambda b: (-b.nbytes, b.first)):
        at, room = 0, _room(b)
        for lo, hi, first, last in done:                       # in order of offset
            if first <= b.last and b.first <= last and room:
                if lo - at >= room:
                    break
                at = max(at, hi)
        b.offset = at
        done.insert(bisect_left(done, (at,)), (at, at + room, b.first, b.last))
    return max((hi for _, hi, _, _ in done), default=0)
