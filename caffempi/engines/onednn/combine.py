"""Sums, products and maxima of equal shapes, and copies (ops/share.py, ops/eltwise.py), on oneDNN in any layout.

All of them map zeros to zero: the buffers are taken as one long row, the lanes that fill up blocks included. Several ins are
combined in order, the first two into the out, each later one with it. A maximum is offered where nobody asks for the winner.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from caffempi.engines.base import Call, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import (
    ADD,
    DST,
    LINEAR,
    MAXIMUM,
    MULTIPLE_SRC,
    MULTIPLY,
    RELU,
    SRC,
    SRC_1,
    TRAINING,
)
from caffempi.engines.onednn.layouts import Chain, Offers, Prepared, Slot, descs_near, row_of, row_offer
from caffempi.engines.onednn.primitives import MemoryDesc

_ALGORITHMS = {"sum": ADD, "eltwise_prod": MULTIPLY, "eltwise_max": MAXIMUM}
_MOST = 16                                                      # sources of one weighted sum


def why_not(call: Call, attrs: Any) -> str | None:
    """What this file does not cover."""
    if call.op == "eltwise_max" and call.saved:
        return "does not tell the winners, which the gradient needs"
    return f"sums up to {_MOST} sources, not {len(call.ins)}" if call.op == "weighted_sum" and len(call.ins) > _MOST else None


def combined(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any, slope: float | None = None) -> None:
    """sum, eltwise_prod or eltwise_max, or sum and relu where slope is given; may overwrite the first in."""
    op = call.attrs.ops[0] if call.op == "fused" else call.op

    def parts(row: MemoryDesc) -> tuple[Prepared, ...]:
        if len(call.ins) == 1:
            return (_copied(lib, row, slope),)
        made = []
        for i in range(1, len(call.ins)):
            after = None if slope is None or i < len(call.ins) - 1 else lib.after((RELU, slope, 0.0))
            desc = lib.describe("binary", _ALGORITHMS[op], row, row, row, attr=after)
            first = Slot(SRC, "ins", 0) if i == 1 else Slot(SRC, "outs", 0)
            made.append(Prepared(desc, (first, Slot(SRC_1, "ins", i), Slot(DST, "outs", 0))))
        return tuple(made)
    _offer(lib, call, near, offers, parts)


def weighted(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """weighted_sum; may overwrite the first in."""
    coeffs = [float(c) for c in attrs.coeffs]

    def parts(row: MemoryDesc) -> tuple[Prepared, ...]:
        if len(coeffs) == 1:
            desc = lib.describe("eltwise_forward", TRAINING, LINEAR, row, row, coeffs[0], 0.0)
            return (Prepared(desc, (Slot(SRC, "ins", 0), Slot(DST, "outs", 0))),)
        desc = lib.describe("sum", row, len(coeffs), coeffs, [row] * len(coeffs))
        sources = [Slot(MULTIPLE_SRC + i, "ins", i) for i in range(len(coeffs))]
        return (Prepared(desc, (*sources, Slot(DST, "outs", 0))),)
    _offer(lib, call, near, offers, parts)


def copy(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """copy."""
    _offer(lib, call, near, offers, lambda row: (_copied(lib, row, None),))


def _copied(lib: Library, row: MemoryDesc, slope: float | None) -> Prepared:
    slots = Slot(SRC, "ins", 0), Slot(DST, "outs", 0)
    if slope is None:
        return Prepared(lib.reorder(row, row), slots)
    return Prepared(lib.describe("eltwise_forward", TRAINING, RELU, row, row, slope, 0.0), slots)


def _offer(lib: Library, call: Call, near: Near, offers: Offers, parts: Callable[[MemoryDesc], tuple[Prepared, ...]]) -> None:
    plain = lib.plain(call.outs[0].shape)

    def way(md: MemoryDesc) -> Offer:
        made = parts(row_of(lib, md))
        return row_offer(Chain(made), md, plain, len(call.ins), ((0, 0),), max(p.desc.scratch for p in made))
    offers.attempt([partial(way, md) for md in descs_near(plain, *near.ins, near.outs[0])])
