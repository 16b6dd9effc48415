"""Max and average pooling (ops/pool.py) on oneDNN, and their gradients.

Caffe's last window may stick out: oneDNN is given the right padding that makes it so. An average divides by the window cut
to the padded image; oneDNN divides either by the whole window or by its part inside the image, so one of the two must give
Caffe's number for every window. Max pooling keeps a workspace of the library's own between forward and backward: the saved
value then has the layout `Workspace`, and forward is offered only where backward is.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod

from caffempi.engines.base import Call, Layout, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import (
    BFLOAT16,
    DIFF_DST,
    DIFF_SRC,
    DST,
    INFERENCE,
    POOL_EXCLUDE,
    POOL_INCLUDE,
    POOL_MAX,
    SRC,
    TRAINING,
    WORKSPACE,
)
from caffempi.engines.onednn.layouts import Offers, Slot, descs_near, make_offer
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.errors import EngineError
from caffempi.ops.graph import Spec
from caffempi.ops.pool import PoolAttrs

_BYTE = 255                                                     # places in a window that a byte can tell apart
_SIMPLE, _WORTH_BLOCKS = 6.0, 8                                 # reorders of x in the time of a simple loop; channels


@dataclass(frozen=True)
class Workspace:
    """Key of the saved layout: how x and y lay when the workspace was written. tag: the library's name for how x lay; by
    another name for the same memory it may take another kernel."""

    src: MemoryDesc
    dst: MemoryDesc
    tag: str


class _Problem:
    """One pooling, forward or backward. Raises EngineError with the reason where oneDNN cannot give Caffe's numbers."""

    def __init__(self, lib: Library, attrs: PoolAttrs, x: Spec, y: Spec, largest: bool) -> None:
        self.lib, self.src, self.dst = lib, lib.plain(x.shape), lib.plain(y.shape)
        kernel, places = attrs.windows(x.shape)
        inside, padded = [], []                                # per axis and window: pixels, and those with the padding
        for n, k, s, p, o in zip(x.shape[2:], kernel, attrs.stride, attrs.pad, places, strict=True):
            starts = [i * s - p for i in range(o)]
            inside.append([min(a + k, n) - max(a, 0) for a in starts])
            padded.append([min(a + k, n + p) - a for a in starts])
            if min(inside[-1]) < 1:
                raise EngineError("a window lies wholly outside the image")
        whole = all(area == k for k, areas in zip(kernel, padded, strict=True) for area in areas)
        if largest:
            self.algorithm = POOL_MAX
        elif padded == inside:
            self.algorithm = POOL_EXCLUDE
        elif whole:
            self.algorithm = POOL_INCLUDE
        else:
            raise EngineError("its averages divide by the whole window or by the image's part of it, and a window here "
                              "reaches beyond the padding")
        right = tuple(max(0, (o - 1) * s + k - n - p) for n, k, s, p, o in
                      zip(x.shape[2:], kernel, attrs.stride, attrs.pad, places, strict=True))
        self.windows = attrs.stride, kernel, (0, 0), attrs.pad, right

    def forward(self, src: MemoryDesc, training: bool) -> PrimitiveDesc:
        """The forward implementation; y lies as x does."""
        return self.lib.describe("pooling_forward", TRAINING if training else INFERENCE, self.algorithm, src,
                                 self.lib.any(self.dst.dims, src.dtype),
                                 *self.windows)

    def backward(self, src: MemoryDesc, dst: MemoryDesc, forward: PrimitiveDesc) -> PrimitiveDesc:
        """The backward implementation for diffs that lie as x and y do. Raises EngineError where its results are wrong.

        Seen with oneDNN 3.2 in bfloat16 with winners whose numbers take more than a byte.
        """
        if self.algorithm == POOL_MAX and src.dtype == BFLOAT16 and prod(self.windows[1]) > _BYTE:
            raise EngineError(f"oneDNN's gradients of maxima of more than {_BYTE} numbers are wrong in bfloat16")
        return self.lib.describe("pooling_backward", self.algorithm, src, dst, *self.windows, forward)


    def layouts(self, *near: Layout | None) -> list[MemoryDesc]:
        """How x may lie: as the neighbours, plain, or, so that there is a fast way, in blocks."""
        found = descs_near(self.src, *near)
        types = dict.fromkeys(d.dtype for d in found) if self.src.dims[1] >= _WORTH_BLOCKS else ()
        return list(dict.fromkeys([*found, *(d for t in types for d in self.lib.blocked(self.src.dims, t))]))

    def cost(self, desc: PrimitiveDesc) -> float:
        """Of the library's simple loops, in bytes; the other kernels differ too little."""
        return _SIMPLE * self.src.nbytes if "simple" in desc.impl else 0.0


def why_not(call: Call, attrs: PoolAttrs) -> str | None:
    """What this file does not cover."""
    return "does not tell the winners, which the second top asks for" if attrs.mask else None


def largest(lib: Library, call: Call, near: Near, offers: Offers, attrs: PoolAttrs) -> None:
    """max_pool, with or without what backward needs."""
    p = _Problem(lib, attrs, call.ins[0], call.outs[0], True)

    def way(src: MemoryDesc) -> Offer:
        desc = p.forward(src, bool(call.saved))
        operands = [(Slot(SRC, "ins", 0), p.src), (Slot(DST, "outs", 0), p.dst)]
        if not call.saved:
            return make_offer(desc, operands, p.cost(desc))
        p.backward(src, desc.argument(DST), desc)              # raises where there is none
        return make_offer(desc, [*operands, (Slot(WORKSPACE, "saved", 0), p.dst)], p.cost(desc), saved=(_kept(desc),))
    offers.attempt([partial(way, src) for src in p.layouts(near.ins[0], near.outs[0])])


def largest_dx(lib: Library, call: Call, near: Near, offers: Offers, attrs: PoolAttrs) -> None:
    """max_pool_dx. ins: the workspace, dy."""
    p = _Problem(lib, attrs, call.outs[0], call.ins[1], True)
    kept = near.ins[0].key

    def way(src: MemoryDesc) -> Offer:
        forward = p.forward(src, True)
        desc = p.backward(src, forward.argument(DST), forward)
        made = make_offer(desc, [(Slot(DIFF_DST, "ins", 0), p.dst), (Slot(DIFF_SRC, "outs", 0), p.src)], 0.0)
        slots = Slot(WORKSPACE, "ins", 0), Slot(DIFF_DST, "ins", 1), Slot(DIFF_SRC, "outs", 0)
        return Offer((_kept(forward), *made.ins), made.outs, scratch=desc.scratch, cost=0.0,
                     payload=type(made.payload)(desc, slots))
    sources = [kept.src] if isinstance(kept, Workspace) else [p.src]
    offers.attempt([partial(way, src) for src in sources])


def mean(lib: Library, call: Call, near: Near, offers: Offers, attrs: PoolAttrs) -> None:
    """ave_pool."""
    p = _Problem(lib, attrs, call.ins[0], call.outs[0], False)

    def way(src: MemoryDesc) -> Offer:
        desc = p.forward(src, True)
        return make_offer(desc, [(Slot(SRC, "ins", 0), p.src), (Slot(DST, "outs", 0), p.dst)], p.cost(desc))
    offers.attempt([partial(way, src) for src in p.layouts(near.ins[0], near.outs[0])])


def mean_dx(lib: Library, call: Call, near: Near, offers: Offers, attrs: PoolAttrs) -> None:
    """ave_pool_dx. ins: dy."""
    p = _Problem(lib, attrs, call.outs[0], call.ins[0], False)

    def way(src: MemoryDesc) -> Offer:
        forward = p.forward(src, True)
        desc = p.backward(src, forward.argument(DST), forward)
        return make_offer(desc, [(Slot(DIFF_DST, "ins", 0), p.dst), (Slot(DIFF_SRC, "outs", 0), p.src)], p.cost(desc))
    offers.attempt([partial(way, src) for src in p.layouts(near.outs[0])])


def _kept(forward: PrimitiveDesc) -> Layout:
    """The layout of the value that forward saves."""
    src, dst = forward.argument(SRC), forward.argument(DST)
    return Layout("workspace", forward.argument(WORKSPACE).nbytes, Workspace(src, dst, src.tag))
