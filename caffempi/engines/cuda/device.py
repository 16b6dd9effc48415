"""One GPU of this process: its streams, compiled kernels, libraries and memory, shared by all engines that compute on it.

So nets that share params run on one compute stream, in the order in which the program runs them. Nothing here waits for the
GPU but `alloc`, which is for set-up.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from caffempi.engines.base import Event
from caffempi.engines.cuda import blas, cudnn
from caffempi.engines.cuda.mirror import Mirrors
from caffempi.engines.cuda.modules import Modules
from caffempi.errors import DataError
from caffempi.ops.graph import LayerInfo
from caffempi.ops.philox import Rng

FAULTS = 1024
"""Most calls that can report labels or indices out of range."""


class CudaEvent(Event):
    """A mark in a stream of the GPU; without a stream, in the compute stream."""

    def __init__(self, cupy: Any, compute: Any) -> None:
        self._event, self._compute = cupy.cuda.Event(disable_timing=True), compute

    def record(self, stream: Any = None) -> None:
        """Sets the mark behind all that the stream has been given so far."""
        (stream or self._compute).record(self._event)

    def wait(self, stream: Any = None) -> None:
        """What the stream is given from now on runs after the mark; the host does not wait."""
        (stream or self._compute).wait_event(self._event)

    def done(self) -> bool:
        """Whether the GPU has passed the mark; True where none was ever set."""
        return bool(self._event.done)

    def sync(self) -> None:
        """Blocks the host until the GPU has passed the mark."""
        self._event.synchronize()


class Device:
    """The GPU that was current when this was made. modules: compiled kernels; mirrors: what is lent to the host."""

    def __init__(self, cupy: Any) -> None:
        self.cupy = cupy
        self.modules = Modules(cupy)
        self._gpu = cupy.cuda.Device()
        self._streams: dict[str, Any] = {}
        self._words: WeakKeyDictionary[Rng, tuple[Any, list[int]]] = WeakKeyDictionary()
        self.mirrors = Mirrors(self.compute)
        self._checks: list[tuple[str, LayerInfo | None]] = []  # what each word of faults stands for
        self._asked = False                                    # whether the words have been asked for in this run

    # ---- streams
    def stream(self, kind: str) -> Any:
        """The stream 'compute', 'copy' or 'exchange', made at first use; none of them waits on another by itself."""
        if kind not in self._streams:
            self._streams[kind] = self.cupy.cuda.Stream(non_blocking=True)
        return self._streams[kind]

    @cached_property
    def compute(self) -> Any:
        """The stream that kernels run on."""
        return self.stream("compute")

    def event(self) -> CudaEvent:
        """A new event."""
        return CudaEvent(self.cupy, self.compute)

    def capture(self, calls: Sequence[Callable[[], None]]) -> Callable[[], None]:
        """Records what the calls put into the compute stream; the call given puts all of it there again."""
        self.compute.begin_capture()
        try:
            for call in calls:
                call()
        finally:
            graph = self.compute.end_capture()
        return partial(graph.launch, self.compute)

    def here(self) -> Any:
        """A context in which this GPU is the current one, for other threads."""
        return self._gpu

    # ---- libraries
    @cached_property
    def blas(self) -> blas.Blas:
        """cuBLAS on the compute stream. Raises EngineError where it is missing."""
        newest = int(self._gpu.compute_capability) >= 90
        self._workspace = self.alloc(blas.WORKSPACE if newest else blas.WORKSPACE // 8)
        return blas.Blas(blas.load(), self.compute.ptr, (self._workspace.data.ptr, self._workspace.nbytes))

    @cached_property
    def cudnn(self) -> cudnn.Cudnn:
        """cuDNN on the compute stream. Raises EngineError where it is missing."""
        return cudnn.Cudnn.on(cudnn.load(), self.compute.ptr)

    # ---- memory
    def alloc(self, nbytes: int) -> Any:
        """Zeroed bytes (a cupy array of uint8), starting at a multiple of 256."""
        memory = self.cupy.cuda.alloc(max(nbytes, 1))
        self._gpu.synchronize()                                # a recycled block may still be in use by some stream
        memory.memset_async(0, nbytes, self.compute)
        self.compute.synchronize()
        return self.cupy.ndarray((nbytes,), "uint8", memptr=memory)

    def pinned(self, nbytes: int) -> np.ndarray:
        """Bytes of the host that the GPU copies from and to by itself."""
        return np.frombuffer(self.cupy.cuda.alloc_pinned_memory(max(nbytes, 1)), np.uint8)[:nbytes]

    def given(self, values: np.ndarray) -> Any:
        """Those numbers on the device, before anything that the compute stream is given from now on."""
        array = self.alloc(values.nbytes).view(values.dtype).reshape(values.shape)
        array.set(values, stream=self.compute)
        return array

    # ---- what kernels read or write beside their operands
    def words(self, rng: Rng) -> Any:
        """(4,) uint32 on the device: key and ordinal of the run, low word first, kept up to date by `renew_words`."""
        if rng not in self._words:
            self._words[rng] = self.alloc(16).view("uint32"), []
            self.renew_words()
        return self._words[rng][0]

    def renew_words(self) -> None:
        """Before a run: the ordinals of random numbers as they are now, for what the compute stream is given from now on."""
        for rng, (words, held) in self._words.items():
            if held != [rng.run]:
                held[:] = [rng.run]
                words.set(rng_words(rng), stream=self.compute)

    @cached_property
    def faults(self) -> Any:
        """(FAULTS,) int32: a word for each call of `fault`."""
        return self.alloc(4 * FAULTS).view("int32")

    def fault(self, what: str, owner: LayerInfo | None = None) -> Any:
        """(1,) int32 on the device, 0, which a kernel of that name and layer sets to 1 to say so. Calls beyond the last word
        share it."""
        if len(self._checks) < FAULTS:
            self._checks.append((what, owner))
        at = len(self._checks) - 1
        return self.faults[at:at + 1]

    def begin_run(self) -> None:
        """From now on the words of faults are worth a look again."""
        self._asked = False

    def asked_faults(self) -> Any | None:
        """The words of faults in use, once a run; None afterwards, and where there are none."""
        if self._asked or not self._checks:
            return None
        self._asked = True
        return self.faults[:len(self._checks)]

    def raise_faults(self, words: np.ndarray) -> None:
        """Raises DataError for the first word that is not 0."""
        found = np.flatnonzero(words)
        if found.size:
            self.faults.data.memset_async(0, self.faults.nbytes, self.compute)
            what, owner = self._checks[found[0]]
            error = DataError(f"{what}: a label or an index is out of range",
                              fix="look at the labels; engine numpy names the first that is wrong")
            raise error if owner is None else error.at(layer=owner.name, type=owner.type, where=owner.where)


def rng_words(rng: Rng) -> np.ndarray:
    """(4,) uint32: key and ordinal of the run, low word first, as kernels that draw numbers read them."""
    return np.array([*rng.key, rng.run & 0xFFFFFFFF, rng.run >> 32], np.uint32)


@cache
def device_of(cupy: Any, number: int) -> Device:
    """The one Device of that GPU, which is current, in this process."""
    return Device(cupy)
