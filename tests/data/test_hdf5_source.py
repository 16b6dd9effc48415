"""HDF5 lists: types, several files, and faults."""
from __future__ import annotations

import h5py
import numpy as np
import pytest

from caffempi.data.hdf5_source import Hdf5Batches, Hdf5Files
from caffempi.data.shard import Order
from caffempi.errors import DataError


def write(path, **data) -> None:
    with h5py.File(path, "w") as file:
        for name, value in data.items():
            file[name] = value


def files(tmp_path, *parts, names=("data", "label")) -> Hdf5Files:
    for i, part in enumerate(parts):
        write(tmp_path / f"{i}.h5", **part)
    (tmp_path / "l.txt").write_text("".join(f"{i}.h5\n\n" for i in range(len(parts))))
    return Hdf5Files(str(tmp_path / "l.txt"), names, str(tmp_path))


def rows(n: int, start: int = 0, dtype=np.float32):
    x = np.arange(start, start + n)
    return {"data": (x[:, None] * [1, 10]).astype(dtype), "label": x.astype(dtype)}


@pytest.mark.parametrize("batch", [1, 2, 5, 9, 25])
def test_batches_run_over_files_and_epochs(tmp_path, batch):
    source = files(tmp_path, rows(4), rows(1, 4), rows(4, 5))
    maker = Hdf5Batches(source, Order(source.rows), batch, "l")
    for k in range(6):
        data, label = maker.make(k * batch)
        want = np.arange(k * batch, (k + 1) * batch) % 9
        np.testing.assert_array_equal(label, want)
        np.testing.assert_array_equal(data, want[:, None] * [1, 10])
        maker.recycle([data, label])


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4", "u1", "i2", "i4", "i8"])
def test_numbers_of_all_types_arrive_exactly(tmp_path, dtype):
    source = files(tmp_path, rows(4, 0, dtype))
    data, _ = Hdf5Batches(source, Order(source.rows), 4, "l").make(0)
    assert data.dtype in (np.float32, np.float64)
    np.testing.assert_array_equal(data, np.arange(4)[:, None] * [1, 10])
    if dtype == "f8":
        write(tmp_path / "0.h5", data=np.full((4, 2), 1 / 3), label=np.zeros(4))
        source = Hdf5Files(str(tmp_path / "l.txt"), ["data"], str(tmp_path))
        assert Hdf5Batches(source, Order(source.rows), 1, "l").make(0)[0][0, 0] == 1 / 3


FAULTS = {
    "rows": (({"data": np.zeros((3, 2)), "label": np.zeros(4)},), "differ in their numbers of rows"),
    "missing": (({"data": np.zeros((3, 2)), "lable": np.zeros(3)},), "did you mean lable"),
    "scalar": (({"data": np.float32(1), "label": np.zeros(3)},), "must hold rows of numbers"),
    "text": (({"data": [b"abc"], "label": np.zeros(1)},), "must hold rows of numbers"),
    "inner": ((rows(2), {"data": np.zeros((3, 5)), "label": np.zeros(3)}), "has rows of shape [5]"),
    "empty": (({"data": np.zeros((0, 2)), "label": np.zeros(0)},), "have no rows"),
    "none": ((), "names no files"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_faults_name_file_and_dataset(tmp_path, what):
    parts, words = FAULTS[what]
    with pytest.raises(DataError) as caught:
        files(tmp_path, *parts)
    assert words in str(caught.value)


def test_a_group_in_place_of_a_dataset(tmp_path):
    with h5py.File(tmp_path / "0.h5", "w") as file:
        file.create_group("data")
    (tmp_path / "l.txt").write_text("0.h5")
    with pytest.raises(DataError, match='no dataset "data"'):
        Hdf5Files(str(tmp_path / "l.txt"), ["data"], str(tmp_path))


def test_a_dataset_that_claims_more_than_the_memory(tmp_path):
    with h5py.File(tmp_path / "0.h5", "w") as file:
        file.create_dataset("data", (1 << 40, 1 << 10), "f4", chunks=(1, 1024))
    (tmp_path / "l.txt").write_text("0.h5")
    with pytest.raises(DataError, match="GiB of memory"):
        Hdf5Files(str(tmp_path / "l.txt"), ["data"], str(tmp_path))


@pytest.mark.parametrize("cut", [0, 10, 700])
def test_truncated_files(tmp_path, cut):
    write(tmp_path / "0.h5", **rows(100))
    (tmp_path / "0.h5").write_bytes((tmp_path / "0.h5").read_bytes()[:cut])
    (tmp_path / "l.txt").write_text("0.h5")
    with pytest.raises(DataError, match=r"0\.h5"):
        Hdf5Files(str(tmp_path / "l.txt"), ["data", "label"], str(tmp_path))


def test_a_file_that_changes_while_in_use(tmp_path):
    source = files(tmp_path, rows(4))
    write(tmp_path / "0.h5", **rows(3))
    with pytest.raises(DataError, match="changed while it was used"):
        Hdf5Batches(source, Order(source.rows), 2, "l").make(0)
