"""Kernels with their arrays: what a step of the cuda engine runs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from caffempi.engines.base import Operands
from caffempi.engines.cuda.rule import NULL, Arg, Given, Launch, Scratch, Slot
from caffempi.ops.philox import Rng


def rng_words(rng: Rng) -> np.ndarray:
    """(4,) uint32: key and ordinal of the run, low word first, as kernels that draw numbers read them."""
    return np.array([*rng.key, rng.run & 0xFFFFFFFF, rng.run >> 32], np.uint32)


class CudaKernel:
    """A call's compiled kernels, in order; none for a call without elements."""

    def __init__(self, cupy: Any, launches: Sequence[Launch], functions: Sequence[Any], stream: Any) -> None:
        self._cupy, self._launches, self._functions, self._stream = cupy, launches, functions, stream

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """The starts of the kernels on the compute stream, arguments packed; ptrs hold arrays of the device."""
        words: dict[str, Any] = {}
        calls = [partial(function, n.grid, n.block, tuple(self._argument(a, ptrs, words) for a in n.args), stream=self._stream)
                 for n, function in zip(self._launches, self._functions, strict=True)]
        if "rng" in words:
            calls.insert(0, partial(self._renew, ptrs.rng, words["rng"]))
        if len(calls) == 1:
            return calls[0]

        def run() -> None:
            for call in calls:
                call()
        return run

    def _argument(self, arg: Arg, ptrs: Operands, words: dict[str, Any]) -> Any:
        """What is handed to CuPy. words: small arrays that the kernels of this call share, made when asked for."""
        if isinstance(arg, Scratch):
            assert ptrs.scratch is not None
            return ptrs.scratch[arg.offset:arg.offset + arg.nbytes].view(arg.dtype)
        if isinstance(arg, Given):
            return self._array(arg.array)
        if not isinstance(arg, Slot):
            return arg
        if arg.kind == "add":
            return np.int32(ptrs.add)
        if arg.kind in ("rng", "fault"):
            if arg.kind not in words:
                words[arg.kind] = self._array(np.zeros(4, np.uint32) if arg.kind == "rng" else np.zeros(1, np.int32))
            return words[arg.kind]
        arrays = getattr(ptrs, arg.kind)
        return NULL if arg.kind == "saved" and not arrays else arrays[arg.place]

    def _array(self, values: np.ndarray) -> Any:
        """Those numbers on the device, before anything that the compute stream is given from now on."""
        memory = self._cupy.cuda.alloc(max(values.nbytes, 1))
        array = self._cupy.ndarray(values.shape, values.dtype, memptr=memory)
        array.set(values, stream=self._stream)
        self._stream.synchronize()
        return array

    def _renew(self, rng: Rng, words: Any) -> None:
        """Brings the run's ordinal to the device."""
        words.set(rng_words(rng), stream=self._stream)
