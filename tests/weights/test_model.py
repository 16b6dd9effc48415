"""read_weights and write_weights in both formats."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import h5py
import numpy as np
import pytest

from caffempi.errors import SnapshotError, WeightsError
from caffempi.proto import caffe_pb2
from caffempi.weights import LayerRecord, read_weights, write_weights
from caffempi.weights.wire import varint

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"
Format = Literal["BINARYPROTO", "HDF5"]


def record(name: str, *shapes: tuple[int, ...], dtype: type = np.float32, shared: frozenset[int] = frozenset(),
           diffs: bool = False) -> LayerRecord:
    rng = np.random.default_rng(len(name))
    blobs = [rng.random(s).astype(dtype) for s in shapes]
    return LayerRecord(name, "InnerProduct", ["x"], ["y"], blobs, [b + 1 for b in blobs] if diffs else None, shared)


NET = [record("data"), record("conv1", (4, 3, 2, 2), (4,)), record("inception/1x1", (2, 5), (2,)),
       record("inception/3x3", (2, 5)), record("scale", ())]


def test_the_originals_hdf5_file_reads_as_h5py_reads_it() -> None:
    layers = read_weights(GOLDEN / "adadelta.caffemodel.h5")
    assert list(layers) == ["conv", "data", "ip1", "ip2", "loss", "relu"]
    with h5py.File(GOLDEN / "adadelta.caffemodel.h5", "r") as file:
        for name, blobs in layers.items():
            assert len(blobs) == len(file["data"][name])
            for k, blob in enumerate(blobs):
                np.testing.assert_array_equal(blob, file[f"data/{name}/{k}"][()])


@pytest.mark.parametrize("fmt", ["BINARYPROTO", "HDF5"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("diffs", [True, False])
def test_what_is_written_is_read_back_bit_for_bit(tmp_path: Path, fmt: Format, dtype: type, diffs: bool) -> None:
    net = [record(r.name, *(b.shape for b in r.blobs), dtype=dtype, diffs=diffs) for r in NET]
    write_weights(tmp_path / "w", "net", net, fmt)
    layers = read_weights(tmp_path / "w")
    assert (list(layers) if fmt == "BINARYPROTO" else sorted(layers)) == (
        [r.name for r in net] if fmt == "BINARYPROTO" else sorted(r.name for r in net))
    for r in net:
        for got, want in zip(layers[r.name], r.blobs, strict=True):
            assert got is not None and (got.dtype, got.shape) == (
                np.float32 if dtype == np.float16 else dtype, want.shape)
            np.testing.assert_array_equal(got, want)
    if fmt == "HDF5":
        with h5py.File(tmp_path / "w", "r") as file:
            assert ("diff" in file) is diffs
            if diffs:
                np.testing.assert_array_equal(file["diff/conv1/1"][()], net[1].blobs[1] + 1)


@pytest.mark.parametrize("pad", range(4))
def test_binary_weights_are_views_of_the_file_wherever_they_stand(tmp_path: Path, pad: int) -> None:
    """Nothing of a large file is copied before a net takes its values."""
    wanted = record("a", (64, 64))
    write_weights(tmp_path / "w", "n" * pad, [wanted], "BINARYPROTO")
    blob = read_weights(tmp_path / "w")["a"][0]
    assert blob is not None and not blob.flags.writeable and not blob.flags.owndata
    np.testing.assert_array_equal(blob, wanted.blobs[0])


def test_a_blob_owned_by_another_layer_is_repeated_in_binary_and_left_out_in_hdf5(tmp_path: Path) -> None:
    net = [record("a", (2, 3), (2,)), record("b", (2, 3), (2,), shared=frozenset({0}))]
    for fmt, missing in (("BINARYPROTO", False), ("HDF5", True)):
        write_weights(tmp_path / "w", "net", net, fmt)  # type: ignore[arg-type]
        assert [b is None for b in read_weights(tmp_path / "w")["b"]] == [missing, False]


@pytest.mark.parametrize("name", ["", "/", "a//b", "./a", "a/."])
def test_names_that_hdf5_cannot_hold_are_refused_with_the_way_out(tmp_path: Path, name: str) -> None:
    with pytest.raises(SnapshotError, match="snapshot_format: BINARYPROTO"):
        write_weights(tmp_path / "w", "net", [record(name, (2,))], "HDF5")
    assert os.listdir(tmp_path) == []
    write_weights(tmp_path / "w", "net", [record(name, (2,))], "BINARYPROTO")
    assert list(read_weights(tmp_path / "w")) == [name]


@pytest.mark.parametrize("names", [("a", "a/0"), ("a/0/x", "a"), ("a", "a")])
def test_names_that_collide_in_hdf5_are_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(SnapshotError, match="collides") as caught:
        write_weights(tmp_path / "w", "net", [record(n, (2,)) for n in names], "HDF5")
    assert str(tmp_path / "w") in str(caught.value) and f'layer "{names[1]}"' in str(caught.value)


@pytest.mark.parametrize("fmt", ["BINARYPROTO", "HDF5"])
def test_values_of_other_types_are_refused(tmp_path: Path, fmt: Format) -> None:
    with pytest.raises(SnapshotError, match="int64"):
        write_weights(tmp_path / "w", "net", [LayerRecord("a", "T", [], [], [np.arange(3)])], fmt)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("fmt", ["BINARYPROTO", "HDF5"])
def test_a_disk_that_fills_up_leaves_the_old_snapshot(tmp_path: Path, fmt: Format) -> None:
    """A real limit of the process on file sizes: writing fails in the middle of a blob."""
    (tmp_path / "w").write_bytes(b"old")
    code = ("import resource, sys, numpy as np\n"
            "from caffempi.errors import SnapshotError\n"
            "from caffempi.weights import LayerRecord, write_weights\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))\n"
            "try: write_weights(sys.argv[1], 'n', [LayerRecord('a', 'T', [], [], [np.ones(10**6, np.float32)])], "
            "sys.argv[2])\n"
            "except SnapshotError as err: print(err)\n")
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "w"), fmt], capture_output=True, text=True,
                          cwd=Path(__file__).parents[2], timeout=60)
    assert done.returncode == 0 and done.stderr == ""
    assert str(tmp_path / "w") in done.stdout and "cannot be written: File too large" in done.stdout
    assert os.listdir(tmp_path) == ["w"] and (tmp_path / "w").read_bytes() == b"old"


@pytest.mark.parametrize(("path", "why"), [
    ("data/x", "is no blob of a layer"), ("data/a/x", "is no blob of a layer"), ("data/a/00", "is no blob of a layer"),
    ("data/a/999999999", "is no blob of a layer"), ("data/" + "/".join("a" * 40) + "/0", "nested too deeply"),
    ("other", "no group /data"), ("history/0", "is a solver state"), ("data", "not a group")])
def test_hdf5_files_of_another_layout_are_refused(tmp_path: Path, path: str, why: str) -> None:
    with h5py.File(tmp_path / "w.h5", "w") as file:
        file[path] = np.ones(3, np.float32)
    with pytest.raises(WeightsError, match=why) as caught:
        read_weights(tmp_path / "w.h5")
    assert str(tmp_path / "w.h5") in str(caught.value)


@pytest.mark.parametrize(("name", "why"), [("sgd.solverstate", "--snapshot"), ("adadelta.solverstate.h5", "--snapshot"),
                                           ("mean.binaryproto", "single blob"), ("README.md", "is a text"),
                                           ("nope", "no such")])
def test_other_files_given_as_weights_are_named(name: str, why: str) -> None:
    with pytest.raises(WeightsError, match=why) as caught:
        read_weights(GOLDEN / name)
    assert name in str(caught.value) and "\n" not in str(caught.value)


def test_a_blob_of_three_gigabytes_is_read_without_copying(tmp_path: Path) -> None:
    """A sparse file whose lengths pass 2**31; the values lie at a multiple of four, so they are mapped, not copied."""
    count = 3 << 28
    shape = caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=[count])).SerializeToString()
    blob = shape + b"\x2a" + varint(4 * count)
    layer = caffe_pb2.LayerParameter(name="big").SerializeToString() + b"\x3a" + varint(len(blob) + 4 * count) + blob
    head = varint(802) + varint(len(layer) + 4 * count) + layer
    name = b"\x0a" + varint(-(len(head) + 2) % 4) + bytes(-(len(head) + 2) % 4)
    with open(tmp_path / "w", "wb") as file:
        file.write(name + head)
        file.truncate(len(name + head) + 4 * count)
    got = read_weights(tmp_path / "w")["big"][0]
    assert got is not None and got.shape == (count,) and not got.flags.owndata and got[-1] == 0
