"""Run under mpirun: `failing.py HOW`: some rank fails in that way, most in the third iteration; the others go on."""
from __future__ import annotations

import os
import signal
import sys
import threading
import time

from caffempi.errors import DataError, UsageError
from caffempi.exchange.guard import install, together
from caffempi.exchange.launch import make_exchange
from tests.exchange.arenas import arena

how = sys.argv[1]
net = arena([4000, 4000, 300_000], first=16 << 10, bucket=16 << 10)
x = make_exchange(stall_warning=0.2, stall_abort=2.0) if how.startswith("stall") else make_exchange()
last = x.rank == x.size - 1


def thread() -> None:
    raise DataError("a thread's error")


def before() -> None:
    if how == "all at once":
        raise UsageError("no such file")
    if how == "all but each its own":
        raise DataError(f"record {x.rank}")
    if how == "before start" and last:
        raise DataError("before start")


def forward(iteration: int) -> None:
    if iteration != 2:
        return
    if how == "peers busy":
        if x.rank == 0:
            raise DataError("the others compute")
        time.sleep(120)
    if how == "thread" and last:
        threading.Thread(target=thread).start()
    if not last:
        return
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "stall of a process":
        os.kill(os.getpid(), signal.SIGSTOP)
    if how == "stall":
        time.sleep(120)
    if how == "left early":
        sys.exit(0)
    if how == "left with a code":
        sys.exit(7)
    if how == "fault of the program":
        {}["missing"]
    if how == "abort":
        x.abort("the solver's own words")


def run() -> None:
    before()
    item = "other" if how == "other net" and x.rank == 1 else "same"
    x.start(net, {"digest": {"solver": "s", "net": item}, "values": {}})
    for iteration in range(5):
        forward(iteration)
        x.begin(iteration, last_sub=True)
        for bucket in range(len(net.buckets)):
            if how == "in backward" and last and iteration == 2 and bucket == 1:
                raise DataError("in backward")
            x.ready(bucket, None)
        for lo, _ in x.reduced():
            if how == "inside reduced" and x.rank == 0 and iteration == 2 and lo > 0:
                raise DataError("inside reduced")
        x.vote(0)


if how == "no block":
    install(x)
    if last:
        {}["missing"]
    run()
else:
    with together(x):
        run()
    print("well", x.rank)
