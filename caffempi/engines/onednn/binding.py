"""oneDNN's C API (version 3) through ctypes: the library, its calls and what they make.

Formulas and argument meanings: oneDNN developer guide, chapters "Basic Concepts" and "Primitives" (C API). Format tags
change their numbers between versions: only `any` is used as a number, others are found by the layouts that they give.
"""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from ctypes import addressof, byref, c_char, c_float, c_int, c_int64, c_size_t, c_void_p
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from caffempi.engines.onednn.codes import BFLOAT16, FLOAT32
from caffempi.engines.onednn.find import INSTALL, find_library
from caffempi.engines.onednn.places import c_order
from caffempi.engines.onednn.primitives import Handle, MemoryDesc, PrimitiveDesc
from caffempi.engines.onednn.sigstack import separate_signal_stack
from caffempi.errors import EngineError

_STATUS = {1: "out of memory", 2: "invalid arguments", 3: "not implemented", 4: "no further implementation",
           5: "error while running", 6: "not required"}
_ISA = {0x1: "sse4.1", 0x3: "avx", 0x7: "avx2", 0xF: "avx2_vnni", 0x1F: "avx2_vnni_2", 0x27: "avx512_core",
        0x67: "avx512_core_vnni", 0xE7: "avx512_core_bf16", 0x1EF: "avx512_core_fp16", 0xFEF: "avx512_core_amx"}
_ANY, _MAX_DIMS, _TAGS = 1, 12, 1000
_ISA_512, _ISA_BF16 = 0x27, 0xA7                                # bits of avx512_core, and with instructions for bf16
_LARGE = 130                                                    # more than two of the largest blocks: no order is hidden


class Library:
    """A loaded libdnnl.so.3 with an engine and a stream. Raises EngineError where there is none that works.

    path: the file (default: those of `find_library`). version: "3.2.0". isa: the instruction set that its kernels use;
    DNNL_MAX_CPU_ISA in the environment limits it. types: data types that it computes in fast: FLOAT32, and before it BFLOAT16
    where the CPU has instructions for it. reference: take its reference code as well, for tests alone; then BFLOAT16 stands
    among the types wherever the library knows it. threads: OpenMP's.
    """

    def __init__(self, path: str | None = None, reference: bool = False) -> None:
        self._reference = reference
        self.c = self._load([path] if path is not None else list(find_library()))
        separate_signal_stack()
        for name, restype in (("dnnl_primitive_desc_query_md", c_void_p), ("dnnl_memory_desc_get_size", c_size_t),
                              ("dnnl_version", c_void_p)):
            getattr(self.c, name).restype = restype
        self.c.dnnl_primitive_desc_query_md.argtypes = (c_void_p, c_int, c_int)
        numbers = (c_int * 3).from_address(self.c.dnnl_version())
        self.version = ".".join(str(n) for n in numbers)
        if numbers[0] != 3:
            raise EngineError(f"oneDNN {self.version} has another interface than version 3", fix=INSTALL)
        # Its cache of primitives takes descriptions as equal that differ in strides of axes of length 1, and hands out a kernel
        # that was made for the other: numbers of arrays of one channel were wrong, or memory was overrun.
        self.call("dnnl_set_primitive_cache_capacity", 0)
        bits = self.c.dnnl_get_effective_cpu_isa()
        self.isa, wanted = _ISA.get(bits, hex(bits)), _ISA_512 if reference else _ISA_BF16
        self.types: tuple[int, ...] = (BFLOAT16, FLOAT32) if bits & wanted == wanted else (FLOAT32,)
        self.threads = int(getattr(self.c, "omp_get_max_threads", lambda: 1)())
        self._engine = self.make("dnnl_engine_create", "dnnl_engine_destroy", 1, c_size_t(0))
        self._stream = self.make("dnnl_stream_create", "dnnl_stream_destroy", self._engine.pointer, 1)
        self.engine, self.stream = self._engine.pointer, self._stream.pointer
        self.query = self.c.dnnl_memory_desc_query
        self.query.restype = partial(_check, "dnnl_memory_desc_query")
        self.execute = self.c.dnnl_primitive_execute
        self.execute.restype = partial(_check, "a primitive")
        self.attr = self._attr(None)
        self._attrs: dict[Any, Handle] = {}
        self._tag_tables: dict[int, dict[str, int]] = {}
        self._memories: WeakValueDictionary[Any, Handle] = WeakValueDictionary()
        self._descs: WeakValueDictionary[Any, MemoryDesc] = WeakValueDictionary()

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

    def make(self, create: str, destroy: str, *args: Any) -> Handle:
        """A new object of the library."""
        pointer = c_void_p()
        self.call(create, byref(pointer), *args)
        return Handle(pointer, getattr(self.c, destroy))

    def any(self, shape: Sequence[int], dtype: int = FLOAT32) -> MemoryDesc:
        """A tensor whose layout the library may choose."""
        return self._desc("dnnl_memory_desc_create_with_tag", shape, dtype, _ANY)

    def strided(self, shape: Sequence[int], strides: Sequence[int], dtype: int = FLOAT32) -> MemoryDesc:
        """A tensor with those strides in elements."""
        return self._desc("dnnl_memory_desc_create_with_strides", shape, dtype, _dims(strides))

    def plain(self, shape: Sequence[int], dtype: int = FLOAT32) -> MemoryDesc:
        """A tensor in C order; a scalar as one number."""
        shape = shape or (1,)
        return self.strided(shape, c_order(shape), dtype)

    def channels_last(self, shape: Sequence[int], dtype: int = FLOAT32) -> MemoryDesc:
        """A tensor (N, C, size...) that lies as (N, size..., C)."""
        last = c_order((shape[0], *shape[2:], shape[1]))
        return self.strided(shape, (last[0], last[-1], *last[1:-1]), dtype)

    def blocked(self, shape: Sequence[int], dtype: int = FLOAT32) -> list[MemoryDesc]:
        """The tensor with its channels in blocks of 16 and of 8, where the library has such layouts."""
        rest = "".join(chr(97 + i) for i in range(2, len(shape)))
        found = []
        for lanes in (16, 8):
            with suppress(EngineError):
                found.append(self.named(shape, f"aB{rest}{lanes}b", dtype))
        return found

    def named(self, shape: Sequence[int], tag: str, dtype: int = FLOAT32) -> MemoryDesc:
        """A tensor in the layout that oneDNN calls so, such as aBcd16b. Raises EngineError where there is none such."""
        number = self._tags(len(shape)).get(tag)
        if number is None:
            raise EngineError(f"oneDNN has no name for layout {tag}")
        return self._desc("dnnl_memory_desc_create_with_tag", shape, dtype, number)

    def like(self, desc: MemoryDesc, shape: Sequence[int], dtype: int | None = None) -> MemoryDesc:
        """A tensor of as many axes that lies in the same order and blocks, of desc's dtype if none is given. Raises EngineError
        where there is none such."""
        dtype = desc.dtype if dtype is None else dtype
        order = sorted(range(len(shape)), key=lambda i: (-desc.strides[i], i))
        if not desc.blocks:
            dense = c_order([shape[i] for i in order])
            return self.strided(shape, [dense[order.index(i)] for i in range(len(shape))], dtype)
        return self.named(shape, desc.tag, dtype)

    def _tags(self, ndim: int) -> dict[str, int]:
        """Name of each layout of so many axes -> its number in this version of the library; looked up once."""
        if ndim not in self._tag_tables:
            table = self._tag_tables[ndim] = {}
            for tag in range(_ANY + 1, _TAGS):
                try:
                    large = self._desc("dnnl_memory_desc_create_with_tag", (_LARGE,) * ndim, FLOAT32, tag)
                    table.setdefault(large.tag, tag)
                except EngineError:
                    continue
        return self._tag_tables[ndim]

    def _desc(self, create: str, shape: Sequence[int], dtype: int, how: Any) -> MemoryDesc:
        asked = create, tuple(shape), dtype, how if isinstance(how, int) else tuple(how)
        found = self._descs.get(asked)
        if found is None:
            handle = self.make(create, "dnnl_memory_desc_destroy", len(shape), _dims(shape), dtype, how)
            found = self._descs[asked] = self.same(MemoryDesc(self, handle.pointer, handle))
        return found

    def same(self, desc: MemoryDesc) -> MemoryDesc:
        """One description for all that the library takes alike, so that comparing them takes no time.

        Equal ones can differ in strides of axes of length 1, or in blocks: the library chooses implementations by those.
        """
        return desc if desc.key is None else self._descs.setdefault((desc.key, desc.strides, desc.blocks), desc)

    def memory(self, desc: MemoryDesc, array: np.ndarray) -> Handle:
        """The library's name for an array's memory. Raises EngineError where the array is too small for `desc`."""
        if array.nbytes < desc.nbytes or not array.flags.c_contiguous:
            raise EngineError(f"an array of {array.nbytes} bytes cannot hold {desc!r}, which takes {desc.nbytes}")
        key = desc, addressof(c_char.from_buffer(array)) if array.size else 0  # type: ignore[arg-type]
        found = self._memories.get(key)
        if found is None:
            found = self._memories[key] = self.make("dnnl_memory_create", "dnnl_memory_destroy", desc.handle, self.engine,
                                                    c_void_p(key[1]))
        return found

    def after(self, *posts: tuple[Any, ...], scaled: tuple[int, ...] = ()) -> Handle:
        """The attribute of a primitive whose output goes through further operations in that order.

        posts: (algorithm, alpha, beta) of element-wise ones, (algorithm, description of the second operand) of binary ones,
        (factor,) for the sum with that multiple of what is overwritten. scaled: arguments that are multiplied by a number
        given when it runs (see `codes.factor_of`).
        """
        key = scaled, tuple((p[0], p[1].key) if len(p) == 2 else p for p in posts)
        if key not in self._attrs:
            ops = self.make("dnnl_post_ops_create", "dnnl_post_ops_destroy")
            for p in posts:
                if len(p) == 1:
                    self.call("dnnl_post_ops_append_sum", ops.pointer, c_float(p[0]), 0, 0)
                elif len(p) == 2:
                    self.call("dnnl_post_ops_append_binary", ops.pointer, p[0], p[1].handle)
                else:
                    self.call("dnnl_post_ops_append_eltwise", ops.pointer, p[0], c_float(p[1]), c_float(p[2]))
            self._attrs[key] = self._attr(ops)
            for argument in scaled:
                self.call("dnnl_primitive_attr_set_scales_mask", self._attrs[key].pointer, argument, 0)
        return self._attrs[key]

    def _attr(self, ops: Handle | None) -> Handle:
        attr = self.make("dnnl_primitive_attr_create", "dnnl_primitive_attr_destroy")
        self.call("dnnl_primitive_attr_set_scratchpad_mode", attr.pointer, 1)
        if ops is not None:
            self.call("dnnl_primitive_attr_set_post_ops", attr.pointer, ops.pointer)
        return attr

    def describe(self, kind: str, *args: Any, attr: Handle | None = None, hint: bool = False) -> PrimitiveDesc:
        """dnnl_KIND_primitive_desc_create(engine, args..., attr). Raises EngineError where the library has no such thing.

        Tuples become dims, floats C floats, lists arrays. hint: only for another call, so that reference code is welcome.
        """
        keeps = (*args, attr or self.attr)
        first = [] if kind == "reorder" else [self.engine]
        handle = self.make(f"dnnl_{kind}_primitive_desc_create", "dnnl_primitive_desc_destroy", *first,
                           *[_c_argument(a) for a in keeps])
        desc = PrimitiveDesc(self, handle, keeps)
        if desc.reference and not hint and not self._reference:
            raise EngineError(f"oneDNN has only reference code for this {kind.replace('_', ' ')} ({desc.impl})")
        return desc

    def reorder(self, src: MemoryDesc, dst: MemoryDesc) -> PrimitiveDesc:
        """The copy from one layout to another."""
        return self.describe("reorder", src, self.engine, dst, self.engine)


def long(n: int) -> c_int64:
    """A number that the library takes as int64 rather than int."""
    return c_int64(n)


def _check(what: str, status: int) -> None:
    if status:
        raise EngineError(f"oneDNN: {what}: {_STATUS.get(status, f'status {status}')}")


def _c_argument(a: Any) -> Any:
    if isinstance(a, MemoryDesc):
        return a.handle
    if isinstance(a, (PrimitiveDesc, Handle)):
        return a.pointer
    if isinstance(a, tuple):
        return _dims(a)
    if isinstance(a, list):
        return (c_float * len(a))(*a) if isinstance(a[0], float) else (c_void_p * len(a))(*[md.handle for md in a])
    return c_float(a) if isinstance(a, float) else a


def _dims(sizes: Sequence[int]) -> Any:
    return (c_int64 * _MAX_DIMS)(*sizes)
