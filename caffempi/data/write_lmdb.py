"""Writing LMDB databases of Datums.

A database is made in a folder beside its place and renamed when it is whole, so that a failure leaves nothing
half-written and an old one untouched. The map grows as needed.
"""
from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from typing import Any

from caffempi.errors import DataError
from caffempi.proto import caffe_pb2

_COMMIT = 1000          # records per transaction
_FIRST_MAP = 16 << 20   # bytes


def write_datums(path: str, records: Iterable[tuple[bytes, caffe_pb2.Datum]], *, overwrite: bool = False) -> int:
    """Writes (key, Datum) pairs as an LMDB folder at `path`; returns how many. Readers see them in the order of the
    keys.

    overwrite: replace what is at `path`, if that is an LMDB. Raises DataError where something is there otherwise, for
    an empty, overlong or repeated key, and where the disk cannot take it.
    """
    import lmdb

    path = path.rstrip("/") or path
    if os.path.lexists(path) and not (overwrite and os.path.isfile(os.path.join(path, "data.mdb"))):
        raise DataError(f"{path} exists already", fix="remove it, or ask to overwrite it" if not overwrite else
                        "remove it: it is no LMDB, and is not overwritten")
    fresh = f"{path}.new-{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        shutil.rmtree(fresh, ignore_errors=True)
        count = _write(lmdb, fresh, records)
        if os.path.lexists(path):
            shutil.rmtree(path)
        os.rename(fresh, path)
        return count
    except (OSError, lmdb.Error) as e:
        raise DataError(f"database {path} cannot be written: {e}") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _write(lmdb: Any, folder: str, records: Iterable[tuple[bytes, caffe_pb2.Datum]]) -> int:
    """All records into a new database in `folder`."""
    count = 0
    waiting: list[tuple[bytes, bytes]] = []
    with lmdb.open(folder, map_size=_FIRST_MAP, sync=False) as env:
        longest = env.max_key_size()
        for key, datum in records:
            if not 1 <= len(key) <= longest:
                raise DataError(f"key {key[:40]!r} has {len(key)} bytes; 1 to {longest} are possible")
            waiting.append((key, datum.SerializeToString()))
            if len(waiting) == _COMMIT:
                count += _commit(lmdb, env, waiting)
                waiting = []
        count += _commit(lmdb, env, waiting)
        env.sync(True)
    return count


def _commit(lmdb: Any, env: Any, records: list[tuple[bytes, bytes]]) -> int:
    """One transaction; when the map is full, it is doubled and the transaction done again."""
    while True:
        try:
            with env.begin(write=True) as txn:
                for key, value in records:
                    if not txn.put(key, value, overwrite=False):
                        raise DataError(f"key {key[:80]!r} comes twice")
            return len(records)
        except lmdb.MapFullError:
            env.set_mapsize(2 * env.info()["map_size"])
