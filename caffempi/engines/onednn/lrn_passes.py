"""LRN by its formula (ops/lrn.py) in a few primitives, for exponents, sizes and instruction sets without a kernel of oneDNN's.

forward   q = x x,  s = k + alpha/n W(q),  y = x s^-beta          saved: s, in x's layout
backward  d = dy s^-beta,  p = d x / s,  dx = d - 2 alpha beta/n x W(p)

W, the sum over neighbours, is in a plane of one channel the mean of a pooling with padding. Over channels it is one as well
where the pixels of a channel lie together: they are the "channels" of an image whose rows are the channels. Where some
channels of a pixel lie together, these lanes are the channels of an image with the lanes' blocks as rows or columns, and W
is a convolution: each lane adds those lanes of its own and the nearest blocks that are its neighbours.
s^-0.75 is sqrt(sqrt(s)) / s; other powers are exp(-beta log s).
"""
from __future__ import annotations

from functools import partial

import numpy as np

from caffempi.engines.base import Call, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.channels import grid_of
from caffempi.engines.onednn.codes import (
    ADD,
    DIRECT_CONVOLUTION,
    DIVIDE,
    DST,
    EXP,
    FLOAT32,
    INFERENCE,
    LINEAR,
    LOG,
    MULTIPLY,
    POOL_INCLUDE,
    SQRT,
    SRC,
    WEIGHTS,
)
from caffempi.engines.onednn.layouts import Prepared, Slot, layout_of
from caffempi.engines.onednn.passes import Passes, Where, chain, pieces_of
from caffempi.engines.onednn.primitives import MemoryDesc
from caffempi.errors import EngineError
from caffempi.ops.lrn import LrnAttrs

_LANES = 16                                                    # at most so many channels of a pixel are summed together
_COST = 2.0                                                    # passes over x more than the library's own kernel makes


class LrnPasses:
    """Offers one LRN, forward or backward, by the formula. call: its out is as x."""

    def __init__(self, lib: Library, call: Call, attrs: LrnAttrs) -> None:
        self.lib, self.attrs, self.within = lib, attrs, "within" in call.op
        self.shape, self.plain = call.outs[0].shape, lib.plain(call.outs[0].shape)
        self.rate = attrs.alpha / (attrs.size ** 2 if self.within else attrs.size)
        self.offset = 1.0 if self.within else attrs.k

    def forward(self, md: MemoryDesc, saves: bool) -> Offer:
        """lrn_across, lrn_within; saves: for a backward that follows. Raises EngineError where the library lacks a part."""
        x, y, q = ("ins", 0), ("outs", 0), ("temps", 0)
        s = ("saved", 0) if saves else ("temps", 1)
        row, pieces, images = self._cut(md)
        window, fixed = self._window(md, images, q, s, (LINEAR, self.rate, self.offset))
        parts = (chain(self.lib, row, x, q, (MULTIPLY, x)), window, chain(self.lib, row, s, y, *self._power(s), (MULTIPLY, x)))
        layout = layout_of(md, self.plain)
        if saves:
            self.backward(md)                                  # raises where there is none
        made = Passes(parts, pieces, (md.nbytes // pieces,) * (1 if saves else 2), fixed)
        return Offer((layout,), (layout,), (layout,) if saves else (), scratch=made.scratch, cost=_COST * md.nbytes,
                     payload=made)

    def backward(self, md: MemoryDesc) -> Offer:
        """Their gradients. ins: x, s, dy."""
        x, s, dy, dx, p, w = ("ins", 0), ("ins", 1), ("ins", 2), ("outs", 0), ("temps", 0), ("temps", 1)
        row, pieces, images = self._cut(md)
        window, fixed = self._window(md, images, p, w, (LINEAR, self.rate, 0.0))
        parts = (chain(self.lib, row, s, dx, *self._power(s), (MULTIPLY, dy)),
                 chain(self.lib, row, dx, p, (MULTIPLY, x), (DIVIDE, s)),
                 window,
                 chain(self.lib, row, w, dx, (MULTIPLY, x), (LINEAR, -2.0 * self.attrs.beta, 0.0), (ADD, dx)))
        layout = layout_of(md, self.plain)
        made = Passes(parts, pieces, (md.nbytes // pieces,) * 2, fixed)
        return Offer((layout,) * 3, (layout,), scratch=made.scratch, cost=_COST * md.nbytes, payload=made)

    def _power(self, s: Where) -> tuple[tuple[object, ...], ...]:
        """The steps from s to s^-beta."""
        beta = float(self.attrs.beta)
        if beta == 0.75:
            return (SQRT, 0.0, 0.0), (SQRT, 0.0, 0.0), (DIVIDE, s)
        return (LOG, 0.0, 0.0), (LINEAR, -beta, 0.0), (EXP, 0.0, 0.0)

    def _cut(self, md: MemoryDesc) -> tuple[MemoryDesc, int, int]:
        """(a piece as one row, number of pieces, images in each)."""
        if md.dtype != FLOAT32:
            raise EngineError("its sums are taken in float32")
        pieces = pieces_of(self.shape[0], md.nbytes)
        if md.padded != md.dims and (self.within or not self.offset > 0):   # s^-beta of a lane that fills up a block
            raise EngineError("the lanes that fill up blocks would not stay 0")
        return self.lib.plain((md.nbytes // 4 // pieces,)), pieces, self.shape[0] // pieces

    def _window(self, md: MemoryDesc, images: int, src: Where, dst: Where,
                line: tuple[int, float, float]) -> tuple[Prepared, tuple[partial[np.ndarray], ...]]:
        """W, times a factor and plus a term, and the constants for it."""
        lib, half = self.lib, self.attrs.size // 2
        if self.within:
            piece = lib.like(md, (images, *self.shape[1:]))
            return self._pooling(piece, (self.attrs.size,) * 2, (half, half), src, dst, line), ()
        grid = grid_of(layout_of(md, self.plain), self.shape)
        if grid is None:
            raise EngineError(f"sums over channels do not fit layout {md.tag}")
        _, blocks, places, lanes = grid
        if lanes == 1:
            rows = lib.channels_last((images, places, blocks, 1))
            return self._pooling(rows, (self.attrs.size, 1), (half, 0), src, dst, line), ()
        if blocks > 1:
            return self._convolution(lanes, (images, lanes, blocks, places), half, 0, src, dst, line)
        few = max(n for n in range(1, min(lanes, _LANES) + 1) if lanes % n == 0)
        few = lanes if few < _LANES // 4 else few
        return self._convolution(few, (images, few, places, lanes // few), half, 1, src, dst, line)

    def _pooling(self, md: MemoryDesc, kernel: tuple[int, int], pad: tuple[int, int], src: Where, dst: Where,
                 line: tuple[int, float, float]) -> Prepared:
        """The mean over a window is alpha times the sum over n, so the factor loses its n."""
        count = kernel[0] * kernel[1]
        posts = self.lib.after((line[0], line[1] * count, line[2]))
        desc = self.lib.describe("pooling_forward", INFERENCE, POOL_INCLUDE, md, md, (1, 1), kernel, (0, 0), pad, pad,
                                 attr=posts)
        return Prepared(desc, (Slot(SRC, *src), Slot(DST, *dst)))

    def _convolution(self, lanes: int, shape: tuple[int, ...], half: int, axis: int, src: Where, dst: Where,
                     line: tuple[int, float, float]) -> tuple[Prepared, tuple[partial[np.ndarray], ...]]:
        """axis: 0 where the blocks are rows, 1 where they are columns."""
        lib, blocks = self.lib, shape[2 + axis]
        reach = min(-(-half // lanes), blocks - 1)
        kernel = (2 * reach + 1, 1) if axis == 0 else (1, 2 * reach + 1)
        pad = (reach, 0) if axis == 0 else (0, reach)
        md, plain = lib.channels_last(shape), lib.plain((lanes, lanes, *kernel))
        desc = lib.describe("convolution_forward", INFERENCE, DIRECT_CONVOLUTION, md, lib.any(plain.dims), None, md, (1, 1),
                            (0, 0), pad, pad, attr=lib.after(line))
        band = partial(_band, lib, lanes, reach, half, plain, desc.argument(WEIGHTS))
        return Prepared(desc, (Slot(SRC, *src), Slot(WEIGHTS, "fixed", 0), Slot(DST, *dst))), (band,)


def _band(lib: Library, lanes: int, reach: int, half: int, plain: MemoryDesc, wanted: MemoryDesc) -> np.ndarray:
    """Weights (lanes, lanes, blocks): 1 where a lane of a near block is a neighbour."""
    here = np.arange(lanes)[:, None, None]
    there = np.arange(lanes)[:, None] + lanes * (np.arange(2 * reach + 1) - reach)
    weights = np.ascontiguousarray(np.abs(there - here) <= half, np.float32)
    packed = np.zeros(wanted.nbytes + 64, np.uint8)
    packed = packed[-packed.ctypes.data % 64:][:wanted.nbytes]
    if wanted == plain:
        return weights
    reorder = lib.reorder(plain, wanted)
    reorder.primitive.bind({SRC: weights, DST: packed}, np.zeros(reorder.scratch, np.uint8) if reorder.scratch else None)()
    return packed
