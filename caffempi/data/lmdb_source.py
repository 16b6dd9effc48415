"""LMDB databases, read-only and without lock files: from read-only folders and by any number of processes at once.

Records are numbered in the order of their keys. Where they lie is noted as far as a reader has come (32 bytes each),
from the pages of keys alone: opening costs nothing, and a rank never touches the values of other ranks.
"""
from __future__ import annotations

import os
import threading
from array import array
from collections.abc import Sequence
from itertools import islice

from caffempi.data.lmdb_file import LmdbFile
from caffempi.errors import DataError

_AHEAD = 1024   # records noted at a time, so that readers seldom wait for each other


class LmdbSource:
    """The values of one LMDB. path: its folder (or the file itself). Raises DataError for one unreadable or empty."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = LmdbFile(_data_file(path))
        self._count = self._file.entries
        if not self._count:
            raise DataError(f"database {path} has no records")
        self._places = self._file.places()
        self._known = array("Q")   # four numbers a record: see Place
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._count

    def read(self, ordinals: Sequence[int]) -> list[bytes]:
        """The values of those records. Raises DataError where the file is damaged."""
        if len(ordinals):
            self._find(int(max(ordinals)))
        read, known = self._file.read, self._known
        return [read(known[4 * i + 2], known[4 * i + 3]) for i in ordinals]

    def name(self, ordinal: int) -> str:
        """Number and key, such as: record 17 (key "00000017")."""
        self._find(ordinal)
        key = self._file.read(self._known[4 * ordinal], self._known[4 * ordinal + 1])
        return f'record {ordinal} (key "{key.decode("utf-8", "backslashreplace")}")'

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _find(self, ordinal: int) -> None:
        """Notes the places of the records up to `ordinal`, and of some more."""
        if 4 * ordinal + 3 < len(self._known):
            return
        with self._lock:
            missing = ordinal + 1 - len(self._known) // 4
            if missing <= 0:
                return
            found = list(islice(self._places, max(missing, _AHEAD)))
            for place in found:
                self._known.extend(place)
            if len(found) < missing:
                raise DataError(f"database {self.path} is damaged: it says {self._count} records, but lists "
                                f"{len(self._known) // 4}")


def _data_file(path: str) -> str:
    """The file of the database at `path`. Raises DataError where there is none."""
    if os.path.isfile(path):
        return path
    file = os.path.join(path, "data.mdb")
    if os.path.isfile(file):
        return file
    if is_leveldb(path):
        raise DataError(f"{path} is a LevelDB, not an LMDB", fix="convert it to an LMDB")
    if os.path.isdir(path):
        raise DataError(f"folder {path} holds no data.mdb", fix="name the folder of an LMDB")
    raise DataError(f"there is no database {path}", fix="create it, or correct the path")


def is_leveldb(path: str) -> bool:
    """Whether the folder looks like a LevelDB."""
    return os.path.isfile(os.path.join(path, "CURRENT"))
