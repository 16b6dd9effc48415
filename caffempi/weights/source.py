"""Opening a weights, state or mean file: what it is, told by its content, before anything is parsed.

`open_source` maps the file (read only, nothing is copied) and refuses with a reason what cannot be one of Caffe's
files: folders, empty files, texts, AppleDouble litter, Git LFS pointers, web pages, archives.
"""
from __future__ import annotations

import itertools
import mmap
import os
import re
import stat
from pathlib import Path

from caffempi.errors import WeightsError
from caffempi.weights.wire import BYTES, FIXED32, VARINT, Fields, Source

_HDF5 = b"\x89HDF\r\n\x1a\n"
_JUNK = (
    (b"\0\x05\x16\x07", "an AppleDouble file, which macOS leaves beside the real one",
     "give the file of the same name without the leading ._"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "fetch the file with git lfs pull"),
    (b"<!DOCTYPE", "a web page, not weights: the download failed", "download the file again"),
    (b"<html", "a web page, not weights: the download failed", "download the file again"),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")   # of them every binary file has some among its first bytes

KINDS = {"weights": "a file of weights (.caffemodel)", "state": "a solver state (.solverstate)",
         "blob": "a single blob (.binaryproto)"}
_FIX = {("state", "weights"): "give the .caffemodel of the same iteration, or pass this file as --snapshot",
        ("weights", "state"): "give the .solverstate of the same iteration, or pass this file as --weights"}


def open_source(path: str | os.PathLike[str]) -> Source:
    """The mapped file. Raises WeightsError (naming the path) where it cannot be read or is plainly something else."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise WeightsError("is a folder, not a file", fix=_beside(path))
        if not stat.S_ISREG(mode):
            raise WeightsError("is not a regular file", fix="give a file on a disk")
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise WeightsError("is empty", fix="the copy or the download failed: fetch it again")
            source = Source(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        _refuse_junk(source)
    except WeightsError as err:
        raise err.at(where=os.fspath(path)) from None
    except FileNotFoundError:
        raise WeightsError("no such file", where=os.fspath(path), fix=_beside(path)) from None
    except (OSError, ValueError) as err:
        why = getattr(err, "strerror", None) or str(err)
        raise WeightsError(f"cannot be read: {why}", where=os.fspath(path).replace("\0", "\\0")) from None
    return source


def is_hdf5(source: Source) -> bool:
    """Whether the HDF5 signature stands at byte 0, 512, 1024, 2048, ... (a user block may come first)."""
    at = 0
    while at + len(_HDF5) <= source.size:
        if source.data[at:at + len(_HDF5)] == _HDF5:
            return True
        at = 2 * at or 512
    return False


def binary_kind(source: Source) -> str | None:
    """"weights", "state" or "blob" where the first fields of a binary file can be of nothing else; else None.

    NetParameter begins with its name (1, bytes), SolverState has 1 varint before bytes 2 and 3, BlobProto has varints
    1 to 4 (the old dimensions), floats 5 or a shape 7.
    """
    try:
        head = [(number, kind) for number, kind, _, _ in itertools.islice(Fields(source), 3)]
    except WeightsError:
        return None
    if head[0] in ((1, BYTES), (100, BYTES)):
        return "weights"
    if head[0] == (1, VARINT) and len(head) > 1:
        return "state" if head[1] in ((2, BYTES), (3, BYTES)) else "blob" if head[1] == (2, VARINT) else None
    return "blob" if head[0] in ((5, BYTES), (5, FIXED32), (7, BYTES)) else None


def refuse_kind(found: str | None, wanted: str) -> None:
    """Raises WeightsError where the file found is surely of another kind than the one wanted, with the way out."""
    if found is not None and found != wanted:
        raise WeightsError(f"is {KINDS[found]} where {KINDS[wanted]} is wanted",
                           fix=_FIX.get((found, wanted), f"give {KINDS[wanted]}"))


def _refuse_junk(source: Source) -> None:
    head = source.data[:2048]
    for magic, what, fix in _JUNK:
        if head.startswith(magic):
            raise WeightsError(f"is {what}", fix=fix)
    if not _CONTROL.search(head):
        raise WeightsError("is a text (a prototxt?), not a binary file",
                           fix="a net's text goes where a model is asked for; here give its .caffemodel, .solverstate "
                               "or .binaryproto")


def _beside(path: str | os.PathLike[str]) -> str:
    """A hint: the files of Caffe's kinds that lie in the folder, or in the nearest folder that exists."""
    folder = Path(path)
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    try:
        names = sorted(n for n in os.listdir(folder) if re.search(r"(caffemodel|solverstate)(\.h5)?$", n))
    except OSError:
        names = []
    if not names:
        return f"{folder} holds no .caffemodel or .solverstate"
    return f"{folder} holds {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"
