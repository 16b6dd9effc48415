"""Trains a task to its end; then again, stopped by SIGTERM at each of several polls and resumed; compares all bits.

usage: stop.py FOLDER SEED POINTS
Takes seeded polls until POINTS of them fell before the last iteration; prints one line a rank: its number and how many
points were compared.
"""
import os
import random
import shutil
import signal
import sys
from pathlib import Path

import numpy as np

from caffempi.exchange.guard import together
from caffempi.exchange.launch import make_exchange
from caffempi.solver.signals import SignalWatch
from caffempi.solver.solver import Solver

folder, seed, points = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
exchange = make_exchange()


def train(at, resume=None):
    """Trains, SIGTERM at the at-th poll on the last rank (0: never); (bits at the end, iteration, polls)."""
    polls = 0
    with SignalWatch() as watch:
        def requests():
            nonlocal polls
            polls += 1
            if polls == at and exchange.rank == exchange.size - 1:
                os.kill(os.getpid(), signal.SIGTERM)
            return watch()
        solver = Solver(str(folder / "solver.prototxt"), exchange=exchange, requests=requests, optimised=True)
        solver.solve(resume)
        a = solver.net.arena
        bits = [a.data.copy(), a.hist[0].copy(), a.stat.copy()]
        scores = [net.blobs[b].data.copy() for net in solver.test_nets for b in net.outputs]
        solver.close()
        return bits + scores, solver.iter, polls


with together(exchange):
    whole, last, polls = train(0)
    done = 0
    for at in random.Random(seed).sample(range(1, polls), polls - 1):
        if done == points:
            break
        exchange.vote(0)                                       # all ranks have left the snapshots of the point before
        if exchange.rank == 0:
            for old in folder.glob("snap_iter_*"):
                old.unlink()
        exchange.vote(0)
        _, stopped, _ = train(at)
        if stopped == last:
            continue                                           # the signal came when the last iteration had begun
        got, end, _ = train(0, str(folder / f"snap_iter_{stopped}.solverstate"))
        assert end == last
        for g, w in zip(got, whole, strict=True):
            assert np.array_equal(g, w), f"stopped at poll {at}, iteration {stopped}: other bits"
        done += 1
    print(exchange.rank, done)
    if exchange.rank == 0:
        shutil.rmtree(folder)
