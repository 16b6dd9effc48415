"""The quickstart's databases: a fixed split of MNIST's t10k digits, complete, disjoint, bit for bit."""
from __future__ import annotations

import hashlib
from pathlib import Path

import lmdb
import numpy as np
import pytest

from caffempi.data.idx import read_idx
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2

DIGITS = Path(__file__).resolve().parents[2] / "data" / "mnist"
FIRST_TRAIN, FIRST_TEST = [8170, 4425, 4210, 3386], [3258, 7760, 2843, 9223]
DIGEST = "6565e65db4bfe442"                                  # of all indices, as 64-bit little-endian words


@pytest.fixture
def maker(tool):
    return tool("make_mnist_lmdb")


def read(path: Path) -> list[tuple[bytes, caffe_pb2.Datum]]:
    with lmdb.open(str(path), readonly=True, lock=False) as env, env.begin() as txn:
        return [(bytes(k), caffe_pb2.Datum.FromString(v)) for k, v in txn.cursor()]


def test_the_split_is_the_same_everywhere(maker):
    train, test = maker.split(10_000)
    assert train[:4].tolist() == FIRST_TRAIN and test[:4].tolist() == FIRST_TEST
    assert hashlib.sha256(np.concatenate([train, test]).astype("<i8").tobytes()).hexdigest()[:16] == DIGEST


def test_the_split_uses_each_digit_once(maker):
    train, test = maker.split(10_000)
    assert (len(train), len(test)) == (8000, 2000)
    assert sorted([*train, *test]) == list(range(10_000))


def test_too_few_digits_are_an_error(maker):
    with pytest.raises(DataError, match="9999 digits are too few"):
        maker.split(9_999)


def test_databases_hold_the_digits_bit_for_bit(maker, tmp_path):
    assert maker.make(DIGITS, tmp_path) == {"mnist_train_lmdb": 8000, "mnist_test_lmdb": 2000}
    images = read_idx(str(DIGITS / maker.IMAGES))
    labels = read_idx(str(DIGITS / maker.LABELS))
    for name, part in zip(("mnist_train_lmdb", "mnist_test_lmdb"), maker.split(len(images)), strict=True):
        found = read(tmp_path / name)
        assert [k for k, _ in found] == [b"%08d" % i for i in range(len(part))]
        assert [d.label for _, d in found] == labels[part].tolist()
        assert b"".join(d.data for _, d in found) == images[part].tobytes()
        assert {(d.channels, d.height, d.width, d.encoded) for _, d in found} == {(1, 28, 28, False)}


def test_each_label_is_in_both_databases_in_about_its_share(maker):
    """A split that favoured some digits would make the accuracy mean little."""
    labels = read_idx(str(DIGITS / maker.LABELS))
    train, test = (np.bincount(labels[part], minlength=10) / len(part) for part in maker.split(len(labels)))
    assert np.abs(train - test).max() < 0.02


def test_running_again_leaves_whole_databases_alone_and_mends_others(maker, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(maker, "TRAIN", 9_900)
    monkeypatch.setattr(maker, "TEST", 100)
    monkeypatch.setattr(maker, "split", lambda total: (np.arange(9_900), np.arange(9_900, 10_000)))
    maker.make(DIGITS, tmp_path)
    assert maker.main([str(DIGITS), str(tmp_path)]) == 0
    assert "there already" in capsys.readouterr().out
    (tmp_path / "mnist_test_lmdb" / "data.mdb").write_bytes(b"damaged")
    assert maker.make(DIGITS, tmp_path) == {"mnist_test_lmdb": 100}
    assert len(read(tmp_path / "mnist_test_lmdb")) == 100


@pytest.mark.parametrize("harm", ["missing", "truncated", "other shape"])
def test_digits_that_are_not_there_are_one_line(maker, harm, tmp_path, capsys):
    source = tmp_path / "digits"
    source.mkdir()
    if harm != "missing":
        (source / maker.LABELS).write_bytes((DIGITS / maker.LABELS).read_bytes())
        whole = (DIGITS / (maker.IMAGES if harm == "truncated" else maker.LABELS)).read_bytes()
        (source / maker.IMAGES).write_bytes(whole[:1000] if harm == "truncated" else whole)
    assert maker.main([str(source), str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("make_mnist_lmdb: ") and said.count("\n") == 1 and str(source) in said
