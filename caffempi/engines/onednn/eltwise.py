"""ReLU and its gradient (ops/relu.py) on oneDNN, in whatever layout the blob lies.

The gradient takes the library's form that looks at the sign of the input: dx = dy where s > 0, else slope * dy. That is
the op's own rule, for s being the output as well.
"""
from __future__ import annotations

from functools import partial

from caffempi.engines.base import PLAIN, Call, Layout, Near, Offer
from caffempi.engines.onednn.binding import DIFF_DST, DIFF_SRC, DST, RELU, SRC, TRAINING, Library, MemoryDesc
from caffempi.engines.onednn.layouts import Offers, Slot, desc_of, make_offer
from caffempi.ops.graph import Spec
from caffempi.ops.relu import ReluAttrs


def why_not(call: Call, attrs: ReluAttrs) -> str | None:
    """Every ReLU can be asked for."""
    return None


def relu(lib: Library, call: Call, near: Near, offers: Offers, attrs: ReluAttrs) -> None:
    """relu. ins: x."""
    def way(md: MemoryDesc, plain: MemoryDesc) -> Offer:
        desc = lib.describe("eltwise_forward", TRAINING, RELU, md, md, float(attrs.slope), 0.0)
        return make_offer(desc, [(Slot(SRC, "ins", 0), plain), (Slot(DST, "outs", 0), plain)], 0.0, ((0, 0),))
    offers.attempt([partial(way, *f) for f in _forms(lib, call.ins[0], near.ins[0], near.outs[0])])


def relu_dx(lib: Library, call: Call, near: Near, offers: Offers, attrs: ReluAttrs) -> None:
    """relu_dx. ins: s, dy; may overwrite dy."""
    def way(md: MemoryDesc, plain: MemoryDesc) -> Offer:
        slope = float(attrs.slope)
        forward = lib.describe("eltwise_forward", TRAINING, RELU, md, md, slope, 0.0, hint=True)
        desc = lib.describe("eltwise_backward", RELU, md, md, md, slope, 0.0, forward)
        return make_offer(desc, [(Slot(SRC, "ins", 0), plain), (Slot(DIFF_DST, "ins", 1), plain),
                                 (Slot(DIFF_SRC, "outs", 0), plain)], 0.0, ((1, 0),))
    offers.attempt([partial(way, *f) for f in _forms(lib, call.outs[0], *near.ins, near.outs[0])])


def _forms(lib: Library, spec: Spec, *near: Layout | None) -> list[tuple[MemoryDesc, MemoryDesc]]:
    """(description, that of the plain array) to offer: the layouts named, and plain as one long row."""
    forms = []
    if any(layout is not None and layout != PLAIN for layout in near):
        plain = lib.plain(spec.shape)
        found = [desc_of(layout, plain) for layout in near if layout is not None and layout != PLAIN]
        forms = [(d, plain) for d in dict.fromkeys(found) if d is not None]
    row = lib.plain((spec.count,))
    return [*forms, (row, row)]
