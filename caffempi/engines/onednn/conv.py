"""Convolution and its gradients (ops/conv.py, ops/conv_grad.py) on oneDNN: 1 to 3 spatial axes, channel axis 1.

Each direction is asked for in up to four pairs of layouts of the images: the library's choice, channels last, as the
neighbours lie, and plain. The weights' layout is always the library's choice: it differs between directions, and the plan
packs and unpacks. The first three need the channels in blocks or together; the plain one is a matrix product, slower per
operation but with nothing to reorder.

Images and the weights that are read have the type asked for; biases and gradients of weights are float32 in any case.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from caffempi.engines.base import PLAIN, Call, Layout, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.channels import ChannelSums, HalfSums, grid_of
from caffempi.engines.onednn.codes import (
    BFLOAT16,
    BIAS,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DIRECT_CONVOLUTION,
    DST,
    FLOAT32,
    RELU,
    SRC,
    TRAINING,
    WEIGHTS,
)
from caffempi.engines.onednn.layouts import BYTES_PER_FLOP, Offers, Slot, desc_of, make_offer
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.errors import EngineError
from caffempi.ops.conv import ConvAttrs, conv_flops
from caffempi.ops.graph import Spec

Pair = tuple[MemoryDesc, MemoryDesc]
Ways = list[Callable[[], Offer]]
_LANES = 16                                                    # of AVX-512
_CHANNELS_LAST, _GEMM, _BFLOAT16 = 1.1, 2.2, 0.5                # time an operation, blocked float32 being 1 (measured)


class Problem:
    """The shapes and descriptions of one convolution, whichever direction is asked for. dtype: of images and weights."""

    def __init__(self, lib: Library, attrs: ConvAttrs, x: Spec, w: Spec, y: Spec, dtype: int) -> None:
        self.lib, self.x, self.y, self.dtype = lib, x.shape, y.shape, dtype
        g = attrs.group
        self.w = (g, w.shape[0] // g, *w.shape[1:]) if g > 1 else w.shape
        self.flops = conv_flops(w, y)
        self.src, self.dst, self.weights = lib.plain(self.x), lib.plain(self.y), lib.plain(self.w)
        self.any_weights, self.bias = lib.any(self.w, dtype), lib.plain((w.shape[0],))
        self.windows = attrs.stride, tuple(d - 1 for d in attrs.dilation), attrs.pad, attrs.pad
        strided = max(attrs.kernel) == 1 and max(attrs.stride) > 1
        ragged = any(n // g % _LANES for n in (self.x[1], self.y[1]))
        self._suspect = dtype == BFLOAT16 and ragged and (strided or (g > 1 and max(attrs.dilation) > 1))

    def pairs(self, src: Layout | None, dst: Layout | None) -> list[Pair]:
        """Layouts of (x, y) to ask for; src, dst: as they lie, None where that is open."""
        lib, dtype = self.lib, self.dtype
        any_src, any_dst = lib.any(self.x, dtype), lib.any(self.y, dtype)

        def near(layout: Layout | None, plain: MemoryDesc, free: MemoryDesc) -> MemoryDesc:
            desc = None if layout is None else desc_of(layout, plain)
            return free if desc is None or desc.dtype != dtype else desc
        return [(any_src, any_dst), (lib.channels_last(self.x, dtype), lib.channels_last(self.y, dtype)),
                (near(src, self.src, any_src), near(dst, self.dst, any_dst)),
                (self.src.cast(dtype), self.dst.cast(dtype))]

    def forward(self, pair: Pair, posts: Sequence[tuple[Any, ...]] = (), bias: bool = False,
                hint: bool = False) -> PrimitiveDesc:
        """The forward implementation; posts: what its output goes through, see Library.after."""
        return self.lib.describe("convolution_forward", TRAINING, DIRECT_CONVOLUTION, pair[0], self.any_weights,
                                 self.bias if bias else None, pair[1], *self.windows,
                                 attr=self.lib.after(*posts) if posts else None, hint=hint)

    def checked(self, desc: PrimitiveDesc, image: int) -> PrimitiveDesc:
        """A gradient's implementation. Raises EngineError where its results are wrong, or it overruns its scratch memory.

        Seen with oneDNN 3.2 in bfloat16, where channels lie last and fill no whole register: in pointwise convolutions with a
        stride, and in groups with a dilation. image: the id of an argument that is one.
        """
        if self._suspect and "gemm" not in desc.impl and not desc.argument(image).blocks:
            raise EngineError("oneDNN's gradients of such a convolution are wrong in bfloat16 where "
                              f"{self.x[1]} and {self.y[1]} channels lie last")
        return desc

    def cost(self, desc: PrimitiveDesc, src: int, dst: int) -> float:
        """Its time in bytes; src, dst: ids of the arguments that are images."""
        time = BYTES_PER_FLOP * self.flops * (_BFLOAT16 if self.dtype == BFLOAT16 else 1)
        if "gemm" in desc.impl and "brgemm" not in desc.impl:
            return time * _GEMM
        factor, blocked = 1.0, False
        for md in (desc.argument(src), desc.argument(dst)):
            blocked |= bool(md.blocks)
            factor *= prod(md.padded) / prod(md.dims)
        return time * (factor if blocked else _CHANNELS_LAST)


def why_not(call: Call, attrs: ConvAttrs) -> str | None:
    """What this file does not cover."""
    if attrs.axis != 1:
        return f"takes the channels from axis 1, not {attrs.axis}"
    if not 1 <= len(attrs.kernel) <= 3:
        return f"convolves over 1 to 3 spatial axes, not {len(attrs.kernel)}"
    return None


def forward(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs, slope: float | None = None) -> None:
    """conv, or conv and relu where slope is given. ins: x, w and perhaps b."""
    bias = len(call.ins) > 2
    posts = [] if slope is None else [(RELU, slope, 0.0)]

    def way(p: Problem, pair: Pair) -> Offer:
        desc = p.forward(pair, posts, bias)
        operands = [(Slot(SRC, "ins", 0), p.src), (Slot(WEIGHTS, "ins", 1), p.weights), (Slot(DST, "outs", 0), p.dst)]
        if bias:
            operands.append((Slot(BIAS, "ins", 2), p.bias))
        return make_offer(desc, operands, p.cost(desc, SRC, DST))

    def ways(dtype: int) -> Ways:
        p = Problem(lib, attrs, call.ins[0], call.ins[1], call.outs[0], dtype)
        return [partial(way, p, pair) for pair in p.pairs(near.ins[0], near.outs[0])]
    offers.attempt_types(ways)


def data(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs) -> None:
    """conv_dx. ins: w, dy."""
    def way(p: Problem, pair: Pair) -> Offer:
        desc = lib.describe("convolution_backward_data", DIRECT_CONVOLUTION, pair[0], p.any_weights, pair[1], *p.windows,
                            p.forward(pair, hint=True))
        return make_offer(p.checked(desc, DIFF_DST), [(Slot(WEIGHTS, "ins", 0), p.weights), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_SRC, "outs", 0), p.src)], p.cost(desc, DIFF_SRC, DIFF_DST))

    def ways(dtype: int) -> Ways:
        p = Problem(lib, attrs, call.outs[0], call.ins[0], call.ins[1], dtype)
        return [partial(way, p, pair) for pair in p.pairs(near.outs[0], near.ins[1])]
    offers.attempt_types(ways)


def weights(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs) -> None:
    """conv_dw. ins: x, dy."""
    def way(p: Problem, pair: Pair) -> Offer:
        desc = lib.describe("convolution_backward_weights", DIRECT_CONVOLUTION, pair[0], lib.any(p.w, FLOAT32), None, pair[1],
                            *p.windows, p.forward(pair, hint=True))
        return make_offer(p.checked(desc, DIFF_DST), [(Slot(SRC, "ins", 0), p.src), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_WEIGHTS, "outs", 0), p.weights)], p.cost(desc, SRC, DIFF_DST))

    def ways(dtype: int) -> Ways:
        p = Problem(lib, attrs, call.ins[0], call.outs[0], call.ins[1], dtype)
        return [partial(way, p, pair) for pair in p.pairs(near.ins[0], near.ins[1])]
    offers.attempt_types(ways)


def bias(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs) -> None:
    """conv_db, which oneDNN gives only together with dw. ins: dy."""
    shape = call.ins[0].shape
    for layout in dict.fromkeys((near.ins[0], PLAIN)):
        grid = grid_of(layout, shape)
        if grid is not None and (layout.dtype is None or grid[-1] % 2 == 0):
            made: ChannelSums | HalfSums = ChannelSums(shape[1], grid) if layout.dtype is None else HalfSums(shape[1], grid)
            offers.attempt([partial(Offer, (layout,), (PLAIN,), scratch=made.scratch, cost=0.0,
                                    payload=made)])
