"""The protobuf wire format, read field by field over a mapped file and written as a list of pieces.

A message is a row of fields: a key (varint: number * 8 + wire type), then a value: 0 varint, 1 eight bytes, 2 a length
and so many bytes, 5 four bytes. (Wire format: protobuf.dev, "Encoding".) Reading never builds the message: a reader
takes the fields that it wants and steps over the rest, so files may be of any size and of any fork. Types 3 and 4
(groups) occur in no Caffe message and are refused.

All faults are WeightsError with the byte at which they were seen; callers add the path with `at`.
"""
from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np

from caffempi.errors import WeightsError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
Piece = bytes | np.ndarray
"""A part of a message to be written: bytes, or a C-contiguous array that stands for its bytes."""

_MAX_FIELDS = 250_000   # far above any net; keeps a file of millions of two-byte fields from costing minutes


class Source:
    """Bytes of a file under reading, and how many fields may still be read from it."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        self.data, self.size, self.left = data, len(data), _MAX_FIELDS


class Fields:
    """The fields of the message at bytes [start, stop): iterating yields (number, wire type, value, end).

    `value` is the number itself for a varint (unsigned, 64 bits), else the first byte of the contents, which stop
    before `end`. Raises WeightsError where the bytes are no legal message or end inside a field.
    """

    def __init__(self, source: Source, start: int = 0, stop: int | None = None) -> None:
        self.source, self.pos = source, start
        self.stop = source.size if stop is None else stop

    def __iter__(self) -> Iterator[tuple[int, int, int, int]]:
        source = self.source
        while self.pos < self.stop:
            start = self.pos
            source.left -= 1
            if source.left < 0:
                raise WeightsError(f"more than {_MAX_FIELDS} fields: corrupt, or made to waste time")
            key, pos = self._varint(start)
            number, kind = key >> 3, key & 7
            if number == 0 or number >= 1 << 29:
                raise WeightsError(f"not a file of Caffe, or corrupt: field number {number} at byte {start}")
            value = pos
            if kind == VARINT:
                value, pos = self._varint(pos)
            elif kind == BYTES:
                length, value = self._varint(pos)
                pos = value + length
            elif kind in (FIXED32, FIXED64):
                pos += 4 if kind == FIXED32 else 8
            else:
                raise WeightsError(f"not a file of Caffe, or corrupt: wire type {kind} at byte {start}")
            if pos > self.stop:
                raise WeightsError(f"truncated or corrupt: field {number} at byte {start} wants {pos - start} bytes, "
                                   f"{self.stop - start} are left")
            self.pos = pos
            yield number, kind, value, pos

    def _varint(self, pos: int) -> tuple[int, int]:
        data, value, shift = self.source.data, 0, 0
        start = pos
        while pos < self.stop:
            byte = data[pos]
            pos += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value & (1 << 64) - 1, pos
            shift += 7
            if shift > 63:
                raise WeightsError(f"corrupt at byte {start}: a varint of more than 10 bytes")
        raise WeightsError(f"truncated or corrupt: the bytes end inside a varint at byte {start}")

    def repeats(self, value: int, size: int) -> np.ndarray:
        """The current fixed-size field and all that follow with the same one-byte key, stepped over: (n, size) uint8.

        So an unpacked list of a million floats costs a few array operations. `value` is where the current contents
        of `size` bytes begin.
        """
        at, record = value - 1, size + 1
        total = max(1, (self.stop - at) // record)
        rows = np.frombuffer(self.source.data, np.uint8, total * record, at).reshape(total, record)
        count, key = 1, rows[0, 0]
        while count < total:
            ahead = rows[count:2 * count + 64, 0] == key
            if not ahead.all():
                count += int(ahead.argmin())
                break
            count += len(ahead)
        self.pos = at + count * record
        return rows[:count, 1:]

    def varints(self, start: int, stop: int) -> Iterator[int]:
        """The values of a packed list of varints."""
        inner = Fields(self.source, start, stop)
        while inner.pos < stop:
            value, inner.pos = inner._varint(inner.pos)
            yield value


def expect(number: int, kind: int, wanted: int) -> None:
    """Refuses a field of a known number whose wire type is not the wanted one."""
    if kind != wanted:
        raise WeightsError(f"corrupt: field {number} has wire type {kind} where {wanted} belongs")


def signed(value: int, bits: int = 64) -> int:
    """An unsigned varint as the signed int32 or int64 that it stands for (higher bits are dropped)."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def varint(value: int) -> bytes:
    """The varint of an integer; a negative one takes ten bytes, as int32 and int64 do."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def int_field(number: int, value: int) -> bytes:
    """A varint field."""
    return varint(number << 3 | VARINT) + varint(value)


def size_of(pieces: Sequence[Piece]) -> int:
    """Bytes that the pieces take."""
    return sum(len(p) if isinstance(p, bytes) else p.nbytes for p in pieces)


def bytes_field(number: int, *pieces: Piece) -> list[Piece]:
    """A field of wire type 2 around the pieces; no array is copied."""
    return [varint(number << 3 | BYTES) + varint(size_of(pieces)), *pieces]


def write_pieces(out: BinaryIO, pieces: Sequence[Piece]) -> None:
    """Writes the pieces one after another."""
    for piece in pieces:
        if isinstance(piece, bytes):
            out.write(piece)
        elif piece.size:
            out.write(piece.reshape(-1).view(np.uint8).data)
