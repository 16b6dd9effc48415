"""Run under mpirun on two ranks: what Link says of its peers, and control messages in order."""
from __future__ import annotations

import os
import threading
import time

import numpy as np

from caffempi.exchange.link import ASK, DONE, Link


def hear(link: Link) -> tuple[int, int, dict[str, object]]:
    while (heard := link.hear()) is None:
        time.sleep(1e-4)
    return heard


def talk() -> None:
    link = Link()
    other = 1 - link.rank
    assert link.size == 2 and link.pids[link.rank] == os.getpid() and link.pids[0] != link.pids[1]
    assert link.hosts[0] == link.hosts[1] != ""
    link.post(ASK, {"text": "ü" * 1500})
    link.tell(other, DONE, {"begun": link.rank})
    assert hear(link) == (other, ASK, {"text": "ü" * 1500})
    assert hear(link) == (other, DONE, {"begun": other})
    assert link.hear() is None
    mine, theirs = np.full(3, link.rank, np.float32), np.empty(3, np.float32)
    requests = [link.send(mine, other), link.receive(theirs, other)]
    while not link.done(requests):
        time.sleep(1e-4)
    assert theirs.tolist() == [other] * 3
    link.finalize()
    print("well", flush=True)


thread = threading.Thread(target=talk)
thread.start()
thread.join()
