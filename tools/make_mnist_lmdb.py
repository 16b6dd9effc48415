#!/usr/bin/env python3
"""Makes the quickstart's databases of MNIST's t10k digits: mnist_train_lmdb (8,000 digits) and mnist_test_lmdb (2,000).

    python tools/make_mnist_lmdb.py data/mnist run/quickstart

The digits are drawn by one seeded permutation, so that every machine gets the same split. Databases that are already
there, and hold the right number of records, are left alone.
"""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from caffempi.data.idx import read_idx
from caffempi.data.write_lmdb import write_datums
from caffempi.errors import CaffempiError, DataError
from caffempi.proto import caffe_pb2

SEED = 20
TRAIN, TEST = 8000, 2000
IMAGES, LABELS = "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"


def split(total: int, train: int = TRAIN, test: int = TEST, seed: int = SEED) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the digits to train and to test on: the first and the next ones of a permutation of range(total).

    The permutation sorts random words of PCG64, whose stream NumPy keeps (what `Generator.permutation` makes of it may
    change). Raises DataError where there are too few digits.
    """
    if total < train + test:
        raise DataError(f"{total} digits are too few for {train} to train and {test} to test")
    order = np.argsort(np.random.PCG64(seed).random_raw(total), kind="stable")
    return order[:train], order[train:train + test]


def datums(images: np.ndarray, labels: np.ndarray,
           indices: Sequence[int] | np.ndarray) -> Iterator[tuple[bytes, caffe_pb2.Datum]]:
    """(key, Datum) of the digits at `indices`, in their order; images (N, H, W) and labels (N,) of bytes."""
    for position, index in enumerate(indices):
        image = images[index]
        yield b"%08d" % position, caffe_pb2.Datum(channels=1, height=image.shape[0], width=image.shape[1],
                                                  data=image.tobytes(), label=int(labels[index]))


def make(source: Path, out: Path) -> dict[str, int]:
    """Writes both databases into `out`, from the digits in `source`; returns records by name, without those kept.

    Raises DataError where files are missing or damaged, or a database cannot be written.
    """
    parts = dict(zip(("mnist_train_lmdb", "mnist_test_lmdb"), split(TRAIN + TEST), strict=True))
    missing = {name: part for name, part in parts.items() if records(out / name) != len(part)}
    if not missing:
        return {}
    images, labels = read_idx(str(source / IMAGES)), read_idx(str(source / LABELS))
    if images.ndim != 3 or labels.shape != images.shape[:1] or len(images) != TRAIN + TEST:
        raise DataError(f"{source}: images {list(images.shape)} and labels {list(labels.shape)} are not MNIST's t10k digits")
    return {name: write_datums(str(out / name), datums(images, labels, part), overwrite=True)
            for name, part in missing.items()}


def records(path: Path) -> int | None:
    """Number of records of an LMDB; None where there is none that can be read."""
    import lmdb

    if not (path / "data.mdb").is_file():
        return None
    try:
        with lmdb.open(os.fspath(path), readonly=True, lock=False) as env:
            return int(env.stat()["entries"])
    except lmdb.Error:
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description="make the quickstart's LMDBs of MNIST's t10k digits")
    parser.add_argument("source", type=Path, help=f"folder of {IMAGES} and {LABELS}")
    parser.add_argument("out", type=Path, help="folder for mnist_train_lmdb and mnist_test_lmdb")
    options = parser.parse_args(arguments)
    try:
        made = make(options.source, options.out)
    except CaffempiError as error:
        print(f"make_mnist_lmdb: {error}", file=sys.stderr)
        return error.exit_code
    for name, count in made.items():
        print(f"{options.out / name}: {count} digits")
    if not made:
        print(f"{options.out}: both databases are there already")
    return 0


if __name__ == "__main__":
    sys.exit(main())
