"""The small helpers of data layers."""
from __future__ import annotations

import pytest

from caffempi.data.fields import batch_size, fits_memory, only, read_lines, required_path, resolve
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2

P = caffe_pb2.DataParameter


def test_only_lets_pass_what_is_allowed_and_names_the_rest():
    only(P(source="x", batch_size=3), ("source", "batch_size"), "data_param", "")
    with pytest.raises(DataError, match=r"field data_param\.scale = 2\.0: is not obeyed here; do that"):
        only(P(source="x", scale=2), ("source",), "data_param", "do that")


@pytest.mark.parametrize("path, base, want", [("a/b", None, "a/b"), ("a/b", "/c", "/c/a/b"), ("/a", "/c", "/a")])
def test_paths_start_from_the_base(path, base, want):
    assert resolve(path, base) == required_path(P(source=path), "data_param", base) == want


def test_a_source_must_be_named():
    with pytest.raises(DataError, match=r"data_param\.source"):
        required_path(P(), "data_param", None)


@pytest.mark.parametrize("text, override, want", [(3, None, 3), (3, 5, 5), (0, 2, 2)])
def test_batch_size(text, override, want):
    assert batch_size(P(batch_size=text), "data_param", override) == want


@pytest.mark.parametrize("text, override", [(0, None), (3, 0), (2**32 - 1, 2**50)])
def test_batch_sizes_that_cannot_be(text, override):
    with pytest.raises(DataError, match=r"data_param\.batch_size"):
        batch_size(P(batch_size=text), "data_param", override)


def test_memory():
    fits_memory(1000, "x")
    with pytest.raises(DataError, match=r"field f: x needs 1073741824\.0 GiB"):
        fits_memory(1 << 60, "x", field="f")


def test_lines(tmp_path):
    (tmp_path / "l").write_bytes(b"\xef\xbb\xbfa \r\n\n b\xff")
    assert [s.encode("utf-8", "surrogateescape") for s in read_lines(str(tmp_path / "l"), "list")] == [b"a", b"", b"b\xff"]
    with pytest.raises(DataError, match=r"list .* cannot be read"):
        read_lines(str(tmp_path), "list")
