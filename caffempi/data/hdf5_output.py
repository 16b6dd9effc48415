"""Writing HDF5: datasets that grow along their first axis, batch by batch, in a file that appears whole or not at all."""
from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from caffempi.errors import DataError

_NAMES = ("data", "label")


def rank_path(path: str, rank: int) -> str:
    """The file of a rank: the path itself for rank 0, else with ".rank<r>" before its ending."""
    stem, ending = os.path.splitext(path)
    return f"{stem}.rank{rank}{ending}" if rank else path


class Hdf5Output:
    """The file of one layer. Opened (as path + ".part") at the first batch; `close` gives it its name.

    A net that is never closed closes it when it is collected, or the process ends.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: Any = None
        self._close: Callable[[], object] = _nothing

    def write(self, arrays: Sequence[np.ndarray]) -> None:
        """Adds a batch: data, label. Raises DataError where the file cannot be written, or the batch's shape has changed."""
        try:
            if self._file is None:
                self._open()
            for name, array in zip(_NAMES, arrays, strict=True):
                self._append(name, array.reshape(array.shape + (1,) * (4 - array.ndim)))
        except (OSError, ValueError, RuntimeError) as e:
            raise DataError(f"HDF5 file {self._path} cannot be written: {' '.join(str(e).split())}",
                            field="hdf5_output_param.file_name") from None

    def close(self) -> None:
        """Finishes the file; idempotent. Without a batch there is none. Raises DataError where it cannot be finished."""
        try:
            self._close()
        except OSError as e:
            raise DataError(f"HDF5 file {self._path} cannot be finished: {e.strerror or e}",
                            field="hdf5_output_param.file_name") from None

    def _open(self) -> None:
        import h5py

        part = f"{self._path}.part"
        self._file = h5py.File(part, "w")
        self._close = weakref.finalize(self, partial(_finish, self._file, part, self._path))

    def _append(self, name: str, array: np.ndarray) -> None:
        if name not in self._file:
            self._file.create_dataset(name, data=array, maxshape=(None, *array.shape[1:]),
                                      chunks=(max(1, len(array)), *(max(1, d) for d in array.shape[1:])))
            return
        kept = self._file[name]
        if kept.shape[1:] != array.shape[1:]:
            raise DataError(f'the items of dataset "{name}" of {self._path} have shape {list(kept.shape[1:])}, those of this '
                            f"batch {list(array.shape[1:])}", field="hdf5_output_param.file_name")
        kept.resize(len(kept) + len(array), 0)
        if len(array):
            kept[-len(array):] = array


def _finish(file: Any, part: str, path: str) -> None:
    """Puts the file on the disk, then in its place."""
    file.close()
    with open(part, "rb") as done, contextlib.suppress(OSError):   # not every file system can
        os.fsync(done.fileno())
    os.replace(part, path)


def _nothing() -> None:
    """Nothing has been opened yet."""
