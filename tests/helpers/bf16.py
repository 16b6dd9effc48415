"""bfloat16 on machines whose oneDNN has none: its own kernels of float32, with what they read widened and what they write rounded.

That is what the kernels of CPUs with such instructions compute: products of bfloat16 numbers are exact in float32, sums are
float32, and the result is rounded once. Layouts, reorders (with their casts), packs and buffers are the engine's own.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import (
    BFLOAT16,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    FLOAT32,
    MULTIPLE_SRC,
    SRC,
    SRC_1,
    WEIGHTS,
)
from caffempi.engines.onednn.primitives import MemoryDesc, Primitive, PrimitiveDesc

# Kind of primitive -> place of a memory description among the arguments of `describe` -> ids of the arguments that lie so.
_PLACES: dict[str, dict[int, tuple[int, ...]]] = {
    "convolution_forward": {2: (SRC,), 3: (WEIGHTS,), 5: (DST,)},
    "convolution_backward_data": {1: (DIFF_SRC,), 2: (WEIGHTS,), 3: (DIFF_DST,)},
    "convolution_backward_weights": {1: (SRC,), 2: (DIFF_WEIGHTS,), 4: (DIFF_DST,)},
    "inner_product_forward": {1: (SRC,), 2: (WEIGHTS,), 4: (DST,)},
    "inner_product_backward_data": {0: (DIFF_SRC,), 1: (WEIGHTS,), 2: (DIFF_DST,)},
    "inner_product_backward_weights": {0: (SRC,), 1: (DIFF_WEIGHTS,), 3: (DIFF_DST,)},
    "pooling_forward": {2: (SRC,), 3: (DST,)},
    "pooling_backward": {1: (DIFF_SRC,), 2: (DIFF_DST,)},
    "lrn_forward": {2: (SRC,), 3: (DST,)},
    "lrn_backward": {1: (DIFF_SRC,), 2: (DIFF_DST,), 3: (SRC,)},
    "eltwise_forward": {2: (SRC,), 3: (DST,)},
    "eltwise_backward": {1: (DIFF_SRC,), 2: (DIFF_DST,), 3: (SRC, DST)},
    "batch_normalization_forward": {1: (SRC,), 2: (DST,)},
    "batch_normalization_backward": {1: (DIFF_SRC,), 2: (DIFF_DST,), 3: (SRC,)},
    "binary": {1: (SRC,), 2: (SRC_1,), 3: (DST,)},
    "sum": {0: (DST,)},
    "prelu_forward": {1: (SRC,), 3: (DST,)},
    "prelu_backward": {0: (SRC,), 2: (DIFF_SRC,), 4: (DIFF_DST,)},
}


def widen(halves: np.ndarray) -> np.ndarray:
    """bfloat16 numbers, as uint16, in float32."""
    return (halves.astype(np.uint32) << 16).view(np.float32)


def narrow(numbers: np.ndarray) -> np.ndarray:
    """float32 numbers as bfloat16 in uint16: to the nearest, halfway to the even one; NaN stays NaN."""
    bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(numbers), np.uint16(0x7FC0), rounded)


def rounded(numbers: np.ndarray) -> np.ndarray:
    """float32 numbers rounded to bfloat16, in float32."""
    return widen(narrow(np.asarray(numbers, np.float32)))


class RoundingLibrary(Library):
    """The library, as if its CPU had bfloat16."""

    def __init__(self) -> None:
        super().__init__()
        self.types = (BFLOAT16, FLOAT32)

    def describe(self, kind: str, *args: Any, attr: Any = None, hint: bool = False) -> PrimitiveDesc:
        """As the library does, on float32 in place of bfloat16."""
        halves: dict[int, None] = {}
        if kind != "reorder":
            for place, ids in _PLACES.get(kind, {}).items():
                if isinstance(args[place], MemoryDesc) and args[place].dtype == BFLOAT16:
                    halves |= dict.fromkeys(ids)
            args = tuple([self._wide(x) for x in a] if isinstance(a, list) and isinstance(a[0], MemoryDesc) else self._wide(a)
                         for a in args)
            if kind == "sum" and halves:
                halves |= dict.fromkeys(MULTIPLE_SRC + i for i in range(len(args[3])))
        desc = super().describe(kind, *args, attr=attr, hint=hint)
        return RoundingDesc(self, desc, halves, {DIFF_SRC} if "backward" in kind else {DST}) if halves else desc

    def _wide(self, a: Any) -> Any:
        if not isinstance(a, MemoryDesc) or a.dtype != BFLOAT16:
            return a
        return self.any(a.dims) if a.key is None else self.twin(a, FLOAT32)

    def twin(self, desc: MemoryDesc, dtype: int) -> MemoryDesc:
        """The same layout for numbers of another type."""
        return self.like(desc, desc.dims, dtype) if desc.blocks else desc.cast(dtype)


class RoundingDesc(PrimitiveDesc):
    """An implementation for float32 that shows itself as one for bfloat16. written: ids of what it may write so."""

    def __init__(self, library: RoundingLibrary, wide: PrimitiveDesc, halves: Mapping[int, None], written: set[int]) -> None:
        super().__init__(library, wide._handle, wide._keeps)
        self.wide, self.halves, self.written = wide, halves, written

    def argument(self, which: int) -> MemoryDesc:
        """How the argument of that id must lie."""
        found = self.wide.argument(which)
        return self._library.twin(found, BFLOAT16) if which in self.halves else found

    @cached_property
    def primitive(self) -> Any:
        """See RoundingPrimitive."""
        return RoundingPrimitive(self)


class RoundingPrimitive:
    """Runs the float32 primitive between what widens its ins and what rounds its outs."""

    def __init__(self, desc: RoundingDesc) -> None:
        self._desc, self._wide = desc, Primitive(desc.wide)

    def bind(self, arrays: Mapping[int, np.ndarray], scratch: np.ndarray | None) -> Callable[[], None]:
        """The calls on copies in float32."""
        given, before, after = dict(arrays), [], []
        for which, array in arrays.items():
            if which not in self._desc.halves:
                continue
            raw = np.frombuffer(array.data, np.uint16, self._desc.argument(which).elements)
            copy = given[which] = np.zeros(raw.size + 16, np.float32)[:raw.size]
            (after if which in self._desc.written else before).append((raw, copy))
        main = self._wide.bind(given, scratch)

        def run() -> None:
            for raw, copy in before:
                copy[...] = widen(raw)
            main()
            for raw, copy in after:
                raw[...] = narrow(copy)
        return run
