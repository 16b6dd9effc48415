"""HDF5 lists: a text file of HDF5 paths, each file with one dataset per top, named like it; axis 0 counts the rows.

One whole file at a time is in memory, in the types it was written in. With shuffle, files and the rows in each are
permuted anew in each epoch.
"""
from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from caffempi.data.batches import Batch, Pool
from caffempi.data.fields import fits_memory, read_lines, resolve
from caffempi.data.shard import Order
from caffempi.errors import DataError, did_you_mean


class Hdf5Files:
    """The files of a list and their rows. names: datasets wanted, one a top. Raises DataError for anything unfit."""

    def __init__(self, source: str, names: Sequence[str], base: str | None) -> None:
        self.paths = [resolve(line, base) for line in read_lines(source, "HDF5 list") if line]
        if not self.paths:
            raise DataError(f"HDF5 list {source} names no files")
        self._names = list(names)
        kinds = [self._inspect(path) for path in self.paths]
        self.rows = [rows for rows, _ in kinds]
        self.inner = [shape for shape, _ in kinds[0][1]]
        for path, (_, tops) in zip(self.paths, kinds, strict=True):
            for name, (shape, _), first in zip(names, tops, self.inner, strict=True):
                if shape != first:
                    raise DataError(f'dataset "{name}" of {path} has rows of shape {list(shape)}, '
                                    f"in {self.paths[0]} {list(first)}")
        # float32 holds the small types exactly; others stay in double precision until the reader's own type is known
        exact = [all(np.can_cast(tops[i][1], np.float32) for _, tops in kinds) for i in range(len(names))]
        self.dtypes = [np.dtype(np.float32 if e else np.float64) for e in exact]
        if not sum(self.rows):
            raise DataError(f"the files of HDF5 list {source} have no rows")

    def load(self, index: int) -> list[np.ndarray]:
        """All datasets of one file, whole."""
        with _opened(self.paths[index]) as file:
            try:
                return [np.asarray(file[name][()]) for name in self._names]
            except (OSError, KeyError, MemoryError) as e:
                raise DataError(f"{self.paths[index]} cannot be read: {e}") from None

    def _inspect(self, path: str) -> tuple[int, list[tuple[tuple[int, ...], np.dtype]]]:
        """(rows, [(shape of a row, type) per top]) of a file, from its headers."""
        import h5py

        tops = []
        counts: dict[str, int] = {}
        with _opened(path) as file:
            for name in self._names:
                data = file.get(name)
                if not isinstance(data, h5py.Dataset):
                    raise DataError(f'{path} has no dataset "{name}", as the top is named', field="top", value=name,
                                    fix=did_you_mean(name, file) or f"it has: {', '.join(sorted(file)) or 'none'}")
                if data.shape is None or not data.ndim or data.dtype.kind not in "fiu":
                    raise DataError(f'dataset "{name}" of {path} must hold rows of numbers, not {data.dtype} '
                                    f"of shape {data.shape}")
                fits_memory(data.size * data.dtype.itemsize, f'dataset "{name}" of {path}')
                tops.append((data.shape[1:], data.dtype))
                counts[name] = data.shape[0]
        if len(set(counts.values())) > 1:
            rows = ", ".join(f'"{name}" {n}' for name, n in counts.items())
            raise DataError(f"the datasets of {path} differ in their numbers of rows: {rows}")
        return next(iter(counts.values())), tops


class Hdf5Batches:
    """Batches of rows, one array (B, ...) a top, float32 or float64."""

    threads = 1   # one file in memory

    def __init__(self, files: Hdf5Files, order: Order, batch: int, path: str) -> None:
        self.batch = batch
        self._files, self._order, self._path = files, order, path
        self._lock = threading.Lock()
        self._loaded: tuple[int, list[np.ndarray]] = (-1, [])
        self._pool = Pool(3 * len(files.inner))

    def shapes(self, start: int) -> list[tuple[int, ...]]:
        """The same for all batches."""
        return [(self.batch, *inner) for inner in self._files.inner]

    def make(self, start: int) -> Batch:
        """The rows from `start` on, file after file."""
        try:
            _, ordinals = self._order.take(start, self.batch)
            out = [self._pool.take(shape, dtype)
                   for shape, dtype in zip(self.shapes(start), self._files.dtypes, strict=True)]
            which = np.searchsorted(self._order.starts, ordinals, side="right") - 1
            cuts = [0, *(np.flatnonzero(np.diff(which)) + 1).tolist(), self.batch]
            with self._lock:
                for lo, hi in pairwise(cuts):
                    index = int(which[lo])
                    rows = ordinals[lo:hi] - self._order.starts[index]
                    for target, data in zip(out, self._load(index), strict=True):
                        target[lo:hi] = data[rows]
            return out
        except DataError as e:
            raise e.at(field="hdf5_data_param.source", value=self._path) if e.field is None else e from None

    def recycle(self, batch: Batch) -> None:
        """Keeps the arrays for later batches."""
        for array in batch:
            self._pool.give(array)

    def close(self) -> None:
        """Lets go of the file in memory."""
        self._loaded = (-1, [])

    def _load(self, index: int) -> list[np.ndarray]:
        if self._loaded[0] != index:
            self._loaded = (-1, [])   # first let go of the old file, then read: never two in memory
            data = self._files.load(index)
            if any(len(d) != self._files.rows[index] or d.shape[1:] != inner
                   for d, inner in zip(data, self._files.inner, strict=True)):
                raise DataError(f"{self._files.paths[index]} changed while it was used")
            self._loaded = (index, data)
        return self._loaded[1]


def _opened(path: str) -> Any:
    """The open file, read-only and without a file lock. Raises DataError."""
    import h5py

    try:
        return h5py.File(path, "r", locking=False)
    except OSError as e:
        why = str(e) if os.path.exists(path) else "there is no such file"
        raise DataError(f"HDF5 file {path} cannot be opened: {why}") from None
