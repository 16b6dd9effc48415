"""Trains ten iterations on however many ranks there are and writes rank 0's params; prints every rank's digest of them.

usage: equal.py FOLDER DTYPE GLOBAL_BATCH OUT.npz
"""
import hashlib
import sys

import numpy as np

from caffempi.exchange.guard import together
from caffempi.exchange.launch import make_exchange
from caffempi.solver.solver import Solver

folder, dtype, batch, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
exchange = make_exchange()
with together(exchange):
    solver = Solver(f"{folder}/solver.prototxt", exchange=exchange, dtype=dtype, engine="numpy", optimised=True, batch="global")
    losses = []
    for _ in range(10):
        solver.step(1)
    arena = solver.net.arena
    print(exchange.rank, hashlib.sha256(arena.data.tobytes()).hexdigest(), hashlib.sha256(arena.hist[0].tobytes()).hexdigest())
    if exchange.rank == 0:
        np.savez(out, **{p.name.replace("/", "|"): arena.view(p) for p in arena.net_order})
    solver.close()
