"""HDF5 files that grow batch by batch, and appear whole."""
import gc

import h5py
import numpy as np
import pytest

from caffempi.data.hdf5_output import Hdf5Output, rank_path
from caffempi.errors import DataError


def test_batches_of_different_lengths_are_stacked_in_four_axes(tmp_path):
    out = Hdf5Output(str(tmp_path / "o.h5"))
    parts = [np.random.default_rng(n).standard_normal((n, 2, 5)).astype(np.float32) for n in (3, 0, 1)]
    for part in parts:
        out.write([part, np.arange(len(part), dtype=np.float32)])
    out.close()
    with h5py.File(tmp_path / "o.h5") as f:
        np.testing.assert_array_equal(f["data"], np.concatenate(parts)[..., None])
        assert f["data"].dtype == np.float32 and f["label"].shape == (4, 1, 1, 1) and sorted(f) == ["data", "label"]


@pytest.mark.parametrize("shape", [(), (3,), (2, 1, 3, 1, 2)])
def test_any_number_of_axes(tmp_path, shape):
    out = Hdf5Output(str(tmp_path / "o.h5"))
    out.write([np.ones((2, *shape)), np.ones(2)])
    out.close()
    with h5py.File(tmp_path / "o.h5") as f:
        assert f["data"].shape == (2, *shape) + (1,) * (3 - len(shape))


def test_the_file_has_its_name_only_when_it_is_whole(tmp_path):
    path = tmp_path / "o.h5"
    path.write_text("what was there before")
    out = Hdf5Output(str(path))
    out.write([np.ones((1, 1)), np.ones(1)])
    assert path.read_text() == "what was there before"
    out.close()
    out.close()
    assert h5py.is_hdf5(path) and not (tmp_path / "o.h5.part").exists()


def test_one_that_is_forgotten_is_finished_all_the_same(tmp_path):
    out = Hdf5Output(str(tmp_path / "o.h5"))
    out.write([np.ones((1, 1)), np.ones(1)])
    del out
    gc.collect()
    assert h5py.is_hdf5(tmp_path / "o.h5")


def test_without_a_batch_there_is_no_file(tmp_path):
    Hdf5Output(str(tmp_path / "o.h5")).close()
    assert not list(tmp_path.iterdir())


def test_faults(tmp_path):
    out = Hdf5Output(str(tmp_path / "no" / "folder" / "o.h5"))
    with pytest.raises(DataError, match="cannot be written"):
        out.write([np.ones((1, 1)), np.ones(1)])
    out = Hdf5Output(str(tmp_path / "o.h5"))
    out.write([np.ones((1, 2)), np.ones(1)])
    with pytest.raises(DataError, match=r'dataset "data" .* have shape \[2, 1, 1\], those of this batch \[3, 1, 1\]'):
        out.write([np.ones((1, 3)), np.ones(1)])
    (tmp_path / "o.h5").mkdir()
    with pytest.raises(DataError, match="cannot be finished"):
        out.close()


@pytest.mark.parametrize("path, rank, want", [("a/b.h5", 0, "a/b.h5"), ("a/b.h5", 3, "a/b.rank3.h5"), ("a.b/c", 1, "a.b/c.rank1")])
def test_names_of_ranks(path, rank, want):
    assert rank_path(path, rank) == want
