"""Views of the device's memory that the host reads and writes between runs.

A view that is lent counts as newer than the device: at the next run it is uploaded, and then closed (it cannot be written any
more, so that a program which keeps it fails where it would be ignored).
"""
from __future__ import annotations

import weakref
from typing import Any

import numpy as np

_Piece = tuple[Any, int, int]                                   # bytes on the device, and where they lie in the allocation


class _Mirror:
    """The host's side of one allocation: pieces of it, apart from each other, are the host's at the moment."""

    def __init__(self, nbytes: int) -> None:
        self.host = np.empty(nbytes, np.uint8)                 # the system gives memory only to what is touched
        self.pieces: list[_Piece] = []

    def gaps(self, lo: int, hi: int) -> list[tuple[int, int]]:
        """Parts of a range that are not the host's."""
        found = []
        for _, first, last in sorted(self.pieces, key=lambda piece: piece[1]):
            if lo < min(first, hi):
                found.append((lo, min(first, hi)))
            lo = max(lo, last)
        return [*found, (lo, hi)] if lo < hi else found


class Mirrors:
    """All that is lent of a device's memory. stream: the one that kernels run on."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._mirrors: dict[int, _Mirror] = {}                 # by address of the allocation
        self._views: list[weakref.ref[np.ndarray]] = []

    def lend(self, array: Any, download: bool = True) -> np.ndarray:
        """A view of the array's values for the host; download: False where all of it will be overwritten."""
        memory = array.data.mem
        lo = array.data.ptr - memory.ptr
        hi = lo + array.nbytes
        mirror = self._mirrors.get(memory.ptr)
        if mirror is None:
            mirror = self._mirrors[memory.ptr] = _Mirror(memory.size)
        flat = array.reshape(-1).view("uint8") if array.nbytes else None
        for first, last in mirror.gaps(lo, hi):
            assert flat is not None
            part = flat[first - lo:last - lo]
            if download:
                mirror.host[first:last] = part.get(stream=self._stream)
            mirror.pieces.append((part, first, last))
        view = mirror.host[lo:hi].view(array.dtype).reshape(array.shape)
        self._views.append(weakref.ref(view))
        return view

    def get(self, array: Any) -> np.ndarray:
        """A copy of the values, after all that has been run."""
        if self._mirrors.get(array.data.mem.ptr) is not None:
            return self.lend(array).copy()
        values: np.ndarray = array.get(stream=self._stream)
        return values

    def settle(self) -> None:
        """Uploads all that is lent, for what the compute stream is given from now on, and closes the views."""
        for mirror in self._mirrors.values():
            for part, lo, hi in mirror.pieces:
                part.set(mirror.host[lo:hi], stream=self._stream)
        self._mirrors.clear()
        for ref in self._views:
            view = ref()
            if view is not None:
                view.flags.writeable = False
        self._views.clear()
