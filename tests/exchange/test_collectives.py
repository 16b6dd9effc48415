"""The arithmetic of collectives, on any number of ranks, over a loopback without MPI."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.exchange import collectives
from tests.exchange.arenas import bits, fill


class Wire:
    """One rank of a loopback: messages are copied when they are sent; collectives complete when all have come."""

    def __init__(self, rank: int, size: int, box: dict) -> None:
        self.rank, self.size, self._box, self._calls = rank, size, box, 0

    def send(self, array, to):
        self._box.setdefault((self.rank, to), []).append(array.copy())
        return lambda: True

    def receive(self, array, source):
        def done():
            waiting = self._box.get((source, self.rank))
            if not waiting:
                return False
            array[...] = waiting.pop(0)
            return True
        return done

    def _meet(self, row):
        self._calls += 1
        table = self._box.setdefault(self._calls, {})
        table[self.rank] = row.copy()
        return table

    def gather(self, row, table):
        rows = self._meet(row)

        def done():
            if len(rows) < self.size:
                return False
            for rank in range(self.size):
                table[rank] = rows[rank]
            return True
        return done

    def broadcast(self, array):
        rows = self._meet(array)

        def done():
            if 0 not in rows:
                return False
            array[...] = rows[0]
            return True
        return done


def loopback(size, operation):
    """Runs operation(wire) on `size` ranks in turns; their results in rank order. A standstill is an error."""
    box: dict = {}
    running = {rank: (operation(Wire(rank, size, box)), []) for rank in range(size)}
    results: dict = {}
    while running:
        moved = False
        for rank, (steps, requests) in list(running.items()):
            while requests and requests[0]():
                requests.pop(0)
                moved = True
            if not requests:
                moved = True
                try:
                    requests.extend(next(steps))
                except StopIteration as stop:
                    results[rank] = stop.value
                    del running[rank]
        assert moved, "standstill"
    return [results[rank] for rank in range(size)]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 64, 4096, 4099, 20_011])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8])
def test_the_mean_is_numpys_and_has_the_same_bits_on_all_ranks(size, count, dtype, monkeypatch):
    monkeypatch.setattr(collectives, "MESSAGE", 1 << 10)           # so that pieces and rings go round many times
    monkeypatch.setattr(collectives, "SMALL", 1 << 8)
    parts = [np.zeros(count, dtype) for _ in range(size)]
    for rank, part in enumerate(parts):
        fill(part, rank, count)
    arrays = [part.copy() for part in parts]
    loopback(size, lambda wire: collectives.mean(wire, arrays[wire.rank]))
    assert len({bits(array) for array in arrays}) == 1
    exact = sum(part.astype(np.float64) for part in parts) / size
    scale = sum(np.abs(part).astype(np.float64) for part in parts)
    assert np.all(np.abs(arrays[0] - exact) <= 2 * size * np.finfo(dtype).eps * scale)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_totals_are_added_in_rank_order(size):
    rows = [np.array([1e16 if rank == 0 else 1.0, 0.1 * rank]) for rank in range(size)]
    want = rows[0].copy()
    for row in rows[1:]:
        want = want + row
    got = loopback(size, lambda wire: collectives.total(wire, rows[wire.rank]))
    assert [g.tobytes() for g in got] == [want.tobytes()] * size


@pytest.mark.parametrize("texts", [["a"], ["", "bb", "ü€"], ["x" * 5000, ""]])
def test_texts_of_any_length_reach_all(texts):
    got = loopback(len(texts), lambda wire: collectives.gather_texts(wire, texts[wire.rank]))
    assert got == [texts] * len(texts)


@pytest.mark.parametrize("count", [0, 1, 1000, 1025])
def test_a_broadcast_goes_in_pieces(count, monkeypatch):
    monkeypatch.setattr(collectives, "MESSAGE", 1 << 10)
    arrays = [np.full(count, rank, np.float32) for rank in range(3)]
    loopback(3, lambda wire: collectives.broadcast(wire, arrays[wire.rank]))
    assert all(np.all(array == 0) and array.size == count for array in arrays)


def test_numbers_are_broadcast_to_the_bit():
    values = {"iter": 3, "seed": 2**64 - 1, "third": 1 / 3, "tiny": 5e-324, "huge": float("inf"), "scalar": np.int64(4),
              "single": np.float32(0.1), "list": [1, 2.5]}
    got = loopback(3, lambda wire: collectives.broadcast_numbers(wire, values if wire.rank == 0 else {}))
    assert got == [values] * 3


def test_pieces_cover_an_array_once():
    array = np.arange(10, dtype=np.float64)
    assert [len(p) for p in collectives.pieces(array, 32)] == [4, 4, 2]
    assert [len(p) for p in collectives.pieces(array, 1)] == [1] * 10
    assert list(collectives.pieces(array[:0], 32)) == []
