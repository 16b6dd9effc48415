"""BlobProto: all notations of values and shapes, both directions, and shapes that lie."""
from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from caffempi.errors import SnapshotError, WeightsError
from caffempi.proto import caffe_pb2
from caffempi.weights.blob import blob_pieces, check_shape, parse_blob, read_blob
from caffempi.weights.wire import Source, bytes_field, int_field, varint, write_pieces

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"
SHAPE = b"".join(bytes_field(7, *bytes_field(1, b"\x02\x03")))
VALUES = np.arange(6) / 3


def parse(data: bytes) -> np.ndarray:
    return parse_blob(Source(data), 0, len(data))


def joined(*pieces: bytes) -> bytes:
    return b"".join(pieces)


def unpacked(key: int, dtype: str) -> bytes:
    return b"".join(bytes([key]) + v.tobytes() for v in VALUES.astype(dtype))


@pytest.mark.parametrize(("data", "dtype"), [
    (joined(*bytes_field(5, VALUES.astype("<f4").tobytes())), np.float32),
    (joined(*bytes_field(8, VALUES.astype("<f8").tobytes())), np.float64),
    (unpacked(0x2d, "<f4"), np.float32), (unpacked(0x41, "<f8"), np.float64),
    (joined(*bytes_field(5, VALUES[:4].astype("<f4").tobytes()), *bytes_field(5, VALUES[4:].astype("<f4").tobytes())),
     np.float32),
    (unpacked(0x2d, "<f4")[:15] + joined(*bytes_field(5, VALUES[3:].astype("<f4").tobytes())), np.float32),
    (int_field(10, 1) + joined(*bytes_field(12, VALUES.astype("<f4").tobytes())), np.float32),
    (int_field(10, 0) + joined(*bytes_field(12, VALUES.astype("<f8").tobytes())), np.float64),
    (joined(*bytes_field(12, VALUES.astype("<f2").tobytes())) + int_field(10, 2), np.float32)])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("pad", range(4))
def test_every_notation_of_values_is_read(data: bytes, dtype: type, first: bool, pad: int) -> None:
    body = SHAPE + data if first else data + SHAPE
    got = parse_blob(Source(bytes(pad) + body), pad, pad + len(body))
    assert (got.shape, got.dtype, got.flags.aligned) == ((2, 3), dtype, True)
    np.testing.assert_allclose(got.ravel(), VALUES, rtol=1e-3 if data.endswith(b"\x50\x02") else 1e-6)


def test_diffs_are_stepped_over() -> None:
    diffs = joined(b"\x35\0\0\0\0" * 1000, b"\x49" + bytes(8), *bytes_field(6, bytes(24)), *bytes_field(13, b"xx"))
    np.testing.assert_array_equal(parse(diffs + unpacked(0x2d, "<f4") + SHAPE).ravel(), VALUES.astype(np.float32))


@pytest.mark.parametrize(("fields", "shape"), [
    ({"num": 1, "channels": 1, "height": 2, "width": 3}, (1, 1, 2, 3)),
    ({"num": 6, "channels": 1, "height": 1, "width": 1}, (6, 1, 1, 1)),
    ({"shape": caffe_pb2.BlobShape(dim=[6])}, (6,)),
    ({"shape": caffe_pb2.BlobShape(dim=[1, 2, 1, 3, 1])}, (1, 2, 1, 3, 1)),
    ({"num": 1, "channels": 2, "height": 3, "width": 1, "shape": caffe_pb2.BlobShape(dim=[6])}, (1, 2, 3, 1))])
def test_old_dimensions_stay_four_and_win_over_a_shape(fields: dict[str, Any], shape: tuple[int, ...]) -> None:
    assert parse(caffe_pb2.BlobProto(data=VALUES, **fields).SerializeToString()).shape == shape


def test_unpacked_dimensions_scalars_and_empty_blobs() -> None:
    assert parse(joined(*bytes_field(7, int_field(1, 6))) + unpacked(0x2d, "<f4")).shape == (6,)
    assert parse(caffe_pb2.BlobProto(data=[5]).SerializeToString()).shape == ()
    assert parse(caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=[0, 3])).SerializeToString()).shape == (0, 3)


def shaped(*dims: int) -> bytes:
    return joined(*bytes_field(7, *bytes_field(1, b"".join(map(varint, dims)))))


@pytest.mark.parametrize(("data", "why"), [
    (shaped(-1, 6), "impossible blob shape"), (shaped(2**31, 1), "impossible"), (shaped(2**62, 2**62), "impossible"),
    (shaped(0, 2**31 - 1, 2**31 - 1), "impossible"), (shaped(*[1] * 33), "33 axes"),
    (shaped(*[1] * 400), "shape of 400"),
    (shaped(100000, 100000), "wants 10000000000 values, the file has 0"), (shaped(7), "wants 7 values"),
    (int_field(1, -1) + int_field(2, 1), "impossible"), (int_field(1, 6), "wants 0 values, the file has 6"),
    (joined(*bytes_field(5, b"abc")), "no whole number"), (joined(*bytes_field(12, b"abc")), "no whole number"),
    (joined(*bytes_field(5, bytes(24)), *bytes_field(8, bytes(48))), "two types"),
    (int_field(10, 3) + joined(*bytes_field(12, bytes(24))), "type 3 is not supported"),
    (int_field(5, 1), "wire type 0"), (joined(*bytes_field(1, b"x")), "wire type 2"), (int_field(7, 1), "wire type 0"),
    (joined(*bytes_field(7, b"\x0d\0\0\0\0")), "wire type 5"), (joined(*bytes_field(11, b"x")), "OpenCL")])
def test_blobs_that_lie_are_refused_without_allocating(data: bytes, why: str) -> None:
    values = unpacked(0x2d, "<f4") if "the file has 6" in why or "wants 7" in why else b""
    with pytest.raises(WeightsError, match=why):
        parse(data + values)


@pytest.mark.parametrize("shape", [(), (0, 3), (1,), (7,), (2, 3), (2, 3, 4, 5), (1, 2, 1, 2, 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("with_diff", [True, False])
def test_what_is_written_is_what_protobuf_writes(shape: tuple[int, ...], dtype: type, with_diff: bool) -> None:
    rng = np.random.default_rng(1)
    data, diff = rng.random(shape).astype(dtype), rng.random(shape).astype(dtype) if with_diff else None
    out = io.BytesIO()
    write_pieces(out, blob_pieces(data, diff))
    names = ("data", "diff") if dtype == np.float32 else ("double_data", "double_diff")
    want = caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=shape))
    for name, array in zip(names, (data, diff), strict=True):
        if array is not None:
            getattr(want, name).extend(array.ravel().tolist())
    assert caffe_pb2.BlobProto.FromString(out.getvalue()) == want
    assert len(out.getvalue()) == want.ByteSize()
    np.testing.assert_array_equal(parse(out.getvalue()), data)


@pytest.mark.parametrize("shape", [(), (0, 3), (7,), (2, 3, 4, 5)])
@pytest.mark.parametrize("with_diff", [True, False])
def test_float16_is_written_as_nvcaffes_raw_data(shape: tuple[int, ...], with_diff: bool) -> None:
    rng = np.random.default_rng(2)
    data, diff = (rng.standard_normal(shape).astype(np.float16) for _ in range(2))
    out = io.BytesIO()
    write_pieces(out, blob_pieces(np.asarray(data), np.asarray(diff) if with_diff else None))
    want = caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=shape), raw_data_type=caffe_pb2.FLOAT16)
    if data.size:
        want.raw_data = data.tobytes()
    if with_diff:
        want.raw_diff_type = caffe_pb2.FLOAT16
        if diff.size:
            want.raw_diff = diff.tobytes()
    assert caffe_pb2.BlobProto.FromString(out.getvalue()) == want
    got = parse(out.getvalue())
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, data)


@pytest.mark.parametrize(("raw", "type_", "why"), [
    (bytes(11), 2, "no whole number of 2-byte values"), (bytes(10), 2, "wants 6 values, the file has 5"),
    (bytes(12), 1, "wants 6 values, the file has 3"), (bytes(12), 7, "type 7 is not supported"), (b"", 2, "has 0")])
def test_raw_data_of_another_length_or_type_is_refused(raw: bytes, type_: int, why: str) -> None:
    with pytest.raises(WeightsError, match=why):
        parse(SHAPE + int_field(10, type_) + joined(*bytes_field(12, raw)))


def test_strided_arrays_are_written_in_order() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    for variant in (array.T, array[::2, ::-1]):
        out = io.BytesIO()
        write_pieces(out, blob_pieces(variant))
        np.testing.assert_array_equal(parse(out.getvalue()), variant)


@pytest.mark.parametrize(("data", "diff"), [
    (np.zeros(3, np.int32), None), (np.zeros(3), np.zeros(4)), (np.zeros(3, np.float32), np.zeros(3)),
    (np.zeros(3, np.float16), np.zeros(3, np.float32))])
def test_arrays_that_no_blob_can_hold_are_refused(data: np.ndarray, diff: np.ndarray | None) -> None:
    with pytest.raises(SnapshotError, match="float16, float32 or float64"):
        blob_pieces(data, diff)


def test_check_shape_counts() -> None:
    assert (check_shape(()), check_shape((2, 3)), check_shape((0, 5))) == (1, 6, 0)


def test_the_originals_mean_file_is_read_in_its_four_dimensions() -> None:
    got = read_blob(GOLDEN / "mean.binaryproto")
    want = caffe_pb2.BlobProto.FromString((GOLDEN / "mean.binaryproto").read_bytes())
    assert got.shape == (1, 3, 32, 40) == (want.num, want.channels, want.height, want.width)
    np.testing.assert_array_equal(got.ravel(), np.array(want.data, np.float32))


@pytest.mark.parametrize(("name", "why"), [("sgd.caffemodel", "weights"), ("sgd.solverstate", "solver state"),
                                           ("adadelta.caffemodel.h5", "HDF5")])
def test_other_files_given_as_mean_are_named(name: str, why: str) -> None:
    with pytest.raises(WeightsError, match=f"{name}: is an? .*{why}.* single blob"):
        read_blob(GOLDEN / name)
