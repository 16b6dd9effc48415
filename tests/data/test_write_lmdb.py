"""Writing databases: growth, order, and never a half-written or lost one."""
from __future__ import annotations

import os

import lmdb
import numpy as np
import pytest

from caffempi.data.datum import DatumSource
from caffempi.data.lmdb_source import LmdbSource
from caffempi.data.write_lmdb import write_datums
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2
from tests.data.helpers import raw


def labels(path) -> list[float]:
    source = DatumSource(LmdbSource(str(path)), "")
    return [s.label for s in source.read(list(range(len(source))))]


def records(n: int, size: int = 2):
    return ((b"%08d" % i, raw(np.zeros((1, size, size)), i)) for i in range(n))


@pytest.mark.parametrize("n, size", [(1, 1), (2500, 3), (60, 1000), (1, 6000)])
def test_maps_grow_as_needed_and_lmdb_itself_reads_them(tmp_path, n, size):
    assert write_datums(str(tmp_path / "deep" / "db") + "/", records(n, size)) == n
    assert labels(tmp_path / "deep" / "db") == list(range(n))
    with lmdb.open(str(tmp_path / "deep" / "db"), readonly=True) as env, env.begin() as txn:
        values = [caffe_pb2.Datum.FromString(value).label for _, value in txn.cursor()]
    assert values == list(range(n))


def test_records_are_read_in_the_order_of_their_keys(tmp_path):
    write_datums(str(tmp_path / "db"), ((k, raw(np.zeros((1, 1, 1)), i)) for i, k in enumerate([b"c", b"a", b"b"])))
    assert labels(tmp_path / "db") == [1, 2, 0]


def test_what_exists_is_kept_unless_asked(tmp_path):
    write_datums(str(tmp_path / "db"), records(3))
    with pytest.raises(DataError, match="exists already"):
        write_datums(str(tmp_path / "db"), records(5))
    assert len(labels(tmp_path / "db")) == 3
    write_datums(str(tmp_path / "db"), records(5), overwrite=True)
    assert len(labels(tmp_path / "db")) == 5
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    with pytest.raises(DataError, match="no LMDB"):
        write_datums(str(tmp_path / "mine"), records(5), overwrite=True)
    assert (tmp_path / "mine" / "letter").exists()


@pytest.mark.parametrize("key, words", [(b"", "0 bytes"), (b"k" * 600, "600 bytes"), (b"00000001", "comes twice")])
def test_a_failure_leaves_the_old_database_and_nothing_else(tmp_path, key, words):
    write_datums(str(tmp_path / "db"), records(3))

    def bad():
        yield from records(4)
        yield key, raw(np.zeros((1, 1, 1)))

    with pytest.raises(DataError, match=words):
        write_datums(str(tmp_path / "db"), bad(), overwrite=True)
    assert labels(tmp_path / "db") == [0, 1, 2] and os.listdir(tmp_path) == ["db"]


def test_an_error_of_the_giver_passes_and_leaves_nothing(tmp_path):
    def broken():
        yield from records(2)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        write_datums(str(tmp_path / "db"), broken())
    assert not os.listdir(tmp_path)


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be written"):
        write_datums(str(tmp_path / "file" / "db"), records(1))
