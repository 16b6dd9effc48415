"""LMDB as a store of records by number."""
from __future__ import annotations

import os
import threading

import lmdb
import pytest

from caffempi.data.lmdb_source import LmdbSource, is_leveldb
from caffempi.errors import DataError
from tests.data.helpers import GOLDEN


@pytest.fixture
def store(tmp_path):
    with lmdb.open(str(tmp_path / "db"), map_size=1 << 26) as env, env.begin(write=True) as txn:
        for i in range(5000):
            txn.put(b"%05d" % i, b"value %d" % i)
    return str(tmp_path / "db")


def test_records_by_number_in_any_order(store):
    source = LmdbSource(store)
    assert len(source) == 5000
    for i in (0, 4999, 1023, 1024, 17):
        assert source.read([i, 3]) == [b"value %d" % i, b"value 3"]
    assert source.name(17) == 'record 17 (key "00017")'
    assert source.read([]) == []


def test_many_threads_read_what_one_reads(store):
    source, wrong = LmdbSource(store), []

    def read(step: int) -> None:
        for i in range(step, 5000, 8):
            if source.read([i]) != [b"value %d" % i]:
                wrong.append(i)

    threads = [threading.Thread(target=read, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_opens_the_file_itself_too_and_leaves_no_trace(store):
    before = sorted(os.listdir(store))
    assert len(LmdbSource(os.path.join(store, "data.mdb"))) == 5000
    assert sorted(os.listdir(store)) == before


def test_an_empty_database_is_refused(tmp_path):
    lmdb.open(str(tmp_path / "db")).close()
    with pytest.raises(DataError, match="no records"):
        LmdbSource(str(tmp_path / "db"))


def test_leveldb_folders_are_recognised():
    assert is_leveldb(str(GOLDEN / "raw_leveldb")) and not is_leveldb(str(GOLDEN / "raw_lmdb"))
