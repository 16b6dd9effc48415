"""Copies between layouts: what the plan puts between a kernel and a buffer that lies otherwise.

Gradients of weights come with blocks of two axes, the outer one innermost. With AVX-512 the library brings them into C order
number by number, down the columns; where rows are as long as a power of two, all of a column falls into the same few lines of
the cache, and it takes up to twenty times as long as a copy. So they go by a layout with the blocks of the outer axis alone,
piece by piece.
"""
from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from caffempi.engines.base import Kernel, Layout, Operands
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import DST, ITEM_BYTES, SRC
from caffempi.engines.onednn.layouts import Form, OneDnnKernel, Prepared, Slot, desc_of
from caffempi.engines.onednn.passes import Passes, pieces_of
from caffempi.engines.onednn.places import c_order
from caffempi.engines.onednn.primitives import MemoryDesc
from caffempi.errors import EngineError

_LANES = 16                                                    # of AVX-512; with AVX2 the library's way is the faster one
_SHORT, _ALIGNED = 1024, 512                                   # bytes: rows shorter than that, or no multiple of this, do well


def reorder(lib: Library, alloc: Callable[[int], np.ndarray], shape: tuple[int, ...], src: Layout, dst: Layout) -> Kernel:
    """The kernel that copies ins[0] in layout src to outs[0] in layout dst, and casts. Raises EngineError for lack of one.

    alloc: gives so many bytes of memory for what lies between two steps; kernels may share them.
    """
    forms = [layout.key for layout in (src, dst) if isinstance(layout.key, Form)]
    plain = forms[0].plain if forms else lib.plain((prod(shape),))
    a, b = desc_of(src, plain), desc_of(dst, plain)
    if a is None or b is None or src == dst:
        raise EngineError(f"engine onednn cannot bring data from layout {src.tag} into {dst.tag}")
    steps = _by_rows(lib, a, b)
    return OneDnnKernel(_copy(lib, a, b, ("ins", 0), ("outs", 0))) if steps is None else _Stepwise(steps, alloc)


def _copy(lib: Library, a: MemoryDesc, b: MemoryDesc, source: tuple[str, int], target: tuple[str, int]) -> Prepared:
    return Prepared(lib.reorder(a, b), (Slot(SRC, *source), Slot(DST, *target)))


def _by_rows(lib: Library, a: MemoryDesc, b: MemoryDesc) -> Passes | None:
    """The two steps from blocks of two axes to C order; None where one step does as well."""
    row = b.strides[0] * ITEM_BYTES[b.dtype]
    if (len(a.blocks) != 2 or a.blocks[1] != (0, _LANES) or a.dtype != b.dtype or b.blocks or b.strides != c_order(b.dims)
            or a.padded[0] != a.dims[0] or a.strides[0] != max(a.strides) or row < _SHORT or row % _ALIGNED):
        return None
    pieces = pieces_of(a.dims[0] // _LANES, a.nbytes)
    shape, axes = (a.dims[0] // pieces, *a.dims[1:]), "abcdefghijkl"[:len(a.dims)]
    try:
        source, rows, target = lib.like(a, shape), lib.named(shape, f"A{axes[1:]}{_LANES}a"), lib.plain(shape)
        steps = _copy(lib, source, rows, ("ins", 0), ("temps", 0)), _copy(lib, rows, target, ("temps", 0), ("outs", 0))
    except EngineError:
        return None
    return Passes(steps, pieces, (rows.nbytes,))


class _Stepwise:
    """Runs steps whose middle lies in memory that is shared with others."""

    def __init__(self, steps: Passes, alloc: Callable[[int], np.ndarray]) -> None:
        self._kernel, self._alloc, self._nbytes = steps.compile(), alloc, steps.scratch

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """See Kernel."""
        return self._kernel.bind(ptrs._replace(scratch=self._alloc(self._nbytes)))


def movable(lib: Library, form: Form) -> bool:
    """Whether data can be brought into the form and back by other than reference code."""
    try:
        lib.reorder(form.plain, form.desc)
        lib.reorder(form.desc, form.plain)
    except EngineError:
        return False
    return True
