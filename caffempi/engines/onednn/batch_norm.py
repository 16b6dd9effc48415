"""Batch normalisation (ops/batch_norm.py) on oneDNN, alone or with the Scale, Bias and ReLU that follow it.

The library gives the batch's mean and its biased variance v; the running sums and the saved (mu, s) are made from them here,
as the op says: a few hundred numbers. Backward gets v back as 1 / s^2 - eps. Forward is never in place: backward reads x.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

import numpy as np

from caffempi.engines.base import PLAIN, Call, Near, Offer, Operands
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.channels import Channelwise, Refresh
from caffempi.engines.onednn.codes import (
    BACKWARD,
    BACKWARD_DATA,
    DIFF_DST,
    DIFF_SCALE,
    DIFF_SHIFT,
    DIFF_SRC,
    DST,
    GLOBAL_STATISTICS,
    INFERENCE,
    MEAN,
    RELU,
    SCALE,
    SCALE_FLAG,
    SHIFT,
    SHIFT_FLAG,
    SRC,
    TRAINING,
    VARIANCE,
)
from caffempi.engines.onednn.layouts import Offers, Prepared, Slot, descs_near, layout_of
from caffempi.engines.onednn.primitives import MemoryDesc
from caffempi.ops.batch_norm import BatchNormAttrs


def why_not(call: Call, attrs: BatchNormAttrs) -> str | None:
    """Every one can be asked for."""
    return None


def chain(ops: Sequence[str]) -> tuple[int, int]:
    """(flags, how many vectors follow x and what belongs to it) of a batch norm with these ops behind it."""
    return SCALE_FLAG * ("scale" in ops) + SHIFT_FLAG * ("bias" in ops), ("scale" in ops) + ("bias" in ops)


def _plain(lib: Library, shape: tuple[int, ...]) -> MemoryDesc:
    """x as the library takes it: with a channel axis, and at most five axes."""
    if len(shape) == 1:
        shape = shape[0], 1
    return lib.plain(shape if len(shape) <= 5 else (*shape[:2], prod(shape[2:])))


def training(lib: Library, call: Call, near: Near, offers: Offers, attrs: BatchNormAttrs, slope: float | None = None) -> None:
    """batch_norm, and what is fused to it. ins: x, and perhaps w and b; slope: of a ReLU behind it."""
    ops = call.attrs.ops if call.op == "fused" else ()
    flags, vectors = chain(ops)
    plain = _plain(lib, call.ins[0].shape)
    channels = plain.dims[1]
    after = None if slope is None else lib.after((RELU, slope, 0.0))

    def way(md: MemoryDesc) -> Offer:
        desc = lib.describe("batch_normalization_forward", TRAINING, md, md, float(attrs.eps), flags, attr=after)
        slots = [Slot(SRC, "ins", 0), Slot(DST, "outs", 0), Slot(MEAN, "vectors", 0), Slot(VARIANCE, "vectors", 1),
                 *_affine(flags, 1)]
        made = Channelwise(Prepared(desc, tuple(slots)), (channels, channels), after=_keep(attrs, plain))
        layout = layout_of(md, plain)
        return Offer((layout, *[PLAIN] * vectors), (layout,), (PLAIN,) * len(call.saved), scratch=desc.scratch, cost=0.0,
                     payload=made)
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[0], near.outs[0])])


def _affine(flags: int, first: int) -> list[Slot]:
    """Slots of the factor and the term, the ins from `first` on."""
    slots = [Slot(SCALE, "ins", first)] if flags & SCALE_FLAG else []
    return slots + ([Slot(SHIFT, "ins", first + len(slots))] if flags & SHIFT_FLAG else [])


def _keep(attrs: BatchNormAttrs, plain: MemoryDesc) -> Refresh:
    """What the op makes of the batch's statistics."""
    m = prod(plain.dims) // plain.dims[1]
    unbiased = m / (m - 1) if m > 1 else 1.0

    def keep(ptrs: Operands, vectors: Sequence[np.ndarray]) -> None:
        mu, var = vectors
        mean_sum, var_sum, factor = ptrs.state
        factor[...] = factor * attrs.fraction + 1
        mean_sum *= attrs.fraction
        mean_sum += mu
        var_sum *= attrs.fraction
        var_sum += var * unbiased
        if ptrs.saved:
            np.copyto(ptrs.saved[0], mu)
            np.divide(1, np.sqrt(var + attrs.eps), out=ptrs.saved[1])
    return keep


def training_dx(lib: Library, call: Call, near: Near, offers: Offers, attrs: BatchNormAttrs) -> None:
    """batch_norm_dx and batch_norm_affine_dx. ins: x, mu, s, perhaps w, dy; outs: dx, perhaps dw and db. May overwrite dy."""
    flags = (SCALE_FLAG, SHIFT_FLAG)[:len(call.outs) - 1]
    used, last = sum(flags), len(call.ins) - 1
    plain = _plain(lib, call.ins[0].shape)

    def way(md: MemoryDesc) -> Offer:
        forward = lib.describe("batch_normalization_forward", TRAINING, md, md, float(attrs.eps), used, hint=True)
        desc = lib.describe("batch_normalization_backward", BACKWARD if used else BACKWARD_DATA, md, md, md,
                            float(attrs.eps), used, forward)
        slots = [Slot(SRC, "ins", 0), Slot(MEAN, "ins", 1), Slot(VARIANCE, "vectors", 0), Slot(DIFF_DST, "ins", last),
                 Slot(DIFF_SRC, "outs", 0)]
        if used:
            slots += [Slot(SCALE, "ins", 3), Slot(DIFF_SCALE, "outs", 1)]
        if len(flags) > 1:
            slots.append(Slot(DIFF_SHIFT, "outs", 2))
        made = Channelwise(Prepared(desc, tuple(slots)), (plain.dims[1],), _variance(attrs))
        layout = layout_of(md, plain)
        return Offer((layout, *[PLAIN] * (last - 1), layout), (layout, *[PLAIN] * len(flags)), inplace=((last, 0),),
                     scratch=desc.scratch, cost=0.0, payload=made)
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[0], near.ins[last], near.outs[0])])


def _variance(attrs: BatchNormAttrs) -> Refresh:
    def variance(ptrs: Operands, vectors: Sequence[np.ndarray]) -> None:
        inv_std = ptrs.ins[2]
        np.multiply(inv_std, inv_std, out=vectors[0])
        np.divide(1, vectors[0], out=vectors[0])
        np.subtract(vectors[0], attrs.eps, out=vectors[0])
    return variance


def running(lib: Library, call: Call, near: Near, offers: Offers, attrs: BatchNormAttrs, slope: float | None = None) -> None:
    """batch_norm_global, and what is fused to it. ins: x, mean, var, factor, and perhaps w and b; may overwrite x."""
    flags, vectors = chain(call.attrs.ops if call.op == "fused" else ())
    plain = _plain(lib, call.ins[0].shape)
    channels = plain.dims[1]
    after = None if slope is None else lib.after((RELU, slope, 0.0))

    def way(md: MemoryDesc) -> Offer:
        desc = lib.describe("batch_normalization_forward", INFERENCE, md, md, float(attrs.eps), flags | GLOBAL_STATISTICS,
                            attr=after)
        slots = [Slot(SRC, "ins", 0), Slot(DST, "outs", 0), Slot(MEAN, "vectors", 0), Slot(VARIANCE, "vectors", 1),
                 *_affine(flags, 4)]
        made = Channelwise(Prepared(desc, tuple(slots)), (channels, channels), partial(statistics, attrs))
        layout = layout_of(md, plain)
        return Offer((layout, *[PLAIN] * (3 + vectors)), (layout,), (PLAIN,) * len(call.saved), ((0, 0),), scratch=desc.scratch,
                     cost=0.0, payload=made)
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[0], near.outs[0])])


def statistics(attrs: BatchNormAttrs, ptrs: Operands, vectors: Sequence[np.ndarray], first: int = 1) -> None:
    """Puts the running mean and variance, ins[first] to ins[first + 2], into two vectors, and s into what is saved."""
    mean, var, factor = ptrs.ins[first:first + 3]
    k = 1 / factor[0] if factor[0] else 0
    np.multiply(mean, k, out=vectors[0][:mean.size])
    np.multiply(var, k, out=vectors[1][:mean.size])
    if ptrs.saved:
        np.divide(1, np.sqrt(vectors[1] + attrs.eps), out=ptrs.saved[0])
