"""What a file is, told by its content, and the words for what it is not."""
from __future__ import annotations

import os
from pathlib import Path

import pytest

from caffempi.errors import WeightsError
from caffempi.proto import caffe_pb2
from caffempi.weights.source import binary_kind, is_hdf5, open_source, refuse_kind

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"


@pytest.mark.parametrize(("name", "hdf5", "kind"), [
    ("sgd.caffemodel", False, "weights"), ("sgd.solverstate", False, "state"), ("mean.binaryproto", False, "blob"),
    ("adadelta.caffemodel.h5", True, None), ("adadelta.solverstate.h5", True, None)])
def test_the_originals_files_are_told_apart(name: str, hdf5: bool, kind: str | None) -> None:
    source = open_source(GOLDEN / name)
    assert (is_hdf5(source), binary_kind(source) if not hdf5 else None) == (hdf5, kind)


@pytest.mark.parametrize(("message", "kind"), [
    (caffe_pb2.NetParameter(name="n"), "weights"),
    (caffe_pb2.NetParameter(layer=[caffe_pb2.LayerParameter(name="a")]), "weights"),
    (caffe_pb2.SolverState(iter=3, history=[caffe_pb2.BlobProto(data=[1])]), "state"),
    (caffe_pb2.BlobProto(num=1, channels=1, height=1, width=1, data=[1]), "blob"),
    (caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=[1]), data=[1]), "blob"),
    (caffe_pb2.SolverState(iter=3), None)])
def test_kinds_of_messages(tmp_path: Path, message: object, kind: str | None) -> None:
    (tmp_path / "f").write_bytes(message.SerializeToString())  # type: ignore[attr-defined]
    assert binary_kind(open_source(tmp_path / "f")) == kind


@pytest.mark.parametrize("block", [0, 512, 1024, 4096])
def test_hdf5_is_recognised_behind_a_user_block(tmp_path: Path, block: int) -> None:
    (tmp_path / "f").write_bytes(bytes([1]) * block + b"\x89HDF\r\n\x1a\n")
    assert is_hdf5(open_source(tmp_path / "f"))


@pytest.mark.parametrize(("content", "why"), [
    (b"", "is empty"), (b"\0\x05\x16\x07\0\x02\0\0Mac OS X", "AppleDouble"),
    (b'name: "LeNet"\nlayer { name: "data" type: "Input" }\n', "is a text"), (b"# a comment\nlayers {}", "is a text"),
    (b"<xml>", "is a text"), ("Gr\u00f6\u00dfe".encode(), "is a text"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:00", "Git LFS"), (b"<!DOCTYPE html><html>", "web page"),
    (b"<html><body>404", "web page"), (b"\x1f\x8b\x08\0", "gzip"), (b"PK\x03\x04\0", "zip")])
def test_junk_is_called_by_its_name(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "x.caffemodel"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=why) as caught:
        open_source(path)
    assert str(path) in str(caught.value) and caught.value.fix


def test_missing_files_and_folders_name_what_lies_beside(tmp_path: Path) -> None:
    (tmp_path / "lenet_iter_5.caffemodel").write_bytes(b"x")
    for path in (tmp_path, tmp_path / "nope.caffemodel", tmp_path / "no" / "such" / "folder"):
        with pytest.raises(WeightsError, match=r"lenet_iter_5\.caffemodel"):
            open_source(path)


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WeightsError, match="regular"):
        open_source(tmp_path / "pipe")
    with pytest.raises(WeightsError, match="cannot be read"):
        open_source("a\0b")
    with pytest.raises(WeightsError, match="cannot be read"):
        open_source(tmp_path / ("x" * 5000))


def test_a_wrong_kind_is_refused_with_the_way_out() -> None:
    refuse_kind("state", "state")
    refuse_kind(None, "state")
    with pytest.raises(WeightsError, match=r"file of weights .* where a solver state .* --weights"):
        refuse_kind("weights", "state")
    with pytest.raises(WeightsError, match=r"solver state .* where a file of weights .* --snapshot"):
        refuse_kind("state", "weights")
