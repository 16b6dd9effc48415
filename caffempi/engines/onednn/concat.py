"""Concat, its gradient, and slice (ops/concat.py, ops/slice.py) by strided copies of buffers as they lie.

oneDNN's own concatenation is no faster, and reference code where a part does not start at a block. Here a buffer is (outer,
run): what lies inside the axis is one run, so that each part is a range of columns. In blocked layouts that asks for parts
that fill their blocks, all but the last.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from math import prod

import numpy as np

from caffempi.engines.base import Call, Kernel, Near, Offer, Operands
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import ITEM_BYTES
from caffempi.engines.onednn.layouts import Offers, desc_of, layout_of
from caffempi.engines.onednn.primitives import MemoryDesc
from caffempi.errors import EngineError
from caffempi.ops.concat import ConcatAttrs
from caffempi.ops.shapes import canonical_axis
from caffempi.ops.slice import SliceAttrs


def why_not(call: Call, attrs: ConcatAttrs | SliceAttrs) -> str | None:
    """Every one can be asked for."""
    return None


class Columns:
    """Payload and kernel: copies between parts and the ranges of columns of a whole. join: parts into the whole. item: bytes
    of an element."""

    def __init__(self, outer: int, widths: Sequence[int], join: bool, item: int) -> None:
        self._outer, self._widths, self._join, self._item = outer, list(widths), join, item

    def compile(self) -> Kernel:
        """Nothing needs to be made."""
        return self

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """One copy a part."""
        wholes, parts = (ptrs.outs, ptrs.ins) if self._join else (ptrs.ins, ptrs.outs)
        whole = self._columns(wholes[0], sum(self._widths))
        ends = list(accumulate(self._widths))
        copies = []
        for part, end, width in zip(parts, ends, self._widths, strict=True):
            pair = whole[:, end - width:end], self._columns(part, width)
            copies.append(pair if self._join else pair[::-1])

        def run() -> None:
            for dst, src in copies:
                np.copyto(dst, src)
        return run

    def _columns(self, buffer: np.ndarray, width: int) -> np.ndarray:
        return np.frombuffer(buffer.data, f"u{self._item}", self._outer * width).reshape(self._outer, width)


def join(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConcatAttrs) -> None:
    """concat. ins: the parts."""
    _offer(lib, call, near, offers, attrs.axis, True)


def cut(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConcatAttrs | SliceAttrs) -> None:
    """concat_dx, slice. ins: the whole."""
    _offer(lib, call, near, offers, attrs.axis, False)


def _offer(lib: Library, call: Call, near: Near, offers: Offers, axis: int, joins: bool) -> None:
    specs = [*call.outs, *call.ins] if joins else [*call.ins, *call.outs]
    lies = [*near.outs, *near.ins] if joins else [*near.ins, *near.outs]
    plains = [lib.plain(s.shape) for s in specs]
    axis = canonical_axis(axis, len(specs[0].shape))
    models = [plain if layout is None else desc_of(layout, plain) for layout, plain in zip(lies, plains, strict=True)]

    def way(model: MemoryDesc) -> Offer:
        descs = [lib.like(model, s.shape) for s in specs]
        sizes = [_split(d, axis) for d in descs]
        whole, parts = sizes[0], sizes[1:]
        if len({outer for outer, _ in sizes}) > 1 or sum(width for _, width in parts) != whole[1]:
            raise EngineError(f"a part does not fill its blocks in layout {model.tag}")
        if any(d.padded[axis] != d.dims[axis] for d in descs[1:-1]):
            raise EngineError(f"a part does not fill its blocks in layout {model.tag}")
        layouts = [layout_of(d, plain) for d, plain in zip(descs, plains, strict=True)]
        ends = tuple(layouts[:1]), tuple(layouts[1:])
        payload = Columns(whole[0], [width for _, width in parts], joins, ITEM_BYTES[model.dtype])
        return Offer(*(ends[::-1] if joins else ends), adjacent=whole[0] == 1, cost=0.0, payload=payload)
    offers.attempt([partial(way, m) for m in dict.fromkeys([*[m for m in models if m is not None], plains[0]])])


def _split(desc: MemoryDesc, axis: int) -> tuple[int, int]:
    """(outer, run): how often the axis begins anew in the buffer, and how many elements lie from one beginning to the next."""
    run = desc.padded[axis] * desc.strides[axis] // prod(size for at, size in desc.blocks if at == axis)
    return prod(desc.padded) // run, run
