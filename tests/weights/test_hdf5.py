"""Guarded reading of HDF5: nothing outside the file, nothing larger than the file can hold."""
from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from caffempi.errors import SnapshotError, WeightsError
from caffempi.weights.hdf5 import Node, dump_hdf5, open_hdf5, put_array, put_text


def made(path: Path, fill: Callable[[Any], None]) -> Path:
    with h5py.File(path / "f.h5", "w") as file:
        fill(file)
    return path / "f.h5"


def read(path: Path, what: Callable[[Node], Any]) -> Any:
    with open_hdf5(path) as root:
        return what(root)


@pytest.mark.parametrize(("dtype", "result"), [("<f4", "float32"), ("<f8", "float64"), (">f4", "float32"),
                                               (">f8", "float64"), ("<f2", "float32"), ("<i4", "float32")])
@pytest.mark.parametrize("options", [{}, {"chunks": (2, 2)}, {"chunks": (3, 4), "compression": "gzip", "shuffle": True},
                                     {"chunks": (2, 3), "fletcher32": True}])
def test_numbers_of_all_kinds_and_packings_are_read(tmp_path: Path, dtype: str, result: str, options: dict) -> None:
    values = np.arange(12).reshape(3, 4)
    path = made(tmp_path, lambda f: f.create_dataset("x", data=values.astype(dtype), **options))
    got = read(path, lambda r: r.child("x").array())
    assert got.dtype == result
    np.testing.assert_array_equal(got, values)


def test_scalars_and_empty_arrays(tmp_path: Path) -> None:
    def fill(file: Any) -> None:
        file["scalar"], file["none"] = np.float32(3), np.empty((0, 4), np.float32)
    path = made(tmp_path, fill)
    assert read(path, lambda r: (r.child("scalar").array().shape, r.child("none").array().shape)) == ((), (0, 4))


def test_what_put_writes_is_read_back_and_is_laid_out_as_the_c_interface_does() -> None:
    out = io.BytesIO()

    def fill(root: Any) -> None:
        put_array(root, "a", np.arange(6.0).reshape(2, 3))
        put_text(root, "t", "snap_ü.caffemodel.h5")
    dump_hdf5(out, fill)
    with h5py.File(out, "r") as file:
        kind = file["t"].id.get_type()
        assert (kind.get_size(), kind.get_strpad(), file["t"].shape) == (22, h5py.h5t.STR_NULLTERM, ())
        assert (file["t"][()].decode(), file["a"].dtype, file["a"].chunks) == ("snap_ü.caffemodel.h5", "float64", None)
    assert out.getvalue()[8] == 0   # superblock version 0: every libhdf5 reads it


def test_text_is_read_back(tmp_path: Path) -> None:
    for text in ("", "a/b.caffemodel", "ü"):
        path = made(tmp_path, lambda f, text=text: put_text(f, "t", text))  # type: ignore[misc]
        assert read(path, lambda r: r.child("t").text()) == text


def soft(f: Any) -> None:
    f["y"] = np.ones(3, np.float32)
    f["x"] = h5py.SoftLink("/y")


def external_storage(f: Any) -> None:
    f.create_dataset("x", (3,), "f4", external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])


def virtual(f: Any) -> None:
    layout = h5py.VirtualLayout((3,), "f4")
    layout[:] = h5py.VirtualSource("/other.h5", "x", (3,))
    f.create_virtual_dataset("x", layout)


@pytest.mark.parametrize(("fill", "why"), [
    (soft, "link to elsewhere"),
    (lambda f: f.__setitem__("x", h5py.ExternalLink("/other.h5", "/x")), "link to elsewhere"),
    (external_storage, "keeps its data in another file"), (virtual, "keeps its data in another file"),
    (lambda f: f.create_dataset("x", (10**6, 10**4), "f4"), "claims 40000000000 bytes, the file has 0"),
    (lambda f: f.create_dataset("x", (10**6, 10**4), "f4", chunks=(10, 10), compression="gzip"), "claims 40000000000"),
    (lambda f: f.create_dataset("x", (10**4,), "f4", chunks=(10**9,), maxshape=(None,)), "claims chunks of 4000000000"),
    (lambda f: f.create_dataset("x", (3,), "f4"), "claims 12 bytes"), (lambda f: f.create_group("x"), "not a dataset"),
    (lambda f: f.create_dataset("x", data="text"), "unfit type"), (lambda f: None, "is missing"),
    (lambda f: f.create_dataset("x", data=np.ones((8, 8), "f4"), chunks=(8, 8), compression="lzf"), "filters")])
def test_what_points_outside_or_lies_is_refused(tmp_path: Path, fill: Callable[[Any], None], why: str) -> None:
    path = made(tmp_path, fill)
    with pytest.raises(WeightsError, match=why):
        read(path, lambda r: r.child("x").array())


def test_many_datasets_that_each_unpack_to_much_are_stopped_in_sum(tmp_path: Path) -> None:
    def fill(f: Any) -> None:
        f.create_dataset("x", data=np.zeros(2_000_000, "f4"), chunks=(2_000_000,), compression="gzip")
        for k in range(5):
            f[f"x{k}"] = f["x"]
    path = made(tmp_path, fill)
    with pytest.raises(WeightsError, match="claims 8000000 bytes"):
        read(path, lambda r: [r.child(f"x{k}").array() for k in range(5)])


def test_groups_linked_in_a_circle_are_refused(tmp_path: Path) -> None:
    def fill(f: Any) -> None:
        f.create_group("a")
        f["a/b"] = f["a"]
    path = made(tmp_path, fill)

    def walk(root: Node) -> None:
        root.child("a").children()
        root.child("a").child("b").children()
    with pytest.raises(WeightsError, match="in a circle"):
        read(path, walk)


def test_a_link_to_outside_is_not_opened_to_see_whether_it_exists(tmp_path: Path) -> None:
    path = made(tmp_path, lambda f: f.__setitem__("x", h5py.ExternalLink("nowhere.h5", "/x")))
    assert read(path, lambda r: (r.has("x"), r.has("y"))) == (True, False)


@pytest.mark.parametrize(("fill", "what"), [
    (lambda f: f.create_dataset("x", data=[1, 2]), lambda r: r.child("x").integer()),
    (lambda f: f.create_dataset("x", data=1.5), lambda r: r.child("x").integer()),
    (lambda f: f.create_dataset("x", data=[1, 2]), lambda r: r.child("x").content()),
    (lambda f: f.create_dataset("x", data="variable"), lambda r: r.child("x").text()),
    (lambda f: f.create_dataset("x", data=np.array([b"a", b"b"])), lambda r: r.child("x").text()),
    (lambda f: f.create_dataset("x", data=1), lambda r: r.child("x").children())])
def test_values_of_another_kind_are_refused(tmp_path: Path, fill: Callable[[Any], None],
                                            what: Callable[[Node], Any]) -> None:
    with pytest.raises(WeightsError, match="HDF5: /x "):
        read(made(tmp_path, fill), what)


def test_a_disk_that_fails_midway_gives_its_own_error() -> None:
    class Disk(io.BytesIO):
        def write(self, data: Any) -> int:
            if self.tell() + len(data) > 4096:
                raise OSError(28, "No space left on device")
            return super().write(data)
    with pytest.raises(OSError, match="No space left"):
        dump_hdf5(Disk(), lambda root: put_array(root, "a", np.ones(10**5, np.float32)))


def test_values_that_no_blob_has_are_refused() -> None:
    with pytest.raises(SnapshotError, match="int32"):
        dump_hdf5(io.BytesIO(), lambda root: put_array(root, "a", np.ones(3, np.int32)))


@pytest.mark.parametrize("nested", [False, True])
def test_more_links_than_any_net_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nested: bool) -> None:
    path = made(tmp_path, lambda f: [f.create_group(f"a/{k % 3}/{k}" if nested else f"a/{k}") for k in range(60)])

    def walk(node: Node) -> None:
        for _, child in node.children():
            walk(child)
    read(path, walk)
    monkeypatch.setattr("caffempi.weights.hdf5._MAX_LINKS", 50)
    with pytest.raises(WeightsError, match="more than 50 links"):
        read(path, walk)
