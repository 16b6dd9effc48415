"""BlobProto, Caffe's array in a message: read as a NumPy array, written from one.

Fields: 1-4 num, channels, height, width (old, int32, missing ones are 0) or 7 BlobShape{1: int64 dims}; the values are
5 float data, 8 double_data, each packed or not, or NVCaffe's 12 raw_data with the element type in 10; the diffs
6, 9, 13 are stepped over. Where an old dimension is given, the old four are the shape, as in Caffe.
"""
from __future__ import annotations

import math
import os

import numpy as np

from caffempi.errors import SnapshotError, WeightsError
from caffempi.weights.source import binary_kind, is_hdf5, open_source, refuse_kind
from caffempi.weights.wire import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    Fields,
    Piece,
    Source,
    bytes_field,
    expect,
    int_field,
    signed,
    varint,
)

MAX_AXES = 32
_MAX_COUNT = 1 << 48
_FLOATS = {5: (FIXED32, "<f4"), 8: (FIXED64, "<f8")}
_DIFFS = {6: FIXED32, 9: FIXED64}
_FLOAT16 = 2
_FIELDS = {np.dtype(name): fields for name, fields in (            # of values and diff: number, and number of its type
    ("float32", ((5, 0), (6, 0))), ("float64", ((8, 0), (9, 0))), ("float16", ((12, 10), (13, 11))))}
_RAW_TYPES = {0: "<f8", 1: "<f4", _FLOAT16: "<f2"}   # NVCaffe's enum Type: DOUBLE, FLOAT, FLOAT16; 3 and 4 are integers


def read_blob(path: str | os.PathLike[str]) -> np.ndarray:
    """The array of a file that is one BlobProto, such as mean.binaryproto.

    Shape as in the file: a mean image has (1, C, H, W). Raises WeightsError naming the path.
    """
    source = open_source(path)
    try:
        if is_hdf5(source):
            raise WeightsError("is an HDF5 file where a single blob (.binaryproto) is wanted")
        refuse_kind(binary_kind(source), "blob")
        return parse_blob(source, 0, source.size)
    except WeightsError as err:
        raise err.at(where=os.fspath(path)) from None


def check_shape(shape: tuple[int, ...]) -> int:
    """The number of values of a shape read from a file. Raises WeightsError for one that cannot be a blob's."""
    if len(shape) > MAX_AXES:
        raise WeightsError(f"a blob of {len(shape)} axes; at most {MAX_AXES} are possible")
    if any(d < 0 or d >= 1 << 31 for d in shape) or math.prod(max(d, 1) for d in shape) > _MAX_COUNT:
        raise WeightsError(f"impossible blob shape {shape}: corrupt")
    return math.prod(shape)


def parse_blob(source: Source, start: int, stop: int, aligned: bool = True) -> np.ndarray:
    """The values of the BlobProto at bytes [start, stop) in its shape, as float32 or float64 (raw fp16: float32).

    A packed list whose place in the file suits its type is a read-only view of the mapped file; others are copied. aligned:
    false lets the place be any, for who copies the values anyway.
    Raises WeightsError where the message is corrupt, or where shape and number of values differ.
    """
    old: dict[int, int] = {}
    dims: list[int] = []
    parts: dict[str, list[np.ndarray]] = {}
    raw_type, raw = 0, []
    fields = Fields(source, start, stop)
    for number, kind, value, end in fields:
        if number in _FLOATS:
            fixed, dtype = _FLOATS[number]
            if kind == fixed:
                parts.setdefault(dtype, []).append(_unpacked(fields.repeats(value, int(dtype[2])), dtype))
            else:
                expect(number, kind, BYTES)
                parts.setdefault(dtype, []).append(_packed(source, value, end, dtype))
        elif number in _DIFFS and kind == _DIFFS[number]:
            fields.repeats(value, 4 if kind == FIXED32 else 8)
        elif number <= 4:
            expect(number, kind, VARINT)
            old[number] = signed(value, 32)
        elif number == 7:
            expect(number, kind, BYTES)
            _read_dims(Fields(source, value, end), dims)
        elif number == 10:
            expect(number, kind, VARINT)
            raw_type = value
        elif number == 11 and kind == BYTES:
            raise WeightsError("packed_data of OpenCL Caffe is not supported", fix="save it there as HDF5")
        elif number == 12:
            expect(number, kind, BYTES)
            raw.append((value, end))
    if raw:
        if raw_type not in _RAW_TYPES:
            raise WeightsError(f"raw_data of type {raw_type} is not supported; FLOAT16, FLOAT and DOUBLE are")
        value, end = raw[-1]
        parts.setdefault("raw", []).append(_packed(source, value, end, _RAW_TYPES[raw_type]))
    parts = {key: pieces for key, pieces in parts.items() if any(p.size for p in pieces)}
    if len(parts) > 1:
        raise WeightsError("a blob with values of two types: corrupt")
    shape = tuple(old.get(n, 0) for n in (1, 2, 3, 4)) if old else tuple(dims)
    return _assemble(next(iter(parts.values()), []), shape, aligned)


def blob_pieces(data: np.ndarray, diff: np.ndarray | None = None) -> list[Piece]:
    """The wire form of a BlobProto in the order of BVLC's: float data 5, diff 6, shape 7, double_data 8, diff 9.

    float32 arrays go to 5 and 6, float64 to 8 and 9; float16 to NVCaffe's raw_data 12 and raw_diff 13, with their types in 10
    and 11. Raises SnapshotError for any other dtype or a diff that differs.
    """
    if data.dtype not in _FIELDS or (diff is not None and (diff.shape, diff.dtype) != (data.shape, data.dtype)):
        raise SnapshotError(f"a blob of {data.dtype} {data.shape}"
                            f"{f' with a diff of {diff.dtype} {diff.shape}' if diff is not None else ''}"
                            " cannot be saved; data and diff must be float16, float32 or float64, both alike")
    dims = b"".join(varint(d) for d in data.shape)
    fields = {7: bytes_field(7, *(bytes_field(1, dims) if dims else []))}
    for array, (number, type_number) in zip((data, diff), _FIELDS[data.dtype], strict=True):
        if array is not None:
            fields[number] = _values_field(number, array)
            if type_number:
                fields[type_number] = [int_field(type_number, _FLOAT16)]
    return [piece for number in sorted(fields) for piece in fields[number]]


def _values_field(number: int, array: np.ndarray) -> list[Piece]:
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return bytes_field(number, plain) if plain.size else []


def _read_dims(fields: Fields, dims: list[int]) -> None:
    """Appends the dims of a BlobShape, packed or not."""
    for number, kind, value, end in fields:
        if number != 1:
            continue
        if kind == VARINT:
            dims.append(signed(value))
        else:
            expect(number, kind, BYTES)
            if end - value > 10 * MAX_AXES:
                raise WeightsError(f"a blob shape of {end - value} bytes: corrupt")
            dims.extend(signed(v) for v in fields.varints(value, end))


def _packed(source: Source, start: int, end: int, dtype: str) -> np.ndarray:
    size = int(dtype[2])
    if (end - start) % size:
        raise WeightsError(f"corrupt at byte {start}: {end - start} bytes are no whole number of {size}-byte values")
    return np.frombuffer(source.data, dtype, (end - start) // size, start) if end > start else np.empty(0, dtype)


def _unpacked(rows: np.ndarray, dtype: str) -> np.ndarray:
    return np.ascontiguousarray(rows).view(dtype).reshape(-1)


def _assemble(pieces: list[np.ndarray], shape: tuple[int, ...], aligned: bool) -> np.ndarray:
    """One array of native byte order in the shape; a single piece is not copied, unless it must be to be aligned."""
    count, have = check_shape(shape), sum(p.size for p in pieces)
    if count != have:
        raise WeightsError(f"a blob of shape {shape} wants {count} values, the file has {have}: truncated or corrupt")
    if not pieces:
        return np.empty(shape, np.float32)
    flat = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
    wanted = np.dtype(np.float64 if flat.dtype.itemsize == 8 else np.float32)
    flat = flat.astype(wanted, copy=False)
    return (np.require(flat, requirements="A") if aligned else flat).reshape(shape)
