"""Run under mpirun: what all ranks must agree on, as lines `name hash` that must be equal on all ranks.

Each value is checked here against NumPy on the regenerated inputs of all ranks.
"""
from __future__ import annotations

import sys

import numpy as np

from caffempi.exchange import collectives
from caffempi.exchange.guard import together
from caffempi.exchange.mpi import MpiExchange
from tests.exchange.arenas import arena, bits, fill

ARENAS = {
    "empty": [],
    "one element": [1],
    "fewer than ranks": [1, 2],
    "tiny": [3, 5, 7],
    "odd sizes, several buckets": [300, 17, 4097, 1, 999, 5000, 31],
    "several messages": [10, 600_001, 3],
}


def means(x: MpiExchange, name: str, sizes: list[int], dtype: str) -> None:
    net = arena(sizes, dtype)
    x.start(net, {"digest": {"net": name}, "values": {}})
    parts = [np.zeros_like(net.grad) for _ in range(x.size)]
    for rank, part in enumerate(parts):
        fill(part, rank, len(name))
    order = range(len(net.buckets))
    for iteration, ready in enumerate([list(order), list(order)[::-1], list(order)[1::2]]):
        x.begin(iteration, last_sub=False)
        for bucket in order:
            x.ready(bucket, None)
        net.grad[...] = parts[x.rank]
        x.begin(iteration, last_sub=True)
        for bucket in ready:
            x.ready(bucket, None)
        ranges = list(x.reduced())
        assert ranges == net.buckets, ranges
        for lo, hi in ranges:
            x.updated(lo, hi)
        exact = sum(part.astype(np.float64) for part in parts) / x.size
        scale = sum(np.abs(part).astype(np.float64) for part in parts)
        error = np.abs(net.grad - exact)
        assert np.all(error <= 4 * np.finfo(dtype).eps * scale), (name, dtype, iteration, error.max())
        print(f"{dtype} {name} {iteration}: {bits(net.grad)}")


def begin_alike(x: MpiExchange) -> None:
    net = arena([700, 40, 3], stats=11, histories=2)
    arrays = [net.data, net.stat, *net.hist]
    for i, array in enumerate(arrays):
        fill(array, x.rank, i)
    values = {"iter": 7 + x.rank, "seed": 2**63 - x.rank, "rate": 0.1 + x.rank, "big": 1e300}
    mine = values
    x.start(net, {"digest": {"net": "same"}, "values": values})
    for i, array in enumerate(arrays):
        want = np.empty_like(array)
        fill(want, 0, i)
        assert array.tobytes() == want.tobytes()
    assert mine is values and values == {"iter": 7, "seed": 2**63, "rate": 0.1, "big": 1e300}
    print("start:", bits(*arrays))


def small(x: MpiExchange) -> None:
    rows = [np.array([0.1 * rank, 1e16 if rank == 0 else 1.0, -rank]) for rank in range(x.size)]
    want = rows[0].copy()
    for row in rows[1:]:
        want = want + row
    got = x.totals(rows[x.rank])
    assert got.dtype == np.float64 and got.tobytes() == want.tobytes()
    assert x.counts(np.array([[x.rank + 1.0]])).tolist() == [[x.size * (x.size + 1) / 2]]
    assert x.totals(np.zeros(0)).size == 0
    assert x.vote(0) == 0
    assert x.vote(1 if x.rank == x.size - 1 else 0) == 1
    assert x.vote(1 << x.rank) == (1 << x.size) - 1
    assert x.state_dict() == {}
    print("totals:", bits(got))


def main() -> None:
    collectives.MESSAGE = 1 << 19                                  # for several messages without a huge array
    x = MpiExchange()
    assert x.size == int(sys.argv[1]) and 0 <= x.rank < x.size
    assert (x.local_rank, x.local_size) == (x.rank, x.size)
    with together(x):
        begin_alike(x)
        small(x)
        for dtype in ("float32", "float64"):
            for name, sizes in ARENAS.items():
                means(x, name, sizes, dtype)


main()
