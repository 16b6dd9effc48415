"""Run under mpirun: the mean of bucket k is there before bucket k + 1 is ready, while the main thread does other work.

No clock decides: the loop below ends only because the exchange goes on beside it (else the test ends the run).
"""
from __future__ import annotations

import numpy as np

from caffempi.exchange.guard import together
from caffempi.exchange.launch import make_exchange
from tests.exchange.arenas import arena

net = arena([4000, 4000, 4000], first=16 << 10, bucket=16 << 10)
x = make_exchange()


class Event:
    """A device's event whose work is done when the exchange thread waits for it."""

    def __init__(self, lo: int, hi: int) -> None:
        self.lo, self.hi = lo, hi

    def sync(self) -> None:
        net.grad[self.lo:self.hi] = x.rank


with together(x):
    x.start(net, {"digest": {}, "values": {}})
    work = np.eye(64)
    for iteration in range(3):
        net.grad[...] = -1
        x.begin(iteration, last_sub=True)
        for bucket, (lo, hi) in enumerate(net.buckets):
            x.ready(bucket, Event(lo, hi))
            while not np.all(net.grad[lo:hi] == (x.size - 1) / 2):
                work = work @ work                                 # backward of the layers below
            print(f"iteration {iteration} bucket {bucket} has its mean, later ones do not: "
                  f"{bool(np.all(net.grad[hi:] == -1))}")
        for lo, hi in x.reduced():
            assert np.all(net.grad[lo:hi] == (x.size - 1) / 2)
