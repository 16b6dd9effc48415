"""Run under mpirun: `gpus.py HOW SOLVER FOLDER SEED`: ranks with a stand-in for a GPU each train; params go to FOLDER/HOW<rank>.

Gradients go by the stand-in for NCCL, unless HOW ends in "host". "fp16" is the precision; other values of HOW spoil something.
"""
from __future__ import annotations

import logging
import os
import signal
import sys
import time
from functools import partial

import numpy as np
import pytest

from caffempi.errors import DataError
from caffempi.exchange import direct
from caffempi.exchange.guard import together
from caffempi.exchange.mpi import MpiExchange
from caffempi.plan import plan
from caffempi.plan.params import ParamArena
from caffempi.solver.solver import Solver
from tests.helpers.cuda.fakenccl import FakeNccl, MpiWorld
from tests.helpers.cuda.standin import install

how, path, folder, seed = sys.argv[1:]
limits = (0.3, 3.0) if how.startswith("stall") else (60.0, 600.0)
x = MpiExchange(*limits)
last = x.rank == x.size - 1
logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)


def spoil(patch: pytest.MonkeyPatch, nccl: FakeNccl) -> None:
    if how.endswith("host"):
        patch.setenv("CAFFEMPI_NCCL", "0")
    if how == "missing" and last:
        nccl.missing = True
    if how == "shared":
        nccl.device.pci_bus_id = "0000:01:00.0"
    if how == "refused" and last:
        nccl.refuses = True
    if how == "not ready":                                     # the sum does not wait for the gradients
        mean = direct.Direct.send

        def send(self, bucket, what, event):
            mean(self, bucket, what, x._arena.engine.event())
        patch.setattr(direct.Direct, "send", send)
    if how == "not waited for":                                # the update does not wait for the mean
        patch.setattr(direct.Direct, "wait", lambda self, bucket: None)


def never(own: np.ndarray):
    """Sums that never come to an end."""
    return lambda: None


def forward(solver: Solver, iteration: int, nccl: FakeNccl) -> None:
    if iteration != 2 or not last:
        return
    if how == "fails":
        raise DataError("no such record")
    if how == "broken":
        nccl.broken, nccl.world.gather = True, never
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "stall of a process":
        os.kill(os.getpid(), signal.SIGSTOP)
    if how == "stall of a device":                             # its sums never come to an end, and its host does not know
        nccl.world.gather = never
    if how == "stall":
        time.sleep(120)


with together(x), pytest.MonkeyPatch.context() as patch:
    device = install(patch, int(seed) + x.rank, nccl=MpiWorld())
    device.polled, device.pci_bus_id = True, f"0000:0{x.rank}:00.0"
    patch.setattr(plan, "ParamArena", partial(ParamArena, first_bucket=64, bucket=256))
    spoil(patch, device.nccl)
    solver = Solver(path, engine="cuda", precision="fp16" if how.startswith("fp16") else None, optimised=True, exchange=x)
    for iteration in range(4):
        forward(solver, iteration, device.nccl)
        solver.step(1)
    np.save(f"{folder}/{how}{x.rank}.npy", solver.net.engine.get(solver.net.arena.data))
    solver.close()
