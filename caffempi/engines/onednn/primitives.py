"""Objects of oneDNN's library: memory descriptions, implementations that it chose, and primitives bound to memory.

All calls are synchronous on a CPU. Every primitive is made with scratch memory given by the caller: the library's own is
tied to the thread that made the primitive.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from caffempi.engines.onednn.codes import ITEM_BYTES, SCRATCH
from caffempi.engines.onednn.places import axes_of, tag_of
from caffempi.errors import EngineError

if TYPE_CHECKING:
    from caffempi.engines.onednn.binding import Library

_Numbers = POINTER(c_int64)
_ANY, _BLOCKED = 1, 2
_Q_IMPL, _Q_SCRATCH_MD, _Q_ARG_MD = 8, 136, 255
_Q_NDIMS, _Q_DIMS, _Q_DTYPE, _Q_PADDED, _Q_KIND, _Q_NBLKS, _Q_BLKS, _Q_IDXS, _Q_STRIDES = (
    256, 257, 258, 260, 262, 263, 264, 265, 14)


class Handle:
    """An object of the library, freed with this one."""

    def __init__(self, pointer: c_void_p, free: Callable[[c_void_p], Any]) -> None:
        self.pointer, self._free = pointer, free

    def __del__(self) -> None:
        self._free(self.pointer)


class _Argument(Structure):
    _fields_ = (("id", c_int), ("memory", c_void_p))


class MemoryDesc:
    """How the elements of a tensor lie in memory, or `any`: the library's choice.

    key: None for any; else equal for two descriptions exactly where every element lies at the same place, whatever the
    library calls them. handle: the library's object; owner: what keeps it alive.
    """

    def __init__(self, library: Library, handle: c_void_p, owner: object) -> None:
        self._library, self.handle, self._owner = library, handle, owner

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, MemoryDesc) and self._hash == other._hash and self.key == other.key)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"{self.tag}{list(self.dims)}"

    def _query(self, what: int, kind: Any) -> Any:
        result = kind()
        self._library.query(self.handle, what, byref(result))
        return result

    def _dims(self, what: int) -> tuple[int, ...]:
        return tuple(self._query(what, _Numbers)[:self._ndims])

    @cached_property
    def _ndims(self) -> int:
        return int(self._query(_Q_NDIMS, c_int).value)

    @cached_property
    def dims(self) -> tuple[int, ...]:
        """Logical sizes."""
        return self._dims(_Q_DIMS)

    @cached_property
    def dtype(self) -> int:
        """Number of the elements' type."""
        return int(self._query(_Q_DTYPE, c_int).value)

    @property
    def elements(self) -> int:
        """Numbers that fit into its bytes, padding included."""
        return self.nbytes // ITEM_BYTES[self.dtype]

    def cast(self, dtype: int) -> MemoryDesc:
        """The tensor with the same strides, of another type; for one without blocks."""
        return self._library.strided(self.dims, self.strides, dtype)

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
        if not n:
            return ()
        sizes, axes = self._query(_Q_BLKS, _Numbers), self._query(_Q_IDXS, _Numbers)
        return tuple((axes[i], sizes[i]) for i in range(n))

    @cached_property
    def _kind(self) -> int:
        return int(self._query(_Q_KIND, c_int).value)

    @property
    def opaque(self) -> bool:
        """Whether only the library can describe it; it has no key then."""
        return self._kind not in (_ANY, _BLOCKED)

    @cached_property
    def key(self) -> Any:
        """See the class: dtype, dims, padded, and `axes_of` them."""
        if self._kind == _ANY:
            return None
        if self.opaque:
            raise EngineError("oneDNN wants a memory format that only it can describe")
        axes = axes_of(self.padded, self.strides, self.blocks)
        return self.dtype, self.dims, self.padded, axes

    @property
    def tag(self) -> str:
        """oneDNN's kind of name for the layout, such as aBcd16b."""
        return tag_of(self.strides, self.blocks)


class PrimitiveDesc:
    """An implementation that the library chose for an operation. impl: its name."""

    def __init__(self, library: Library, handle: Handle, keeps: tuple[Any, ...]) -> None:
        self._library, self._handle, self._keeps = library, handle, keeps
        self.pointer = handle.pointer
        name = c_char_p()
        library.call("dnnl_primitive_desc_query", self.pointer, _Q_IMPL, 0, byref(name))
        self.impl = (name.value or b"").decode()
        self._arguments: dict[int, MemoryDesc] = {}

    @cached_property
    def primitive(self) -> Primitive:
        """The implementation compiled; made at the first call for it."""
        return Primitive(self)

    @property
    def reference(self) -> bool:
        """Whether it is the library's reference code."""
        return "ref" in self.impl

    def argument(self, which: int) -> MemoryDesc:
        """How the argument of that id must lie."""
        if which not in self._arguments:
            found = self._md(_Q_ARG_MD, which)
            self._arguments[which] = found if found.opaque else self._library.same(found)
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

    def bind(self, arrays: Mapping[int, np.ndarray], scratch: np.ndarray | None,
             factors: Mapping[int, np.ndarray] | None = None) -> Callable[[], None]:
        """arrays: argument id -> contiguous array of at least the argument's bytes, kept alive by the call returned.

        factors: argument id -> (1,) float32, for numbers that are read when the call runs.
        """
        given = dict(arrays)
        if self.desc.scratch:
            if scratch is None:
                raise EngineError(f"oneDNN's {self.desc.impl} wants scratch memory")
            given[SCRATCH] = scratch
        memory = [self._library.memory(self.desc.argument(a), array) for a, array in given.items()]
        for a, number in (factors or {}).items():
            given[a] = number
            memory.append(self._library.memory(self._library.plain((1,)), number))
        arguments: Any = (_Argument * len(given))(*[_Argument(a, m.pointer) for a, m in zip(given, memory, strict=True)])
        arguments.keeps = self, memory, list(given.values())    # the struct holds bare addresses
        return partial(self._library.execute, self._handle.pointer, self._library.stream, c_int(len(given)), arguments)
