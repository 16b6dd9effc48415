"""Files that appear whole or not at all."""
from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from caffempi.errors import SnapshotError

_FIXES = {
    errno.ENOSPC: "free some space, or let snapshot_prefix name a place on another disk",
    errno.EDQUOT: "your quota is used up: free some space, or let snapshot_prefix name another place",
    errno.EFBIG: "the file would pass the size limit of the process or the file system (see ulimit -f)",
    errno.EACCES: "make the folder writable, or let snapshot_prefix name another one",
    errno.EPERM: "make the folder writable, or let snapshot_prefix name another one",
    errno.EROFS: "the file system is read-only: let snapshot_prefix name another place",
    errno.ENOENT: "create the folder first",
    errno.ENOTDIR: "a part of the path is a file: let snapshot_prefix name another place",
    errno.EISDIR: "a folder has that name: remove it, or choose another name",
}


def atomic_write(path: str | os.PathLike[str], writer: Callable[[BinaryIO], None]) -> None:
    """Lets `writer` fill a file of a temporary name beside `path`, syncs it to disk and renames it to `path`.

    A reader, or a crash at any moment, sees the old file or the new one, never a part. `writer` gets the file open
    for writing, reading and seeking. Whatever fails, the temporary file is removed and an old file is as it was; an
    OSError becomes a SnapshotError that names path, reason, space left and a way out. A link is followed, not
    replaced.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{secrets.token_hex(6)}.tmp")
    try:
        try:
            with open(temporary, "xb+") as file:
                writer(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _sync_folder(target.parent)
    except OSError as err:
        raise SnapshotError(f"cannot be written: {err.strerror or err}{_space(target.parent)}", where=os.fspath(path),
                            fix=_FIXES.get(err.errno or 0)) from None


def _sync_folder(folder: Path) -> None:
    """Puts the rename itself on disk, where the file system can sync a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as err:
        if err.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def _space(folder: Path) -> str:
    try:
        return f" ({shutil.disk_usage(folder).free / 2**20:.1f} MB free in {folder})"
    except OSError:
        return ""
