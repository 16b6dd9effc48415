"""Memory before it has an address: buffers, who reads and writes them, and drafts of steps.

So that lifetimes, offsets and sizes can be worked out, and printed, without allocating anything.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from caffempi.engines.base import Call, Kernel, Layout
from caffempi.ops.graph import Node, Param, Spec


@dataclass(eq=False)
class Buffer:
    """Bytes that a group of values shares, or one copy in another layout, or a kernel's scratch.

    key: what `Storage` knows it by where it has memory of its own (buffers of one key are one memory). kind: that of the
    values ('act', 'in', 'grad', 'seed', 'saved', 'state'), or 'copy' (in another layout, for several
    nodes), 'temp' (between the steps of one node), 'pack', 'scratch'; 'param' and 'param grad' lie in the
    arenas of params. owned: has memory of its own whatever the memory pass does. first, last: places in the order of steps
    (forward, then backward) of the first and the last that touches it. offset: in its arena; None: in none. arena: which one.
    parent, shift: of a range of another buffer, that buffer and the range's first byte; it has no memory of its own then.
    """

    key: object
    nbytes: int
    kind: str
    owned: bool = False
    param: Param | None = None
    first: int = -1
    last: int = -1
    offset: int | None = None
    arena: str = "arena"
    parent: Buffer | None = None
    shift: int = 0


class Ref(NamedTuple):
    """A buffer read or written as an array of that spec in that layout."""

    buffer: Buffer
    spec: Spec
    layout: Layout


@dataclass(eq=False)
class Draft:
    """A step without addresses. phase, layer, node, engine, impl, stored: as in `Step`; make: gives its kernel.

    add: the kernel adds to its outs. host: why the host has a part in it. param: of a pack, the one that it copies.
    bucket: of a 'fire', which. adjacent: see Offer.
    """

    phase: str
    layer: int
    node: Node | None = None
    make: Callable[[], Kernel] | None = None
    ins: tuple[Ref, ...] = ()
    outs: tuple[Ref, ...] = ()
    saved: tuple[Ref, ...] = ()
    state: tuple[Ref, ...] = ()
    scratch: Buffer | None = None
    add: bool = False
    adjacent: bool = False
    param: Param | None = None
    bucket: int = -1
    host: str | None = None
    engine: str = ""
    impl: str = ""
    stored: str = ""
    call: Call | None = None


def size_of(spec: Spec, layout: Layout | None = None) -> int:
    """Bytes of an array of that spec, plain or in a layout."""
    if layout is not None and layout.nbytes is not None:
        return layout.nbytes
    return spec.count * _itemsize(spec.dtype)


@cache
def _itemsize(dtype: str) -> int:
    return np.dtype(dtype).itemsize
