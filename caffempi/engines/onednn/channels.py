"""What works channel by channel (axis 1): vectors over the channels, and sums over all else, in whatever layout a blob lies.

A vector (C) beside a blob in a blocked layout must lie in blocks too, padded with zeros: `ChannelKernel` keeps such copies
and renews them at each run, a few hundred numbers. Sums read the buffer as (N, blocks, places, channels of a block).
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np

from caffempi.engines.base import PLAIN, Kernel, Layout, Operands
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import FLOAT32
from caffempi.engines.onednn.layouts import Form, OneDnnKernel, Prepared, in_order
from caffempi.engines.onednn.primitives import MemoryDesc

Grid = tuple[int, int, int, int]
Refresh = Callable[[Operands, Sequence[np.ndarray]], None]
_PIECE, _WORDS = 4096, 1 << 17                                  # places summed at once; words widened at once
_UP, _UPPER = np.uint32(16), np.uint32(0xFFFF0000)


def vector_of(lib: Library, desc: MemoryDesc) -> MemoryDesc:
    """One float32 number a channel, in the layout of a blob of that description: (1, C, 1, ...)."""
    shape = (1, desc.dims[1], *[1] * (len(desc.dims) - 2))
    return lib.like(desc, shape, FLOAT32) if desc.blocks else lib.plain(shape)


@dataclass(frozen=True)
class Channelwise:
    """Payload: a primitive some of whose slots, of kind 'vectors', are vectors that `refresh` fills before each run.

    sizes: numbers in each vector, its padding included. refresh(operands, vectors); after(operands, vectors): what follows.
    """

    prepared: Prepared
    sizes: tuple[int, ...]
    refresh: Refresh | None = None
    after: Refresh | None = None

    @property
    def impl(self) -> str:
        """The library's name of the primitive."""
        return self.prepared.impl

    def compile(self) -> Kernel:
        """See ChannelKernel."""
        return ChannelKernel(self)


class ChannelKernel:
    """A primitive between what prepares its vectors and what reads them."""

    def __init__(self, made: Channelwise) -> None:
        self._made, self._kernel = made, OneDnnKernel(made.prepared)

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """The vectors are this binding's own, 64-byte aligned."""
        vectors = [_aligned(n) for n in self._made.sizes]
        main = self._kernel.bind(ptrs, vectors=vectors)
        calls: list[Callable[[], None]] = []
        if self._made.refresh:
            calls.append(partial(self._made.refresh, ptrs, vectors))
        calls.append(main)
        if self._made.after:
            calls.append(partial(self._made.after, ptrs, vectors))
        return in_order(calls)


def _aligned(count: int) -> np.ndarray:
    raw = np.zeros(count * 4 + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start:start + count * 4].view(np.float32)


def copies(*places: int) -> Refresh:
    """Puts ins[places[k]], (C) numbers, into vector k."""
    def refresh(ptrs: Operands, vectors: Sequence[np.ndarray]) -> None:
        for v, at in zip(vectors, places, strict=False):
            w = ptrs.ins[at].reshape(-1)
            v[:w.size] = w
    return refresh


def grid_of(layout: Layout, shape: tuple[int, ...]) -> Grid | None:
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


class ChannelSums:
    """out[c] = sum of a (or of a b) over all but the channels, on buffers as they lie; ins a and perhaps b.

    negative: of b only what is not above 0 counts. Of a alone the images are added up first: one pass over memory in the
    order in which it lies. Of a product each image's places are, in float32, then the images in float64. scratch: bytes.
    """

    def __init__(self, channels: int, grid: Grid, a: int = 0, b: int | None = None, negative: bool = False) -> None:
        self._channels, self._grid, self._at, self._negative = channels, grid, (a, b), negative
        self.scratch = 4 * prod(grid[1:]) if b is None else 0

    def compile(self) -> Kernel:
        """Nothing needs to be made."""
        return self

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """Matrix products with ones."""
        images, blocks, places, lanes = self._grid
        out, channels = ptrs.outs[0], self._channels
        ones = np.ones(max(images, places), np.float32)

        def cube(at: int) -> np.ndarray:
            return np.frombuffer(ptrs.ins[at].data, np.float32, prod(self._grid)).reshape(images, blocks, places, lanes)

        def write(totals: np.ndarray) -> None:
            sums = totals.reshape(-1)[:channels]
            out[...] = sums.reshape(out.shape) if out.size == channels else sums.sum(dtype=np.float64)
        a = cube(self._at[0])
        if self._at[1] is None:
            assert ptrs.scratch is not None
            image = ptrs.scratch[:self.scratch].view(np.float32)
            rows, columns = a.reshape(images, -1), image.reshape(blocks, places, lanes)

            def alone() -> None:
                np.matmul(ones[:images], rows, out=image)
                write(columns[..., 0] @ ones[:places] if lanes == 1 else ones[:places] @ columns)
            return alone
        b, negative = cube(self._at[1]), self._negative
        sums = np.empty((images, blocks, lanes), np.float32)

        def product() -> None:
            for i in range(images):
                other = np.minimum(b[i], 0) if negative else b[i]
                np.matmul(ones[:places], a[i] * other, out=sums[i])
            write(sums.sum(0, dtype=np.float64))
        return product


class HalfSums:
    """out[c] = sum of a over all but the channels, a = ins[0] of type bfloat16 with an even number of lanes.

    A bfloat16 is the upper half of a float32. Two neighbours are taken as one word, whose halves become numbers by a shift and
    by a mask, in pieces that stay in the cache. The images are added up first, then pieces of the places, both in float32; all
    else in float64. scratch: bytes.
    """

    def __init__(self, channels: int, grid: Grid) -> None:
        self._channels, self._grid = channels, grid
        self.scratch = 4 * prod(grid[1:])

    def compile(self) -> Kernel:
        """Nothing needs to be made."""
        return self

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """Matrix products with ones, piece by piece."""
        assert ptrs.scratch is not None
        images, blocks, places, lanes = self._grid
        out, channels, width = ptrs.outs[0], self._channels, prod(self._grid[1:]) // 2
        words = np.frombuffer(ptrs.ins[0].data, np.uint32, images * width).reshape(images, width)
        step = min(width, max(1, _WORDS // images))
        buffer, ones = np.empty((images, step), np.uint32), np.ones(max(images, _PIECE), np.float32)
        halves = ptrs.scratch[:self.scratch].view(np.float32).reshape(2, width)
        planes = halves.reshape(2, blocks, places, lanes // 2)

        def run() -> None:
            for start in range(0, width, step):
                piece = words[:, start:start + step]
                part = buffer[:, :piece.shape[1]]
                for half, widen, by in zip(halves, (np.left_shift, np.bitwise_and), (_UP, _UPPER), strict=True):
                    widen(piece, by, out=part)
                    np.matmul(ones[:images], part.view(np.float32), out=half[start:start + step])
            total = np.zeros((2, blocks, lanes // 2))
            for start in range(0, places, _PIECE):
                some = planes[:, :, start:start + _PIECE]
                total += ones[:some.shape[2]] @ some
            out[...] = np.moveaxis(total, 0, 2).reshape(-1)[:channels].reshape(out.shape)
        return run
