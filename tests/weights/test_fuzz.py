"""Damaged files of every kind: whatever happens to the bytes, reading gives values or one line of WeightsError."""
from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from caffempi.errors import WeightsError
from caffempi.weights import read_blob, read_state, read_weights

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"
FILES: list[tuple[str, Callable[[Any], Any]]] = [
    ("sgd.caffemodel", read_weights), ("sgd.solverstate", read_state), ("mean.binaryproto", read_blob),
    ("adadelta.caffemodel.h5", read_weights), ("adadelta.solverstate.h5", read_state)]


def truncate(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)):]


def flip(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice([1, 1, 4, 32])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def splice(data: bytearray, rng: random.Random) -> None:
    start, source, length = rng.randrange(len(data)), rng.randrange(len(data)), rng.randrange(1, 300)
    data[start:start + rng.randrange(300)] = data[source:source + length]


def lengths(data: bytearray, rng: random.Random) -> None:
    """Puts extreme numbers where lengths, sizes and addresses may be."""
    start, width = rng.randrange(min(len(data), rng.choice([100, 3000, 10**6]))), rng.choice([1, 2, 4, 8])
    data[start:start + width] = rng.choice([b"\xff" * width, bytes(width), b"\x7f" * width, rng.randbytes(width)])


@pytest.mark.parametrize(("name", "read"), FILES)
@pytest.mark.parametrize("damage", [truncate, flip, splice, lengths])
def test_only_weights_errors_come_out(tmp_path: Path, name: str, read: Callable[[Any], Any],
                                      damage: Callable[[bytearray, random.Random], None]) -> None:
    whole, refused = (GOLDEN / name).read_bytes(), 0
    for seed in range(100):
        data = bytearray(whole)
        damage(data, random.Random(f"{name} {damage.__name__} {seed}"))
        path = tmp_path / f"{seed}"
        path.write_bytes(data)
        try:
            read(path)
        except WeightsError as err:
            refused += 1
            assert "\n" not in str(err) and str(path) in str(err)
    assert refused > 0 or damage is flip   # every flipped bit may lie among the values


@pytest.mark.parametrize(("name", "read"), [f for f in FILES if f[0] != "sgd.caffemodel" and f[0] != "sgd.solverstate"])
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, name: str, read: Callable[[Any], Any]) -> None:
    """Binary weights and states may also end between two of their parts: see the tests of their own modules."""
    whole = (GOLDEN / name).read_bytes()
    for cut in range(0, len(whole), 59):
        (tmp_path / "cut").write_bytes(whole[:cut])
        with pytest.raises(WeightsError):
            read(tmp_path / "cut")


@pytest.mark.parametrize(("name", "read"), FILES)
def test_another_file_of_any_kind_is_refused(tmp_path: Path, name: str, read: Callable[[Any], Any]) -> None:
    for other, its in FILES:
        if its is not read:
            with pytest.raises(WeightsError):
                read(GOLDEN / other)
