"""HDF5 files of weights and states: guarded reading, and writing that survives a full disk.

libhdf5 parses the file; what it is told to read is checked first, since a hostile file may point anywhere and claim
any size: only hard links are followed, each object once; datasets that live in other files, or want filters beyond
deflate, shuffle and checksum, are refused; a dataset may not claim more bytes than its storage can hold.
"""
from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import h5py
import numpy as np

from caffempi.errors import CaffempiError, SnapshotError, WeightsError
from caffempi.weights.blob import check_shape

_PACKING = 1100      # deflate shrinks by at most about 1032
_MAX_LINKS = 50_000
_FILTERS = {h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32}


@dataclass
class _Guard:
    """What has been read from one file so far."""

    size: int
    links: int = 0
    unpacked: int = 0
    groups: set[int] = field(default_factory=set)


class Node:
    """A group or dataset under guarded reading (see `open_hdf5`)."""

    def __init__(self, guard: _Guard, handle: Any, path: tuple[str, ...]) -> None:
        self._guard, self._id, self._path = guard, handle, path

    @property
    def is_group(self) -> bool:
        """Whether it can have children."""
        return isinstance(self._id, h5py.h5g.GroupID)

    def has(self, name: str) -> bool:
        """Whether a link of that name is in the group; where it leads is not looked at."""
        return self.is_group and bool(self._id.links.exists(name.encode()))

    def child(self, name: str) -> Node:
        """The member of that name."""
        if not self.has(name):
            raise WeightsError(f"HDF5: {_place((*self._path, name))} is missing")
        return self._open(name.encode(), self._id.links.get_info(name.encode()).type)

    def children(self) -> list[tuple[str, Node]]:
        """The group's members in the order of their names. A group may be listed once."""
        if not self.is_group:
            raise self._error("is not a group")
        address = h5py.h5o.get_info(self._id).addr
        if address in self._guard.groups or len(self._path) > 32:
            raise self._error("is linked in a circle, or nested too deeply")
        self._guard.groups.add(address)
        found: list[tuple[bytes, int]] = []

        def note(name: bytes, info: Any) -> bool | None:
            found.append((name, info.type))
            return len(found) > _MAX_LINKS or None   # True stops
        self._id.links.iterate(note, info=True)
        self._guard.links += len(found)
        if self._guard.links > _MAX_LINKS:
            raise WeightsError(f"HDF5: more than {_MAX_LINKS} links: corrupt")
        return [(name.decode("utf-8", "backslashreplace"), self._open(name, kind)) for name, kind in found]

    def array(self) -> np.ndarray:
        """A numeric dataset as float32 or float64 (other number types: float32)."""
        shape, kind = self._check(h5py.h5t.FLOAT, h5py.h5t.INTEGER)
        double = kind.get_class() == h5py.h5t.FLOAT and kind.get_size() == 8
        return self._read(shape, np.dtype(np.float64 if double else np.float32))

    def integer(self) -> int:
        """A dataset of one integer."""
        shape, _ = self._check(h5py.h5t.INTEGER)
        if math.prod(shape) != 1:
            raise self._error(f"has shape {shape}, not one value")
        return int(self._read(shape, np.dtype(np.int64)).reshape(-1)[0])

    def content(self) -> bytes:
        """A dataset of bytes."""
        shape, kind = self._check(h5py.h5t.INTEGER)
        if kind.get_size() != 1 or len(shape) != 1:
            raise self._error("is not a list of bytes")
        return self._read(shape, np.dtype(np.uint8)).tobytes()

    def text(self) -> str:
        """A dataset of one string of fixed length."""
        shape, kind = self._check(h5py.h5t.STRING)
        if kind.is_variable_str() or math.prod(shape) != 1:
            raise self._error("is not one string of fixed length")
        raw = self._read(shape, np.dtype(f"S{kind.get_size()}"), kind)
        return bytes(raw.reshape(-1)[0]).split(b"\0")[0].decode("utf-8", "backslashreplace")

    def _open(self, name: bytes, link: int) -> Node:
        path = (*self._path, name.decode("utf-8", "backslashreplace"))
        if link != h5py.h5l.TYPE_HARD:
            raise WeightsError(f"HDF5: {_place(path)} is a link to elsewhere, which is not followed",
                               fix="save the file with its data inside")
        return Node(self._guard, h5py.h5o.open(self._id, name), path)

    def _error(self, why: str, fix: str | None = None) -> WeightsError:
        return WeightsError(f"HDF5: {_place(self._path)} {why}", fix=fix)

    def _read(self, shape: tuple[int, ...], dtype: np.dtype[Any], kind: Any = None) -> np.ndarray:
        out = np.empty(shape, dtype)
        if out.size:
            self._id.read(h5py.h5s.ALL, h5py.h5s.ALL, out, mtype=kind)
        return out

    def _check(self, *classes: int) -> tuple[tuple[int, ...], Any]:
        """Shape and HDF5 type of a dataset, after all checks of where its data is and how much it claims to be."""
        if not isinstance(self._id, h5py.h5d.DatasetID):
            raise self._error("is not a dataset")
        kind, plan, guard = self._id.get_type(), self._id.get_create_plist(), self._guard
        if kind.get_class() not in classes:
            raise self._error("has values of an unfit type")
        if plan.get_layout() == h5py.h5d.VIRTUAL or plan.get_external_count():
            raise self._error("keeps its data in another file, which is not followed",
                              "save the file with its data inside")
        filters = [plan.get_filter(k)[0] for k in range(plan.get_nfilters())]
        if not _FILTERS.issuperset(filters):
            raise self._error(f"is packed with filters {filters}; only deflate, shuffle and fletcher32 are read",
                              "repack it with h5repack -f NONE")
        shape = self._id.get_space().get_simple_extent_dims() or ()
        wanted = check_shape(shape) * kind.get_size()
        if plan.get_layout() == h5py.h5d.CHUNKED:
            chunk = math.prod(plan.get_chunk()) * kind.get_size()
            if chunk > _PACKING * guard.size:
                raise self._error(f"claims chunks of {chunk} bytes: corrupt")
        guard.unpacked += wanted
        stored = min(self._id.get_storage_size(), guard.size)
        limit = stored * (_PACKING if h5py.h5z.FILTER_DEFLATE in filters else 1)
        if wanted > limit or guard.unpacked > guard.size * _PACKING:
            raise self._error(f"of shape {shape} claims {wanted} bytes, the file has {stored} for it: truncated or "
                              "corrupt")
        return shape, kind


@contextmanager
def open_hdf5(path: str | os.PathLike[str]) -> Iterator[Node]:
    """Opens an HDF5 file for guarded reading and gives its root.

    Whatever libhdf5 finds wrong, then or later, is a WeightsError.
    """
    try:
        with h5py.File(path, "r", locking=False) as file:
            yield Node(_Guard(os.path.getsize(path)), h5py.h5o.open(file.id, b"/"), ())
    except CaffempiError:
        raise
    except MemoryError:
        raise WeightsError("HDF5: claims more than memory can hold: corrupt") from None
    except Exception as err:   # h5py maps libhdf5's faults to a dozen types, and none is a fault of the program
        why = str(err).split("\n")[0].strip("'\"")[:200]
        raise WeightsError(f"HDF5: truncated or corrupt: {why or type(err).__name__}") from None


def dump_hdf5(out: BinaryIO, fill: Callable[[Any], None]) -> None:
    """Writes an HDF5 file into an open file: `fill` gets the h5py root group. Any version of libhdf5 can read it.

    The bytes go through `_Sink`: libhdf5 cannot close a file cleanly once a write has failed, so failures are kept
    back until it is done. Raises OSError as the disk gave it.
    """
    sink = _Sink(out)
    try:
        with h5py.File(sink, "w", libver=("earliest", "v108")) as file:
            fill(file)
    except CaffempiError:
        raise
    except Exception as err:
        raise sink.error or SnapshotError(f"HDF5: cannot be written: {err}") from None
    if sink.error:
        raise sink.error


def put_array(group: Any, name: str, array: np.ndarray) -> None:
    """Adds a contiguous dataset of an array's shape, float16, float32 or float64."""
    if array.dtype not in (np.float16, np.float32, np.float64):
        raise SnapshotError(f"a blob of {array.dtype} cannot be saved; it must be float16, float32 or float64")
    group.create_dataset(name, data=array)


def put_text(group: Any, name: str, text: str) -> None:
    """Adds a scalar string as the C interface of HDF5 makes it: fixed length, ended by a zero byte."""
    raw = text.encode() + b"\0"
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(len(raw))
    kind.set_strpad(h5py.h5t.STR_NULLTERM)
    data = h5py.h5d.create(group.id, name.encode(), kind, h5py.h5s.create(h5py.h5s.SCALAR))
    data.write(h5py.h5s.create(h5py.h5s.SCALAR), h5py.h5s.create(h5py.h5s.SCALAR),
               np.array(raw, f"S{len(raw)}"), mtype=kind)


class _Sink:
    """The file as h5py's file-object driver wants it; keeps the first error of the disk and then takes writes lost."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self.error: OSError | None = None
        self.read, self.seek, self.tell, self.readinto = out.read, out.seek, out.tell, out.readinto

    def write(self, data: memoryview) -> int:
        if self.error is None:
            try:
                self._out.write(data)
            except OSError as err:
                self.error = err
        return len(data)

    def truncate(self, size: int) -> int:
        if self.error is None:
            try:
                self._out.truncate(size)
            except OSError as err:
                self.error = err
        return size

    def flush(self) -> None:
        if self.error is None:
            try:
                self._out.flush()
            except OSError as err:
                self.error = err


def _place(path: tuple[str, ...]) -> str:
    return ("/" + "/".join(path))[:200]
