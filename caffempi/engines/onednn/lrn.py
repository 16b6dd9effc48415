"""Local response normalization (ops/lrn.py) on oneDNN: its own kernels (beta 0.75, few sizes), else the formula in passes.

The library's forward in training keeps a workspace of its own instead of s: the saved value then has the layout `Workspace`,
and forward is offered only where backward is. Neither direction may run in place.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from caffempi.engines.base import Call, Layout, Near, Offer
from caffempi.engines.onednn.binding import Library, long
from caffempi.engines.onednn.codes import (
    DIFF_DST,
    DIFF_SRC,
    DST,
    FLOAT32,
    INFERENCE,
    LRN_ACROSS,
    LRN_WITHIN,
    SRC,
    TRAINING,
    WORKSPACE,
)
from caffempi.engines.onednn.layouts import Offers, Prepared, Slot, desc_of, descs_near, layout_of, make_offer
from caffempi.engines.onednn.lrn_passes import LrnPasses
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.errors import EngineError
from caffempi.ops.lrn import LrnAttrs

_LANES, _WINDOW = 16, 5                                         # of AVX-512; what is right where a register is not full


@dataclass(frozen=True)
class Workspace:
    """Key of the saved layout: how x lay when the workspace was written. tag: the library's name for that; by another name for
    the same memory it takes another kernel, which reads other things in a workspace."""

    src: MemoryDesc
    tag: str


def why_not(call: Call, attrs: LrnAttrs) -> str | None:
    """Every one can be asked for."""
    return None


class _Problem:
    def __init__(self, lib: Library, call: Call, attrs: LrnAttrs) -> None:
        within = "within" in call.op
        self.lib, self.plain = lib, lib.plain(call.outs[0].shape)
        self.algorithm = LRN_WITHIN if within else LRN_ACROSS
        self.numbers = long(attrs.size), float(attrs.alpha), float(attrs.beta), 1.0 if within else float(attrs.k)

    def forward(self, md: MemoryDesc, training: bool, hint: bool = False) -> PrimitiveDesc:
        """The forward implementation; y lies as x does."""
        return self.lib.describe("lrn_forward", TRAINING if training else INFERENCE, self.algorithm, md, md, *self.numbers,
                                 hint=hint)

    def backward(self, md: MemoryDesc, forward: PrimitiveDesc) -> PrimitiveDesc:
        """The backward implementation; diffs lie as x does. Raises EngineError where the library's results are wrong.

        Seen with oneDNN 3.2 on AVX-512, where channels lie last: it crashes for windows of one, and is wrong where two of these
        meet: windows above five, channels that fill no whole register, bfloat16.
        """
        size, channels = self.numbers[0].value, self.plain.dims[1]
        if md == self.lib.channels_last(self.plain.dims, md.dtype) and self.algorithm == LRN_ACROSS:
            if size == 1:
                raise EngineError("oneDNN's gradients of lrn over windows of one channel end in a crash")
            if (size > _WINDOW) + (channels % _LANES > 0) + (md.dtype != FLOAT32) > 1:
                raise EngineError(f"oneDNN's gradients of lrn are wrong for windows of {size} over {channels} channels that "
                                  f"lie last{'' if md.dtype == FLOAT32 else ' in bfloat16'}")
        desc = self.lib.describe("lrn_backward", self.algorithm, md, md, md, *self.numbers, forward)
        if desc.argument(WORKSPACE).nbytes != forward.argument(WORKSPACE).nbytes:
            raise EngineError(f"oneDNN's {desc.impl} does not read what {forward.impl} keeps")
        return desc

    def layouts(self, *near: Layout | None) -> list[MemoryDesc]:
        """How x may lie: as the neighbours, plain, channels last, or in blocks."""
        found, shape = descs_near(self.plain, *near), self.plain.dims
        types = dict.fromkeys(d.dtype for d in found)
        return list(dict.fromkeys([*found, *(d for t in types for d in (self.lib.channels_last(shape, t),
                                                                        *self.lib.blocked(shape, t)))]))


def forward(lib: Library, call: Call, near: Near, offers: Offers, attrs: LrnAttrs) -> None:
    """lrn_across and lrn_within, with or without what backward needs."""
    p = _Problem(lib, call, attrs)

    def way(md: MemoryDesc) -> Offer:
        desc = p.forward(md, bool(call.saved))
        operands = [(Slot(SRC, "ins", 0), p.plain), (Slot(DST, "outs", 0), p.plain)]
        if not call.saved:
            return make_offer(desc, operands, 0.0)
        p.backward(md, desc)                                   # raises where there is none
        return make_offer(desc, [*operands, (Slot(WORKSPACE, "saved", 0), p.plain)], 0.0, saved=(_kept(desc, md),))
    passes = LrnPasses(lib, call, attrs)
    layouts = p.layouts(near.ins[0], near.outs[0])
    offers.attempt([*[partial(way, md) for md in layouts], *[partial(passes.forward, md, bool(call.saved)) for md in layouts]])


def backward(lib: Library, call: Call, near: Near, offers: Offers, attrs: LrnAttrs) -> None:
    """lrn_across_dx and lrn_within_dx. ins: x, the workspace, dy."""
    p = _Problem(lib, call, attrs)
    kept = near.ins[1].key

    def way(md: MemoryDesc) -> Offer:
        forward = p.forward(md, True)
        desc = p.backward(md, forward)
        layout = layout_of(md, p.plain)
        slots = Slot(SRC, "ins", 0), Slot(WORKSPACE, "ins", 1), Slot(DIFF_DST, "ins", 2), Slot(DIFF_SRC, "outs", 0)
        return Offer((layout, _kept(forward, md), layout), (layout,), scratch=desc.scratch, cost=0.0,
                     payload=Prepared(desc, slots))
    if isinstance(kept, Workspace):
        offers.attempt([partial(way, kept.src)])
    else:
        saved = desc_of(near.ins[1], p.plain)
        offers.attempt([partial(LrnPasses(lib, call, attrs).backward, md) for md in (saved,) if md is not None])


def _kept(forward: PrimitiveDesc, md: MemoryDesc) -> Layout:
    """The layout of the value that forward saves. Raises EngineError where it saves none."""
    nbytes = forward.argument(WORKSPACE).nbytes
    if not nbytes:
        raise EngineError(f"oneDNN's {forward.impl} keeps nothing for backward")
    return Layout("workspace", nbytes, Workspace(md, md.tag))
