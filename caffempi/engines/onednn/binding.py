"""oneDNN's C API (version 3) through ctypes: the one file that knows the library's calls, structs and numbers.

Formulas and argument meanings: oneDNN developer guide, chapters "Basic Concepts" and "Primitives" (C API). The numbers
below are those of dnnl_types.h; of the format tags only `any` is used, because the others change between versions. All
calls are synchronous on a CPU. Every primitive is made with scratch memory given by the caller: the library's own is tied
to the thread that made the primitive.
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_float, c_int, c_int64, c_size_t, c_void_p
from functools import cached_property, partial
from typing import Any

import numpy as np

from caffempi.engines.onednn.find import INSTALL, find_library
from caffempi.engines.onednn.places import axes_of, c_order, tag_of
from caffempi.errors import EngineError

TRAINING, INFERENCE = 64, 96
DIRECT_CONVOLUTION, RELU, POOL_MAX, POOL_INCLUDE, POOL_EXCLUDE = 1, 0x20, 0x1FF, 0x2FF, 0x3FF
SRC, DST, WEIGHTS, BIAS, WORKSPACE, SCRATCH = 1, 17, 33, 41, 64, 80
DIFF_SRC, DIFF_DST, DIFF_WEIGHTS = 129, 145, 161                  # argument ids of execute
_STATUS = {1: "out of memory", 2: "invalid arguments", 3: "not implemented", 4: "no further implementation",
           5: "error while running", 6: "not required"}
_ISA = {0x1: "sse4.1", 0x3: "avx", 0x7: "avx2", 0xF: "avx2_vnni", 0x1F: "avx2_vnni_2", 0x27: "avx512_core",
        0x67: "avx512_core_vnni", 0xE7: "avx512_core_bf16", 0x1EF: "avx512_core_fp16", 0xFEF: "avx512_core_amx"}
_FLOAT32, _ANY, _BLOCKED, _MAX_DIMS = 3, 1, 2, 12
_Q_IMPL, _Q_SCRATCH_MD, _Q_ARG_MD = 8, 136, 255
_Q_NDIMS, _Q_DIMS, _Q_DTYPE, _Q_PADDED, _Q_KIND, _Q_NBLKS, _Q_BLKS, _Q_IDXS, _Q_STRIDES = (
    256, 257, 258, 260, 262, 263, 264, 265, 14)


class _Handle:
    """An object of the library, freed with this one."""

    def __init__(self, pointer: c_void_p, free: Callable[[c_void_p], Any]) -> None:
        self.pointer, self._free = pointer, free

    def __del__(self) -> None:
        self._free(self.pointer)


class _Argument(Structure):
    _fields_ = (("id", c_int), ("memory", c_void_p))


class MemoryDesc:
    """How the elements of a float32 (or workspace) tensor lie in memory, or `any`: the library's choice.

    key: None for any; else equal for two descriptions exactly where every element lies at the same place, whatever the
    library calls them. handle: the library's object; owner: what keeps it alive.
    """

    def __init__(self, library: Library, handle: c_void_p, owner: object) -> None:
        self._library, self.handle, self._owner = library, handle, owner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemoryDesc) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"{self.tag}{list(self.dims)}"

    def _query(self, what: int, kind: Any) -> Any:
        result = kind()
        self._library.call("dnnl_memory_desc_query", self.handle, what, byref(result))
        return result

    def _dims(self, what: int) -> tuple[int, ...]:
        return tuple(self._query(what, POINTER(c_int64))[:self._query(_Q_NDIMS, c_int).value])

    @cached_property
    def dims(self) -> tuple[int, ...]:
        """Logical sizes."""
        return self._dims(_Q_DIMS)

    @cached_property
    def padded(self) -> tuple[int, ...]:
        """Sizes with the lanes that fill up the last block."""
        return self._dims(_Q_PADDED)

    @cached_property
    def nbytes(self) -> int:
        """Bytes of memory, padding included."""
        return int(self._library.c.dnnl_memory_desc_get_size(self.handle))

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """Elements between neighbours along each axis, between blocks where the axis is blocked."""
        return self._dims(_Q_STRIDES)

    @cached_property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """(axis, size) of the inner blocks, outermost first."""
        n = self._query(_Q_NBLKS, c_int).value
        sizes, axes = self._query(_Q_BLKS, POINTER(c_int64)), self._query(_Q_IDXS, POINTER(c_int64))
        return tuple((axes[i], sizes[i]) for i in range(n))

    @cached_property
    def key(self) -> Any:
        """See the class: dtype, dims, padded, and `axes_of` them."""
        kind = self._query(_Q_KIND, c_int).value
        if kind == _ANY:
            return None
        if kind != _BLOCKED:
            raise EngineError("oneDNN wants a memory format that only it can describe")
        axes = axes_of(self.padded, self.strides, self.blocks)
        return self._query(_Q_DTYPE, c_int).value, self.dims, self.padded, axes

    @property
    def tag(self) -> str:
        """oneDNN's kind of name for the layout, such as aBcd16b."""
        return tag_of(self.strides, self.blocks)


class PrimitiveDesc:
    """An implementation that the library chose for an operation. impl: its name."""

    def __init__(self, library: Library, handle: _Handle, keeps: tuple[Any, ...]) -> None:
        self._library, self._handle, self._keeps = library, handle, keeps
        self.pointer = handle.pointer
        name = c_char_p()
        library.call("dnnl_primitive_desc_query", self.pointer, _Q_IMPL, 0, byref(name))
        self.impl = (name.value or b"").decode()
        self._arguments: dict[int, MemoryDesc] = {}

    @property
    def reference(self) -> bool:
        """Whether it is the library's reference code."""
        return "ref" in self.impl

    def argument(self, which: int) -> MemoryDesc:
        """How the argument of that id must lie."""
        if which not in self._arguments:
            self._arguments[which] = self._md(_Q_ARG_MD, which)
        return self._arguments[which]

    @cached_property
    def scratch(self) -> int:
        """Bytes of scratch memory wanted."""
        return self._md(_Q_SCRATCH_MD, 0).nbytes

    def _md(self, what: int, index: int) -> MemoryDesc:
        found = self._library.c.dnnl_primitive_desc_query_md(self.pointer, what, index)
        if not found:
            raise EngineError(f"oneDNN's {self.impl} has no argument {index}")
        return MemoryDesc(self._library, c_void_p(found), self._handle)


class Primitive:
    """A compiled operation: `bind` gives its call on fixed memory."""

    def __init__(self, desc: PrimitiveDesc) -> None:
        self.desc, self._library = desc, desc._library
        self._handle = self._library.make("dnnl_primitive_create", "dnnl_primitive_destroy", desc.pointer)

    def bind(self, arrays: Mapping[int, np.ndarray], scratch: np.ndarray | None) -> Callable[[], None]:
        """arrays: argument id -> contiguous array of at least the argument's bytes, kept alive by the call returned."""
        given = dict(arrays)
        if self.desc.scratch:
            if scratch is None:
                raise EngineError(f"oneDNN's {self.desc.impl} wants scratch memory")
            given[SCRATCH] = scratch
        memory = [self._library.memory(self.desc.argument(a), array) for a, array in given.items()]
        arguments: Any = (_Argument * len(given))(*[_Argument(a, m.pointer) for a, m in zip(given, memory, strict=True)])
        arguments.keeps = self, memory, list(given.values())    # the struct holds bare addresses
        return partial(self._library.execute, self._handle.pointer, self._library.stream, c_int(len(given)), arguments)


class Library:
    """A loaded libdnnl.so.3 with an engine and a stream. Raises EngineError where there is none that works.

    path: the file (default: those of `find_library`). version: "3.2.0". isa: the instruction set that its kernels use;
    DNNL_MAX_CPU_ISA in the environment limits it.
    """

    def __init__(self, path: str | None = None) -> None:
        self.c = self._load([path] if path is not None else list(find_library()))
        for name, restype in (("dnnl_primitive_desc_query_md", c_void_p), ("dnnl_memory_desc_get_size", c_size_t),
                              ("dnnl_version", c_void_p)):
            getattr(self.c, name).restype = restype
        self.c.dnnl_primitive_desc_query_md.argtypes = (c_void_p, c_int, c_int)
        numbers = (c_int * 3).from_address(self.c.dnnl_version())
        self.version = ".".join(str(n) for n in numbers)
        if numbers[0] != 3:
            raise EngineError(f"oneDNN {self.version} has another interface than version 3", fix=INSTALL)
        self.isa = _ISA.get(self.c.dnnl_get_effective_cpu_isa(), hex(self.c.dnnl_get_effective_cpu_isa()))
        self._engine = self.make("dnnl_engine_create", "dnnl_engine_destroy", 1, c_size_t(0))
        self._stream = self.make("dnnl_stream_create", "dnnl_stream_destroy", self._engine.pointer, 1)
        self.engine, self.stream = self._engine.pointer, self._stream.pointer
        self.execute = self.c.dnnl_primitive_execute
        self.execute.restype = partial(_check, "a primitive")
        self.attr = self._attr(None)

    @staticmethod
    def _load(paths: Sequence[str]) -> ctypes.CDLL:
        reasons = []
        for path in paths:
            try:
                library = ctypes.CDLL(path)
                library.dnnl_memory_desc_create_with_strides   # noqa: B018 (version 3 has it; raises AttributeError)
                return library
            except (OSError, AttributeError) as e:
                reasons.append(f"{path}: {e}")
        raise EngineError("oneDNN's libdnnl.so.3 cannot be loaded (" + "; ".join(reasons) + ")", fix=INSTALL)

    def call(self, name: str, *args: Any) -> None:
        """One call that returns a status. Raises EngineError with the status in words."""
        _check(name, getattr(self.c, name)(*args))

    def make(self, create: str, destroy: str, *args: Any) -> _Handle:
        """A new object of the library."""
        pointer = c_void_p()
        self.call(create, byref(pointer), *args)
        return _Handle(pointer, getattr(self.c, destroy))

    def any(self, shape: Sequence[int]) -> MemoryDesc:
        """A tensor whose layout the library may choose."""
        return self._desc("dnnl_memory_desc_create_with_tag", shape, _ANY)

    def strided(self, shape: Sequence[int], strides: Sequence[int]) -> MemoryDesc:
        """A tensor with those strides in elements."""
        return self._desc("dnnl_memory_desc_create_with_strides", shape, _dims(strides))

    def plain(self, shape: Sequence[int]) -> MemoryDesc:
        """A tensor in C order."""
        return self.strided(shape, c_order(shape))

    def channels_last(self, shape: Sequence[int]) -> MemoryDesc:
        """A tensor (N, C, size...) that lies as (N, size..., C)."""
        last = c_order((shape[0], *shape[2:], shape[1]))
        return self.strided(shape, (last[0], last[-1], *last[1:-1]))

    def _desc(self, create: str, shape: Sequence[int], how: Any) -> MemoryDesc:
        handle = self.make(create, "dnnl_memory_desc_destroy", len(shape), _dims(shape), _FLOAT32, how)
        return MemoryDesc(self, handle.pointer, handle)

    def memory(self, desc: MemoryDesc, array: np.ndarray) -> _Handle:
        """The library's name for an array's memory. Raises EngineError where the array is too small for `desc`."""
        if array.nbytes < desc.nbytes or not array.flags.c_contiguous:
            raise EngineError(f"an array of {array.nbytes} bytes cannot hold {desc!r}, which takes {desc.nbytes}")
        return self.make("dnnl_memory_create", "dnnl_memory_destroy", desc.handle, self.engine, c_void_p(array.ctypes.data))

    def relu_after(self, slope: float) -> _Handle:
        """The attribute of a primitive whose output goes through a ReLU with that slope for negative values."""
        ops = self.make("dnnl_post_ops_create", "dnnl_post_ops_destroy")
        self.call("dnnl_post_ops_append_eltwise", ops.pointer, RELU, c_float(slope), c_float(0))
        return self._attr(ops)

    def _attr(self, ops: _Handle | None) -> _Handle:
        attr = self.make("dnnl_primitive_attr_create", "dnnl_primitive_attr_destroy")
        self.call("dnnl_primitive_attr_set_scratchpad_mode", attr.pointer, 1)
        if ops is not None:
            self.call("dnnl_primitive_attr_set_post_ops", attr.pointer, ops.pointer)
        return attr

    def describe(self, kind: str, *args: Any, attr: _Handle | None = None, hint: bool = False) -> PrimitiveDesc:
        """dnnl_KIND_primitive_desc_create(engine, args..., attr). Raises EngineError where the library has no such thing.

        Tuples become dims, floats C floats. hint: only to be given to another call, so that reference code is welcome.
        """
        keeps = (*args, attr or self.attr)
        first = [] if kind == "reorder" else [self.engine]
        handle = self.make(f"dnnl_{kind}_primitive_desc_create", "dnnl_primitive_desc_destroy", *first,
                           *[_c_argument(a) for a in keeps])
        desc = PrimitiveDesc(self, handle, keeps)
        if desc.reference and not hint:
            raise EngineError(f"oneDNN has only reference code for this {kind.replace('_', ' ')} ({desc.impl})")
        return desc

    def reorder(self, src: MemoryDesc, dst: MemoryDesc) -> PrimitiveDesc:
        """The copy from one layout to another."""
        return self.describe("reorder", src, self.engine, dst, self.engine)


def _check(what: str, status: int) -> None:
    if status:
        raise EngineError(f"oneDNN: {what}: {_STATUS.get(status, f'status {status}')}")


def _c_argument(a: Any) -> Any:
    if isinstance(a, MemoryDesc):
        return a.handle
    if isinstance(a, (PrimitiveDesc, _Handle)):
        return a.pointer
    if isinstance(a, tuple):
        return _dims(a)
    return c_float(a) if isinstance(a, float) else a


def _dims(sizes: Sequence[int]) -> Any:
    return (c_int64 * _MAX_DIMS)(*sizes)
