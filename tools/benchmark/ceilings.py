"""What the machine can do: multiply-adds a second in a large matrix product, bytes a second in a copy beyond the caches."""
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np

SIDE = 1536                                                    # 9 MB a matrix
COPIED = 128 * 2**20
_RUNS = 5
Clock = Callable[[], float]                                    # seconds since some moment


def measure(threads: int, clock: Clock = perf_counter, side: int = SIDE, copied: int = COPIED) -> dict[str, float]:
    """sgemm: operations a second (2 side^3 a product) of NumPy's BLAS. copy: bytes read and written a second, one part a
    thread. The best of five runs each: others can only slow a machine down."""
    a = np.random.default_rng(0).standard_normal((side, side), np.float32)
    c = np.empty_like(a)
    sgemm = 2 * side**3 / _best(lambda: np.matmul(a, a, out=c), clock)
    src, dst = np.ones(copied, np.uint8), np.zeros(copied, np.uint8)
    cuts = [copied * k // threads for k in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        def copy() -> None:
            list(pool.map(lambda lo, hi: np.copyto(dst[lo:hi], src[lo:hi]), cuts[:-1], cuts[1:]))
        rate = 2 * copied / _best(copy, clock)
    return {"sgemm": sgemm, "copy": rate}


def _best(run: Callable[[], object], clock: Clock) -> float:
    run()
    times = []
    for _ in range(_RUNS):
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)
