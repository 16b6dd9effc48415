"""IDX files."""
from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest

from caffempi.data.idx import read_idx
from caffempi.errors import DataError


def idx(array: np.ndarray, code: int) -> bytes:
    return bytes([0, 0, code, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


GOOD = idx(np.arange(6, dtype="u1").reshape(1, 2, 3), 8)


@pytest.mark.parametrize("code, dtype", [(8, "u1"), (9, "i1"), (11, ">i2"), (12, ">i4"), (13, ">f4"), (14, ">f8")])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("shape", [(6,), (1, 2, 3), (0, 4)])
def test_all_types_plain_and_packed(tmp_path, code, dtype, pack, shape):
    want = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
    (tmp_path / "f").write_bytes(pack(idx(want, code)))
    got = read_idx(str(tmp_path / "f"))
    np.testing.assert_array_equal(got, want)
    assert got.dtype.isnative and got.shape == shape


@pytest.mark.parametrize("data, words", [
    (b"", "no IDX"), (b"\0\0\x08", "no IDX"), (b"\0\0\x07\x01\0\0\0\x01a", "no IDX"), (GOOD[:9], "header"),
    (GOOD[:-1], "only 5 of the 6 bytes"), (GOOD + b"x", "more than the 6 bytes"), (gzip.compress(GOOD, mtime=0)[:-12], "damaged"),
    (gzip.compress(GOOD, mtime=0)[:14] + b"\xff" * 20, "f "), (b"\0\0\x08\x02" + b"\xff" * 8, "GiB"),
    (b"\0\0\x08\x01\0\x10\0\0abc", "only 3 of the")])
def test_faulty_files_give_one_line(tmp_path, data, words):
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(DataError) as caught:
        read_idx(str(tmp_path / "f"))
    assert words in str(caught.value) and str(tmp_path / "f") in str(caught.value)


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read_idx(str(tmp_path / "none"))
