"""Scale, Bias and PReLU by channel, and batch_norm_global's gradient, with all their sums (ops/affine.py, ops/prelu.py).

The vector over the channels lies beside the blob as `channels.ChannelKernel` says. Factors and terms over other axes than
axis 1 alone are not offered. Sums over all but the channels are matrix products on the buffers as they lie.
"""
from __future__ import annotations

from functools import partial
from typing import Any

from caffempi.engines.base import PLAIN, Call, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.channels import ChannelSums, Channelwise, copies, grid_of, vector_of
from caffempi.engines.onednn.codes import (
    ADD,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    FLOAT32,
    MULTIPLY,
    SRC,
    SRC_1,
    TRAINING,
    WEIGHTS,
)
from caffempi.engines.onednn.layouts import Offers, Prepared, Slot, descs_near, layout_of
from caffempi.engines.onednn.primitives import MemoryDesc
from caffempi.ops.shapes import canonical_axis

#         op: (algorithm, places of the blob and of the vector among the ins)
_BINARY = {"scale": (MULTIPLY, 0, 1), "bias": (ADD, 0, 1), "batch_norm_global_dx": (MULTIPLY, 1, 0)}


def why_not(call: Call, attrs: Any) -> str | None:
    """What this file does not cover."""
    if "batch_norm" in call.op:
        shapes = call.ins[1].shape, call.ins[0].shape
    else:
        shapes = call.ins[0].shape, (call.ins[1] if call.op in _VECTOR_IN else call.outs[0]).shape
    blob, vector = shapes
    if len(blob) < 2:
        return "takes blobs of two axes or more"
    by_channel = vector == (blob[1],) and (attrs is None or canonical_axis(attrs.axis, len(blob)) == 1)
    return None if by_channel else "takes one number a channel, channels being axis 1"


_VECTOR_IN = ("scale", "bias", "prelu", "prelu_dx")


def binary(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """scale, bias, batch_norm_global_dx. May overwrite the blob."""
    algorithm, blob, vector = _BINARY[call.op]
    plain = lib.plain(call.ins[blob].shape)

    def way(md: MemoryDesc) -> Offer:
        beside = vector_of(lib, md)
        desc = lib.describe("binary", algorithm, md, beside, md)
        slots = Slot(SRC, "ins", blob), Slot(SRC_1, "vectors", 0), Slot(DST, "outs", 0)
        made = Channelwise(Prepared(desc, slots), (beside.nbytes // 4,), copies(vector))
        return _offer(call, md, plain, blob, made, desc.scratch)
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[blob], near.outs[0])])


def _offer(call: Call, md: MemoryDesc, plain: MemoryDesc, blob: int, made: Channelwise, scratch: int,
           also: tuple[int, ...] = ()) -> Offer:
    layout = layout_of(md, plain)
    ins = tuple(layout if i == blob or i in also else PLAIN for i in range(len(call.ins)))
    return Offer(ins, (layout,), inplace=((blob, 0),), scratch=scratch, cost=0.0, payload=made)


def prelu(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """prelu. ins: x, w; may overwrite x."""
    plain = lib.plain(call.ins[0].shape)

    def way(md: MemoryDesc) -> Offer:
        beside = vector_of(lib, md)
        desc = lib.describe("prelu_forward", TRAINING, md, beside, md)
        slots = Slot(SRC, "ins", 0), Slot(WEIGHTS, "vectors", 0), Slot(DST, "outs", 0)
        made = Channelwise(Prepared(desc, slots), (beside.nbytes // 4,), copies(1))
        return _offer(call, md, plain, 0, made, desc.scratch)
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[0], near.outs[0])])


def prelu_dx(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """prelu_dx. ins: x, w, dy; may overwrite dy. The library's dw goes nowhere."""
    plain = lib.plain(call.ins[0].shape)

    def way(md: MemoryDesc) -> Offer:
        beside = vector_of(lib, md)
        forward = lib.describe("prelu_forward", TRAINING, md, beside, md, hint=True)
        desc = lib.describe("prelu_backward", md, beside, md, beside, md, forward)
        slots = (Slot(SRC, "ins", 0), Slot(WEIGHTS, "vectors", 0), Slot(DIFF_DST, "ins", 2), Slot(DIFF_SRC, "outs", 0),
                 Slot(DIFF_WEIGHTS, "vectors", 1))
        made = Channelwise(Prepared(desc, slots), (beside.nbytes // 4,) * 2, copies(1))
        return _offer(call, md, plain, 2, made, desc.scratch, also=(0,))
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[0], near.ins[2], near.outs[0])])


def sums(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """bias_db (ins: dy), scale_dw and prelu_dw (ins: x, dy)."""
    shape = call.ins[0].shape
    plain = lib.plain(shape)

    def way(md: MemoryDesc) -> Offer:
        layout = layout_of(md, plain)
        grid = grid_of(layout, shape)
        assert grid is not None
        made = ChannelSums(shape[1], grid) if len(call.ins) == 1 else ChannelSums(shape[1], grid, 1, 0, call.op == "prelu_dw")
        return Offer((layout,) * len(call.ins), (PLAIN,), scratch=made.scratch, cost=0.0, payload=made)
    descs = [md for md in descs_near(plain, *near.ins)
             if md.dtype == FLOAT32 and grid_of(layout_of(md, plain), shape) is not None]
    offers.attempt([partial(way, md) for md in descs])
