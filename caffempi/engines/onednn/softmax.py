"""Softmax (ops/softmax.py) and its gradient on oneDNN, in the layouts in which it is more than reference code.

Always of float32: probabilities near 0 and 1 need the digits, and there are few of them.
"""
from __future__ import annotations

from functools import partial

from caffempi.engines.base import Call, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import DIFF_DST, DIFF_SRC, DST, FLOAT32, SOFTMAX, SRC, TRAINING
from caffempi.engines.onednn.layouts import Offers, Prepared, Slot, descs_near, row_offer
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.ops.shapes import canonical_axis
from caffempi.ops.softmax import SoftmaxAttrs


def why_not(call: Call, attrs: SoftmaxAttrs) -> str | None:
    """Every one can be asked for."""
    return None


def _forward(lib: Library, attrs: SoftmaxAttrs, md: MemoryDesc, hint: bool = False) -> PrimitiveDesc:
    return lib.describe("softmax_forward", TRAINING, SOFTMAX, md, md, canonical_axis(attrs.axis, len(md.dims)), hint=hint)


def forward(lib: Library, call: Call, near: Near, offers: Offers, attrs: SoftmaxAttrs) -> None:
    """softmax. ins: x; may overwrite it."""
    plain = lib.plain(call.ins[0].shape)

    def way(md: MemoryDesc) -> Offer:
        desc = _forward(lib, attrs, md)
        return row_offer(Prepared(desc, (Slot(SRC, "ins", 0), Slot(DST, "outs", 0))), md, plain, 1, ((0, 0),), desc.scratch)
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[0], near.outs[0]) if md.dtype == FLOAT32])


def backward(lib: Library, call: Call, near: Near, offers: Offers, attrs: SoftmaxAttrs) -> None:
    """softmax_dx. ins: y, dy; may overwrite dy."""
    plain = lib.plain(call.outs[0].shape)

    def way(md: MemoryDesc) -> Offer:
        desc = lib.describe("softmax_backward", SOFTMAX, md, md, md, canonical_axis(attrs.axis, len(md.dims)),
                            _forward(lib, attrs, md, hint=True))
        slots = Slot(DST, "ins", 0), Slot(DIFF_DST, "ins", 1), Slot(DIFF_SRC, "outs", 0)
        return row_offer(Prepared(desc, slots), md, plain, 2, ((1, 0),), desc.scratch)
    offers.attempt([partial(way, md) for md in descs_near(plain, *near.ins, near.outs[0]) if md.dtype == FLOAT32])
