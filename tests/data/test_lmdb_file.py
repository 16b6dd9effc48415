"""The file reader against LMDB's own library, and against damage of every kind."""
from __future__ import annotations

import random
import struct

import lmdb
import pytest

from caffempi.data.lmdb_file import LmdbFile
from caffempi.errors import DataError
from tests.data.helpers import GOLDEN


def fill(path, count: int, size, seed: int, keys: int = 10) -> list[tuple[bytes, bytes]]:
    """A database that has seen inserts in random order, deletions and overwrites; returns what LMDB itself reads."""
    rng = random.Random(seed)
    known: list[bytes] = []
    with lmdb.open(str(path), map_size=1 << 28) as env:
        for _ in range(3):
            with env.begin(write=True) as txn:
                for _ in range(count // 3 + 1):
                    key = b"%d" % rng.randrange(10**9) + b"k" * rng.randrange(keys)
                    txn.put(key, rng.randbytes(rng.randrange(*size)))
                    known.append(key)
            with env.begin(write=True) as txn:
                for key in rng.sample(known, len(known) // 4):
                    txn.delete(key)
        with env.begin() as txn:
            return list(txn.cursor())


@pytest.mark.parametrize("count, size, keys", [
    (4, (0, 1), 1), (4, (100000, 200000), 1), (300, (0, 3000), 400), (3000, (1, 50), 10), (1000, (1900, 2100), 10),
    (3000, (0, 5000), 30)])
def test_reads_what_the_library_reads(tmp_path, count, size, keys):
    want = fill(tmp_path / "db", count, size, count, keys)
    file = LmdbFile(str(tmp_path / "db" / "data.mdb"))
    assert file.entries == len(want) > 0
    got = [(file.read(p.key, p.key_size), file.read(p.value, p.size)) for p in file.places()]
    assert got == want
    file.close()
    file.close()
    with pytest.raises(DataError):
        file.read(0, 4)


@pytest.mark.parametrize("name", ["raw_lmdb", "gray_lmdb", "encoded_lmdb"])
@pytest.mark.parametrize("way", ["cut", "meta", "page"])
def test_damage_gives_an_error_or_some_records_but_nothing_worse(tmp_path, name, way):
    good = (GOLDEN / name / "data.mdb").read_bytes()
    path = tmp_path / "data.mdb"
    for seed in range(120):
        rng, data = random.Random(seed), bytearray(good)
        if way == "cut":
            del data[rng.randrange(len(data)):]
        for _ in range(rng.randrange(1, 12)):
            place = rng.choice((0, 4096)) + rng.randrange(160) if way == "meta" else \
                rng.randrange(len(good) // 4096) * 4096 + rng.randrange(160)
            if place < len(data) and way != "cut":
                data[place] = rng.randrange(256)
        path.write_bytes(data)
        try:
            file = LmdbFile(str(path))
            for _, p in zip(range(50), file.places(), strict=False):
                assert len(file.read(p.value, p.size)) == p.size
        except DataError as e:
            assert str(path) in str(e)


def test_a_truncated_copy_fails_when_it_is_opened(tmp_path):
    fill(tmp_path / "db", 100, (3000, 5000), 1)
    path = tmp_path / "db" / "data.mdb"
    data = path.read_bytes()
    path.write_bytes(data[:len(data) // 2])
    with pytest.raises(DataError, match=r"truncated|damaged"):
        LmdbFile(str(path))


def test_pages_in_a_loop_are_found(tmp_path):
    fill(tmp_path / "db", 2000, (10, 20), 1)
    path = tmp_path / "db" / "data.mdb"
    data = bytearray(path.read_bytes())
    for start in range(8192, len(data), 4096):
        number, _, flags, _, _ = struct.unpack_from("<QHHHH", data, start)
        if flags == 1:   # a branch whose first child is itself
            node = struct.unpack_from("<H", data, start + 16)[0]
            struct.pack_into("<HHH", data, start + node, number & 0xFFFF, number >> 16, 0)
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"loop|damaged"):
        for _ in LmdbFile(str(path)).places():
            pass


def test_several_values_for_a_key_are_refused(tmp_path):
    with lmdb.open(str(tmp_path / "db"), max_dbs=1) as env, env.begin(write=True) as txn:
        env.open_db(b"named", txn=txn)
    with pytest.raises(DataError, match="databases instead of records"):
        list(LmdbFile(str(tmp_path / "db" / "data.mdb")).places())
