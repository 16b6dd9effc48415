"""The wire format: reading field by field, lists, and every way a message can lie."""
from __future__ import annotations

import io

import numpy as np
import pytest

from caffempi.errors import WeightsError
from caffempi.weights.wire import (
    Fields,
    Source,
    bytes_field,
    expect,
    int_field,
    signed,
    size_of,
    varint,
    write_pieces,
)


def rows(data: bytes) -> list[tuple[int, int, int, int]]:
    return list(Fields(Source(data)))


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**31 - 1, 2**31, 2**63, 2**64 - 1])
def test_a_varint_written_is_read_back(value: int) -> None:
    assert rows(int_field(5, value)) == [(5, 0, value, len(int_field(5, value)))]


@pytest.mark.parametrize("value", [-1, -2**31, 2**31 - 1, 0, 5])
def test_negative_numbers_take_ten_bytes_and_come_back_signed(value: int) -> None:
    assert signed(rows(int_field(1, value))[0][2]) == value
    assert signed(rows(int_field(1, value))[0][2], 32) == value
    assert len(varint(-1)) == 10


def test_all_wire_types_are_stepped_over_in_order() -> None:
    data = int_field(1, 7) + b"\x11" + bytes(8) + b"".join(bytes_field(3, b"abc")) + b"\x25" + bytes(4)
    assert [(n, k) for n, k, _, _ in rows(data)] == [(1, 0), (2, 1), (3, 2), (4, 5)]


@pytest.mark.parametrize(("data", "why"), [
    (b"\x08", "inside a varint"), (b"\x08\x80", "inside a varint"), (b"\x80", "inside a varint"),
    (b"\x08" + b"\xff" * 10 + b"\x01", "more than 10 bytes"),
    (b"\x0a\x05abc", "wants 7 bytes, 5 are left"), (b"\x0d\0\0", "wants 5 bytes"), (b"\x09\0", "wants 9 bytes"),
    (b"\x0a" + varint(2**63), "are left"), (b"\x0a" + varint(2**64 - 1), "are left"),
    (b"\x00\x01", "field number 0"), (varint((1 << 29) << 3) + b"\x01", "field number"),
    (b"\x0b\x0c", "wire type 3"), (b"\x0c", "wire type 4"), (b"\x0e", "wire type 6"), (b"\x0f", "wire type 7"),
])
def test_illegal_bytes_are_named(data: bytes, why: str) -> None:
    with pytest.raises(WeightsError, match=why):
        rows(data)


def test_a_message_ends_where_its_length_says_even_if_the_file_goes_on() -> None:
    with pytest.raises(WeightsError, match="are left"):
        list(Fields(Source(b"\x0a\x05abcde"), 0, 4))


def test_millions_of_tiny_fields_are_refused() -> None:
    with pytest.raises(WeightsError, match="fields"):
        rows(b"\x08\x01" * 1_000_000)


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 66, 200, 5000])
@pytest.mark.parametrize("tail", [b"", b"\x08\x01", b"\x35\0\0\0\0"])
def test_an_unpacked_list_is_taken_as_one(count: int, tail: bytes) -> None:
    values = np.arange(count, dtype="<f4")
    data = b"".join(b"\x2d" + v.tobytes() for v in values) + tail
    fields = Fields(Source(data))
    number, _, value, _ = next(iter(fields))
    got = fields.repeats(value, 4)
    assert number == 5
    np.testing.assert_array_equal(np.ascontiguousarray(got).view("<f4")[:, 0], values)
    assert fields.pos == len(data) - len(tail)


def test_a_packed_list_of_varints() -> None:
    fields = Fields(Source(varint(1) + varint(300) + varint(-1)))
    assert [signed(v) for v in fields.varints(0, fields.stop)] == [1, 300, -1]


def test_a_wrong_wire_type_is_named() -> None:
    expect(7, 2, 2)
    with pytest.raises(WeightsError, match="field 7 has wire type 0 where 2"):
        expect(7, 0, 2)


def test_pieces_are_written_as_one_message_without_copying_arrays() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    pieces = bytes_field(100, b"ab", array)
    assert pieces[-1] is array
    out = io.BytesIO()
    write_pieces(out, [*pieces, np.empty((0, 2), np.float32)])
    assert out.getvalue() == varint(802) + varint(26) + b"ab" + array.tobytes()
    assert size_of(pieces) == len(out.getvalue())
