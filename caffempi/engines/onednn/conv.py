"""Convolution and its gradients (ops/conv.py, ops/conv_grad.py) on oneDNN: 1 to 3 spatial axes, channel axis 1.

Each direction is asked for in up to four pairs of layouts of the images: the library's choice, channels last, as the
neighbours lie, and plain. The weights' layout is always the library's choice: it differs between directions, and the plan
packs and unpacks. The first three need the channels in blocks or together; the plain one is a matrix product, slower per
operation but with nothing to reorder.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from math import prod
from typing import Any

import numpy as np

from caffempi.engines.base import PLAIN, Call, Layout, Near, Offer, Operands
from caffempi.engines.onednn.binding import (
    BIAS,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DIRECT_CONVOLUTION,
    DST,
    SRC,
    TRAINING,
    WEIGHTS,
    Library,
    MemoryDesc,
    PrimitiveDesc,
)
from caffempi.engines.onednn.layouts import BYTES_PER_FLOP, Form, Offers, Slot, desc_of, make_offer
from caffempi.ops.conv import ConvAttrs, conv_flops
from caffempi.ops.graph import Spec

_Pair = tuple[MemoryDesc, MemoryDesc]
_CHANNELS_LAST, _GEMM = 1.1, 2.2                                # time an operation, blocked kernels being 1 (measured)


class _Problem:
    """The shapes and descriptions of one convolution, whichever direction is asked for."""

    def __init__(self, lib: Library, attrs: ConvAttrs, x: Spec, w: Spec, y: Spec) -> None:
        self.lib, self.x, self.y = lib, x.shape, y.shape
        g = attrs.group
        self.w = (g, w.shape[0] // g, *w.shape[1:]) if g > 1 else w.shape
        self.flops = conv_flops(w, y)
        self.src, self.dst, self.weights = lib.plain(self.x), lib.plain(self.y), lib.plain(self.w)
        self.any_weights, self.bias = lib.any(self.w), lib.plain((w.shape[0],))
        self.windows = attrs.stride, tuple(d - 1 for d in attrs.dilation), attrs.pad, attrs.pad

    def pairs(self, src: Layout | None, dst: Layout | None) -> list[_Pair]:
        """Layouts of (x, y) to ask for; src, dst: as they lie, None where that is open."""
        lib = self.lib
        any_src, any_dst = lib.any(self.x), lib.any(self.y)
        near = ((src and desc_of(src, self.src)) or any_src, (dst and desc_of(dst, self.dst)) or any_dst)
        return [(any_src, any_dst), (lib.channels_last(self.x), lib.channels_last(self.y)), near, (self.src, self.dst)]

    def forward(self, pair: _Pair, bias: bool, slope: float | None = None, hint: bool = False) -> PrimitiveDesc:
        """The forward implementation; slope: of a ReLU behind it."""
        attr = None if slope is None else self.lib.relu_after(slope)
        return self.lib.describe("convolution_forward", TRAINING, DIRECT_CONVOLUTION, pair[0], self.any_weights,
                                 self.bias if bias else None, pair[1], *self.windows, attr=attr, hint=hint)

    def cost(self, desc: PrimitiveDesc, src: int, dst: int) -> float:
        """Its time in bytes; src, dst: ids of the arguments that are images."""
        if "gemm" in desc.impl and "brgemm" not in desc.impl:
            return BYTES_PER_FLOP * self.flops * _GEMM
        factor, blocked = 1.0, False
        for md in (desc.argument(src), desc.argument(dst)):
            blocked |= bool(md.blocks)
            factor *= prod(md.padded) / prod(md.dims)
        return BYTES_PER_FLOP * self.flops * (factor if blocked else _CHANNELS_LAST)


def why_not(call: Call, attrs: ConvAttrs) -> str | None:
    """What this file does not cover."""
    if attrs.axis != 1:
        return f"takes the channels from axis 1, not {attrs.axis}"
    if not 1 <= len(attrs.kernel) <= 3:
        return f"convolves over 1 to 3 spatial axes, not {len(attrs.kernel)}"
    return None


def forward(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs, slope: float | None = None) -> None:
    """conv, or conv and relu where slope is given. ins: x, w and perhaps b."""
    p = _Problem(lib, attrs, call.ins[0], call.ins[1], call.outs[0])
    bias = len(call.ins) > 2

    def way(pair: _Pair) -> Offer:
        desc = p.forward(pair, bias, slope)
        operands = [(Slot(SRC, "ins", 0), p.src), (Slot(WEIGHTS, "ins", 1), p.weights), (Slot(DST, "outs", 0), p.dst)]
        if bias:
            operands.append((Slot(BIAS, "ins", 2), p.bias))
        return make_offer(desc, operands, p.cost(desc, SRC, DST))
    offers.attempt(_each(way, p.pairs(near.ins[0], near.outs[0])))


def data(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs) -> None:
    """conv_dx. ins: w, dy."""
    p = _Problem(lib, attrs, call.outs[0], call.ins[0], call.ins[1])

    def way(pair: _Pair) -> Offer:
        desc = lib.describe("convolution_backward_data", DIRECT_CONVOLUTION, pair[0], p.any_weights, pair[1], *p.windows,
                            p.forward(pair, False, hint=True))
        return make_offer(desc, [(Slot(WEIGHTS, "ins", 0), p.weights), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_SRC, "outs", 0), p.src)], p.cost(desc, DIFF_SRC, DIFF_DST))
    offers.attempt(_each(way, p.pairs(near.outs[0], near.ins[1])))


def weights(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs) -> None:
    """conv_dw. ins: x, dy."""
    p = _Problem(lib, attrs, call.ins[0], call.outs[0], call.ins[1])

    def way(pair: _Pair) -> Offer:
        desc = lib.describe("convolution_backward_weights", DIRECT_CONVOLUTION, pair[0], p.any_weights, None, pair[1],
                            *p.windows, p.forward(pair, False, hint=True))
        return make_offer(desc, [(Slot(SRC, "ins", 0), p.src), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_WEIGHTS, "outs", 0), p.weights)], p.cost(desc, SRC, DIFF_DST))
    offers.attempt(_each(way, p.pairs(near.ins[0], near.ins[1])))


def _each(way: Callable[[_Pair], Offer], pairs: Iterable[_Pair]) -> list[Callable[[], Offer]]:
    return [partial(way, pair) for pair in pairs]


class BiasGradient:
    """db[m] = sum of dy over all but the channels, on dy as it lies: a matrix product with ones, image by image.

    oneDNN gives db only together with dw. The buffer is read as (N, blocks, places, channels of a block).
    """

    def __init__(self, filters: int, grid: tuple[int, int, int, int]) -> None:
        self._filters, self._grid = filters, grid

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """Sums an image's places in float32, then the images in float64."""
        dy, db = ptrs.ins[0], ptrs.outs[0]
        images, blocks, places, lanes = self._grid
        cube = np.frombuffer(dy.data, np.float32, prod(self._grid)).reshape(images, blocks, places, lanes)
        ones, sums = np.ones(places, np.float32), np.empty((images, blocks, lanes), np.float32)
        filters = self._filters

        def run() -> None:
            np.matmul(ones, cube, out=sums)
            db[...] = sums.sum(0, dtype=np.float64).reshape(-1)[:filters]
        return run


def bias(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs) -> None:
    """conv_db. ins: dy."""
    shape = call.ins[0].shape
    for layout in dict.fromkeys((near.ins[0], PLAIN)):
        grid = _grid(layout, shape)
        if grid is not None:
            offers.attempt([partial(Offer, (layout,), (PLAIN,), cost=0.0, payload=BiasGradient(shape[1], grid))])


def _grid(layout: Layout, shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """(N, blocks, places, channels of a block) of a buffer whose channels lie in such blocks, else None."""
    n, channels, places = shape[0], shape[1], prod(shape[2:])
    if layout == PLAIN:
        return n, channels, places, 1
    if not isinstance(layout.key, Form) or layout.key.desc.dims != shape:
        return None
    axes: Any = layout.key.desc.key[3]
    lanes = next((extent for extent, stride in axes[1] if stride == 1), 0)
    padded = layout.key.desc.padded
    if not lanes or padded[0] != n or padded[2:] != shape[2:]:
        return None
    grid = n, padded[1] // lanes, places, lanes
    steps = lanes * places * grid[1], lanes * places
    wanted = (() if n == 1 else ((n, steps[0]),), tuple(t for t in ((grid[1], steps[1]), (lanes, 1)) if t[0] > 1))
    inner: list[Any] = []
    stride = lanes
    for extent in reversed(shape[2:]):
        inner.insert(0, () if extent == 1 else ((extent, stride),))
        stride *= extent
    return grid if axes == (*wanted, *inner) else None
