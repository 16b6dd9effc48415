"""IDX files, the format of MNIST: arrays with a header of type and lengths, big-endian, plain or gzipped.

Header: two zero bytes, one byte for the type, one for the number of axes, then a 32-bit length per axis.
"""
from __future__ import annotations

import gzip
import math
import struct
import zlib

import numpy as np

from caffempi.data.fields import fits_memory
from caffempi.errors import DataError

_TYPES = {0x08: "u1", 0x09: "i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
_PIECE = 1 << 20


def read_idx(path: str) -> np.ndarray:
    """The array of an IDX file, in native byte order; gzip is seen by its content. Raises DataError for others."""
    try:
        with open(path, "rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.GzipFile(fileobj=raw) if packed else raw as file:
                return _read(file, path)
    except OSError as e:
        raise DataError(f"{path} cannot be read: {e.strerror or e}") from None
    except (EOFError, zlib.error) as e:
        raise DataError(f"{path} is truncated or damaged: {e}") from None


def _read(file: object, path: str) -> np.ndarray:
    """Header, then exactly as many bytes as it asks for, piece by piece, so that a false header costs no memory."""
    read = file.read  # type: ignore[attr-defined]
    head = read(4)
    if len(head) < 4 or head[:2] != b"\0\0" or head[2] not in _TYPES or not head[3]:
        raise DataError(f"{path} is no IDX file")
    lengths = read(4 * head[3])
    if len(lengths) < 4 * head[3]:
        raise DataError(f"{path} is truncated in its header")
    shape = struct.unpack(f">{head[3]}I", lengths)
    dtype = np.dtype(_TYPES[head[2]])
    wanted = math.prod(shape) * dtype.itemsize
    fits_memory(wanted, path)
    data = bytearray()
    while len(data) <= wanted and (piece := read(min(_PIECE, wanted + 1 - len(data)))):
        data += piece
    if len(data) != wanted:
        have = "more than" if len(data) > wanted else f"only {len(data)} of"
        raise DataError(f"{path} has {have} the {wanted} bytes that its shape {list(shape)} asks for")
    return np.frombuffer(data, dtype).reshape(shape).astype(dtype.newbyteorder("="), copy=False)
