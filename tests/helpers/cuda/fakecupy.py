"""A stand-in for the part of CuPy that the cuda engine may use, on NumPy memory and kernels built for the host.

`make_cupy(seed)` gives a fresh module object with its own device. It is stricter than CuPy: a host array never passes for
a device array, kernel arguments must have the exact types of the C++ parameters, every allocation starts as NaN and has
guards that are checked after each launch, launch dimensions must be legal. What it lacks (operators, ufuncs, reductions,
fancy indexing, random numbers, cupy.matmul) the engine must not use: it would need hidden memory or fail under capture.
"""
from __future__ import annotations

import ctypes
import math
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from tests.helpers.cuda.build import Entry, scalar, word
from tests.helpers.cuda.fakestream import FakeCudaError, FakeDevice, FakeEvent, FakeStream, elapsed
from tests.helpers.cuda.hostrun import Kernels, built

ALIGN, GUARD_BYTES = 512, 64
GUARD = np.array([0xBD, 0xFF], np.uint8)
"""Repeated: NaN in every float type, so that reads outside are seen too, and none that arithmetic makes or keeps."""
MAX_GRID, MAX_BLOCK = (2**31 - 1, 65535, 65535), (1024, 1024, 64)
MAX_SHARED = 48 << 10


class Memory:
    """One allocation, all bits set at first (NaN in every float type), with guards before and behind."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._bytes = np.full(size + 2 * GUARD_BYTES + ALIGN, 0xFF, np.uint8)
        self.start = GUARD_BYTES + -(self._bytes.ctypes.data + GUARD_BYTES) % ALIGN
        self.ptr = self._bytes.ctypes.data + self.start
        self._guards = [self._bytes[:self.start], self._bytes[self.start + size:]]
        for guard in self._guards:
            guard[...] = np.resize(GUARD, guard.size)
        self._clean = [guard.tobytes() for guard in self._guards]

    def view(self, offset: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
        """The memory as an array."""
        size = math.prod(shape) * dtype.itemsize
        if not 0 <= offset <= offset + size <= self.size:
            raise FakeCudaError(f"an array of {size} bytes at {offset} does not lie in its allocation of {self.size}")
        return np.ndarray(shape, dtype, self._bytes.data, self.start + offset)

    def check(self) -> None:
        """Raises where a guard has been written."""
        if [guard.tobytes() for guard in self._guards] != self._clean:
            raise FakeCudaError(f"something wrote outside an allocation of {self.size} bytes")


class MemoryPointer:
    """cupy.cuda.MemoryPointer: an allocation and an offset in it."""

    def __init__(self, device: FakeDevice, mem: Memory, offset: int = 0) -> None:
        self._device, self.mem, self.offset = device, mem, offset

    @property
    def ptr(self) -> int:
        """The address."""
        return self.mem.ptr + self.offset

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self._device, self.mem, self.offset + offset)

    def memset_async(self, value: int, size: int, stream: FakeStream) -> None:
        """Fills `size` bytes."""
        stream.push("fill", partial(self.mem.view(self.offset, (size,), np.dtype(np.uint8)).fill, value))

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: FakeStream) -> None:
        """Copies `size` bytes of the device."""
        to, source = (p.mem.view(p.offset, (size,), np.dtype(np.uint8)) for p in (self, src))
        stream.push("copy", partial(np.copyto, to, source))


class DeviceArray:
    """cupy.ndarray over existing memory: no arithmetic, basic slices, reshape and view; transfers by set and get."""

    def __init__(self, device: FakeDevice, shape: tuple[int, ...], dtype: Any, memptr: MemoryPointer) -> None:
        self.device, self.data, self.shape, self.dtype = device, memptr, tuple(shape), np.dtype(dtype)
        self.host = memptr.mem.view(memptr.offset, self.shape, self.dtype)
        self.size, self.nbytes, self.ndim = self.host.size, self.host.nbytes, self.host.ndim

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise TypeError("a device array does not turn into a NumPy array by itself; use .get()")

    def __len__(self) -> int:
        return len(self.host)

    def _over(self, part: np.ndarray) -> DeviceArray:
        if not part.flags.c_contiguous:
            raise FakeCudaError("kernels take contiguous arrays only")
        at = self.data + (part.ctypes.data - self.host.ctypes.data if part.size else 0)
        return DeviceArray(self.device, part.shape, part.dtype, at)

    def __getitem__(self, index: slice) -> DeviceArray:
        if not isinstance(index, slice):
            raise FakeCudaError("only slices along the first axis are in the subset")
        return self._over(self.host[index])

    def reshape(self, *shape: Any) -> DeviceArray:
        """The same memory in another shape."""
        return self._over(self.host.reshape(*shape))

    def view(self, dtype: Any) -> DeviceArray:
        """The same memory as another dtype."""
        return self._over(self.host.view(dtype))

    def set(self, arr: np.ndarray, stream: FakeStream | None = None) -> None:
        """Copies from the host; the host array must stay as it is until then."""
        self.device.refuse_capture("a copy from the host")
        if not isinstance(arr, np.ndarray) or arr.shape != self.shape or arr.dtype != self.dtype:
            raise FakeCudaError(f"set wants a NumPy array of {self.shape} {self.dtype}")
        self.device.uploaded += self.nbytes
        (stream or self.device.null).push("upload", partial(np.copyto, self.host, arr))

    def get(self, stream: FakeStream | None = None, out: np.ndarray | None = None, blocking: bool = True) -> np.ndarray:
        """A copy on the host, after all that the stream has been given; not blocking: into `out`, some time."""
        self.device.refuse_capture("a copy to the host")
        stream = stream or self.device.null
        if out is None:
            assert blocking
            out = np.empty(self.shape, self.dtype)
        if out.shape != self.shape or out.dtype != self.dtype or not out.flags.c_contiguous:
            raise FakeCudaError(f"get wants an array of {self.shape} {self.dtype} for its out")

        def copy() -> None:
            self.data.mem.check()
            np.copyto(out, self.host)
        stream.push("download", copy)
        if blocking:
            stream.synchronize()
        return out


class RawKernel:
    """A kernel of a RawModule, run by the shim when its stream gets to it."""

    def __init__(self, device: FakeDevice, entry: Entry) -> None:
        self._device, self._entry = device, entry

    def __call__(self, grid: tuple[int, ...], block: tuple[int, ...], args: tuple[Any, ...], *, shared_mem: int = 0,
                 stream: FakeStream) -> None:
        name, params = self._entry.name, self._entry.params
        for what, dims, limits in (("grid", grid, MAX_GRID), ("block", block, MAX_BLOCK)):
            if not isinstance(dims, tuple) or not 1 <= len(dims) <= 3 or any(
                    type(d) is not int or not 1 <= d <= m for d, m in zip(dims, limits, strict=False)):
                raise FakeCudaError(f"{name}: {what} {dims} is not a tuple of ints in 1..{limits}")
        if math.prod(block) > MAX_BLOCK[0] or shared_mem > MAX_SHARED:
            raise FakeCudaError(f"{name}: a block of {math.prod(block)} threads and {shared_mem} bytes cannot be launched")
        if len(args) != len(params):
            raise FakeCudaError(f"{name} takes {len(params)} arguments, not {len(args)}")
        values = [self._value(i, a, p) for i, (a, p) in enumerate(zip(args, params, strict=True))]
        sizes = [*grid, *(1,) * (3 - len(grid)), *block, *(1,) * (3 - len(block))]
        seed = self._device.random.getrandbits(32)

        def run() -> None:
            self._entry.start(sizes, values, shared_mem, seed)
            for a in args:
                if isinstance(a, DeviceArray):
                    a.data.mem.check()
        stream.push("kernel", run)

    def _value(self, i: int, arg: Any, param: str) -> Any:
        """The argument as a C value. Raises where its type is not exactly the parameter's."""
        where = f"{self._entry.name}, argument {i} ({param})"
        if isinstance(arg, DeviceArray):
            if param not in ("pv", "p" + word(arg.dtype), {"uint16": "pb2"}.get(arg.dtype.name)):
                raise FakeCudaError(f"{where}: an array of {arg.dtype}")
            return ctypes.c_void_p(arg.data.ptr)
        if type(arg) is np.uintp and arg == 0 and param.startswith("p"):
            return ctypes.c_void_p(0)
        if not isinstance(arg, np.generic) or word(arg.dtype) != param:
            raise FakeCudaError(f"{where}: {type(arg).__name__}; give a NumPy scalar of that type, or a device array")
        return scalar(arg)


class RawModule:
    """cupy.RawModule over the shim: takes the same text, options and name expressions."""

    def __init__(self, device: FakeDevice, *, code: str, options: tuple[str, ...], name_expressions: tuple[str, ...]) -> None:
        if not isinstance(options, tuple) or not all(isinstance(o, str) for o in options):
            raise TypeError("options must be a tuple of str")
        self._device, self._code, self._names = device, code, tuple(name_expressions)
        self._include = next(Path(o[2:]) for o in options if o.startswith("-I"))
        self._entries: Kernels | None = None

    def get_function(self, name: str) -> RawKernel:
        """The kernel of one of the name expressions, compiled at the first call."""
        self._device.refuse_capture("compiling")
        if self._entries is None:
            self._entries = built(self._code, self._names, self._include)
        if name not in self._entries:
            raise FakeCudaError(f"{name} is not one of the name expressions {self._names}")
        return RawKernel(self._device, self._entries[name])


def make_cupy(seed: int = 0, available: bool = True) -> ModuleType:
    """A module object to put into sys.modules["cupy"]; `fake` on it is its device."""
    device = FakeDevice(seed)

    def alloc(size: int) -> MemoryPointer:
        device.refuse_capture("allocation")
        memory = Memory(size)
        device.memories.add(memory)
        return MemoryPointer(device, memory)

    def alloc_pinned_memory(size: int) -> np.ndarray:
        device.refuse_capture("allocation")
        return np.full(size, 0xFF, np.uint8)

    def memory() -> tuple[int, int]:
        return device.total - sum(m.size for m in device.memories), device.total

    module = ModuleType("cupy")
    cuda = SimpleNamespace(is_available=lambda: available, alloc=alloc, alloc_pinned_memory=alloc_pinned_memory,
                           Device=lambda: device, Stream=partial(FakeStream, device), Event=partial(FakeEvent, device),
                           get_elapsed_time=elapsed, runtime=SimpleNamespace(memGetInfo=memory))
    vars(module).update(fake=device, cuda=cuda, ndarray=partial(DeviceArray, device), RawModule=partial(RawModule, device))
    return module
