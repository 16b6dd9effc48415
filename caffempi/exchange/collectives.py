"""Collective operations as generators: each yields the requests that must be complete before it goes on.

So one thread can wait, watch for failing peers and keep time in one place, and the arithmetic is tested without MPI.

    mean        ring: every chunk is summed along the ring of ranks and divided at one owner, then copied to all others;
                a small array, for which 2 (p-1) steps are dearer than its bytes: gather, sum, divide
    gather      each rank's row on all ranks; sums over it run in rank order everywhere
    broadcast   rank 0's bytes on all ranks

In each of them every result is computed once and then copied, or computed by all in the same order: all ranks get
the same bits (`MPI_Allreduce` promises that for no algorithm), and the same run gives the same bits again. The ring
moves 2 (p-1)/p of the bytes through each rank, in 2 (p-1) steps; a + b is IEEE addition in the array's own type.
"""
from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from typing import Any, Protocol

import numpy as np

from caffempi.exchange.link import MESSAGE

SMALL = 16 << 10                                               # bytes of an array that goes whole to everybody
Steps = Generator[list[Any], None, Any]                        # yields requests, returns the result


class Wires(Protocol):
    """What the operations need of a link."""

    rank: int
    size: int

    def send(self, array: np.ndarray, to: int) -> Any:
        """Starts sending; returns a request."""

    def receive(self, array: np.ndarray, source: int) -> Any:
        """Starts receiving; returns a request."""

    def gather(self, row: np.ndarray, table: np.ndarray) -> Any:
        """Starts an all-gather; returns a request."""

    def broadcast(self, array: np.ndarray) -> Any:
        """Starts a broadcast from rank 0; returns a request."""


def pieces(array: np.ndarray, nbytes: int) -> Iterator[np.ndarray]:
    """Consecutive slices of a flat array of at most nbytes each; none of an empty array."""
    step = max(1, nbytes // array.itemsize)
    for lo in range(0, array.size, step):
        yield array[lo:lo + step]


def mean(link: Wires, array: np.ndarray) -> Steps:
    """Replaces a flat array by its mean over ranks, in place. Takes scratch of one message."""
    if array.nbytes <= SMALL:
        array[...] = yield from total(link, array)
        np.divide(array, link.size, out=array)
        return
    scratch = np.empty(min(-(-array.size // link.size), MESSAGE // array.itemsize), array.dtype)
    for piece in pieces(array, MESSAGE * link.size):
        yield from _ring(link, piece, scratch)


def _ring(link: Wires, array: np.ndarray, scratch: np.ndarray) -> Steps:
    rank, size = link.rank, link.size
    right, left = (rank + 1) % size, (rank - 1) % size
    bound = [i * array.size // size for i in range(size + 1)]
    chunks = [array[bound[i]:bound[i + 1]] for i in range(size)]
    for step in range(size - 1):                               # afterwards chunk rank+1 is whole here
        mine = chunks[(rank - step - 1) % size]
        coming = scratch[:mine.size]
        yield [link.receive(coming, left), link.send(chunks[(rank - step) % size], right)]
        np.add(coming, mine, out=mine)
    owned = chunks[(rank + 1) % size]
    np.divide(owned, size, out=owned)
    for step in range(size - 1):
        yield [link.receive(chunks[(rank - step) % size], left), link.send(chunks[(rank + 1 - step) % size], right)]


def gather(link: Wires, row: np.ndarray) -> Steps:
    """Returns (ranks, row.size): the flat rows of all ranks, in rank order. All rows must have one size and type."""
    row = np.ascontiguousarray(row)
    table = np.empty((link.size, row.size), row.dtype)
    yield [link.gather(row, table)]
    return table


def total(link: Wires, row: np.ndarray) -> Steps:
    """Returns the sum over ranks of a flat array, added in rank order."""
    table = yield from gather(link, row)
    result = table[0].copy()
    for other in table[1:]:
        result += other
    return result


def gather_texts(link: Wires, text: str) -> Steps:
    """Returns the texts of all ranks, in rank order."""
    mine = np.frombuffer(text.encode(), np.uint8)
    sizes = yield from gather(link, np.array([mine.size], np.int64))
    padded = np.zeros(int(sizes.max()), np.uint8)
    padded[:mine.size] = mine
    table = yield from gather(link, padded)
    return [row[:int(n)].tobytes().decode() for row, n in zip(table, sizes[:, 0], strict=True)]


def broadcast(link: Wires, array: np.ndarray) -> Steps:
    """Replaces a flat array by rank 0's, in place."""
    for piece in pieces(array, MESSAGE):
        yield [link.broadcast(piece)]


def broadcast_numbers(link: Wires, values: dict[str, Any]) -> Steps:
    """Returns rank 0's dict of texts and plain numbers: floats to the bit, integers of any size."""
    text = np.frombuffer(json.dumps(values, default=lambda number: number.item()).encode(), np.uint8).copy()
    size = np.array([text.size], np.int64)
    yield from broadcast(link, size)
    if link.rank != 0:
        text = np.empty(int(size[0]), np.uint8)
    yield from broadcast(link, text)
    return json.loads(text.tobytes())
