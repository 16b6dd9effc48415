"""Parts of a whole as views of it: concatenations, their gradients and slices that need not copy anything.

Where the parts lie one behind another in the whole (axis 0, a batch of one, or 1s before the axis), each part's buffer becomes
a range of the whole's, and the step that would copy falls away. They then change together, so it is done only where nobody
can tell: no part is written while the whole is still read, nor the whole while a part is.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from caffempi.plan.buffers import Buffer, Draft, Ref, size_of
from caffempi.plan.memory import ALIGN

_SHARED = ("act", "grad", "copy", "temp")                      # kinds of buffers that may become a range of another


class _Events:
    """When a buffer is read and written: places in the order of steps."""

    def __init__(self) -> None:
        self.reads: list[int] = []
        self.writes: list[int] = []

    def last_read(self) -> int:
        """-1: never."""
        return max(self.reads, default=-1)

    def begins_with_a_write(self) -> bool:
        """Nothing of an earlier run is read."""
        return bool(self.writes) and self.writes[0] < min(self.reads, default=self.writes[0] + 1)

    def written_while(self, other: _Events, after: int) -> bool:
        """Whether it is written later than `after`, and the other is read later still."""
        return any(after < w <= other.last_read() for w in self.writes)


def share_parts(order: Sequence[Draft]) -> list[Draft]:
    """Gives parts their place in wholes (`Buffer.parent`, `Buffer.shift`); returns the steps that fall away."""
    found = [(at, d) for at, d in enumerate(order) if d.adjacent]
    if not found:
        return []
    events: dict[int, _Events] = defaultdict(_Events)
    for at, d in enumerate(order):
        for refs, name in ((d.ins, "reads"), (d.state, "reads"), (d.outs, "writes"), (d.saved, "writes"), (d.state, "writes")):
            for r in refs:
                getattr(events[id(r.buffer)], name).append(at)
    wholes: set[int] = set()
    gone = []
    for at, d in found:
        joins = len(d.outs) == 1
        whole, parts = (d.outs[0], d.ins) if joins else (d.ins[0], d.outs)
        if _fits(whole, parts) and id(whole.buffer) not in wholes and not any(id(p.buffer) in wholes for p in parts) and all(
                _unseen(events[id(whole.buffer)], events[id(p.buffer)], at, joins) for p in parts):
            wholes.add(id(whole.buffer))
            start = 0
            for p in parts:
                p.buffer.parent, p.buffer.shift = whole.buffer, start
                start += p.buffer.nbytes
            gone.append(d)
    return gone


def _fits(whole: Ref, parts: Sequence[Ref]) -> bool:
    """Whether these are whole buffers of their own, none part of another, that fill the whole from one aligned place to the
    next."""
    buffers: list[Buffer] = [r.buffer for r in (whole, *parts)]
    sizes = [size_of(r.spec, r.layout) for r in (whole, *parts)]
    return (len({id(b) for b in buffers}) == len(buffers)
            and all(b.kind in _SHARED and not b.owned and b.parent is None for b in buffers)
            and all(b.nbytes == n and n % ALIGN == 0 for b, n in zip(buffers[1:], sizes[1:], strict=True))
            and buffers[0].nbytes == sizes[0] == sum(sizes[1:]))


def _unseen(whole: _Events, part: _Events, at: int, joins: bool) -> bool:
    """Whether nobody can tell that the part is a range of the whole from the step at that place on, and before it."""
    later = part if joins else whole                           # exists before the step; the other begins with it
    other = whole if joins else part
    return (later.begins_with_a_write() and min([*other.reads, *other.writes]) == at
            and not part.written_while(whole, at) and not whole.written_while(part, at))
