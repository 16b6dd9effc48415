"""Several ranks as threads of one process: the exchange protocol over shared memory, for tests of what stands on it."""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from caffempi.plan.params import ParamArena

T = TypeVar("T")


class Loopback:
    """What the threads share."""

    def __init__(self, size: int) -> None:
        self.size, self.barrier, self.slots = size, threading.Barrier(size, timeout=60), [None] * size


class LoopbackExchange:
    """One rank's end. `log` holds the names of the calls in order."""

    def __init__(self, net: Loopback, rank: int) -> None:
        self.net, self.rank, self.size = net, rank, net.size
        self.log: list[str] = []

    def _all(self, mine: Any) -> list[Any]:
        self.net.slots[self.rank] = mine
        self.net.barrier.wait()
        everyone = list(self.net.slots)
        self.net.barrier.wait()
        return everyone

    def start(self, arena: ParamArena, state: dict[str, Any]) -> str:
        self.arena = arena
        everyone = self._all((arena, state))
        assert all(s["digest"] == state["digest"] for _, s in everyone)
        if self.rank:
            root, values = everyone[0][0], everyone[0][1]["values"]
            for mine, other in zip([arena.data, arena.stat, *arena.hist], [root.data, root.stat, *root.hist], strict=True):
                mine[...] = other
            state["values"].update(values)
        self.net.barrier.wait()
        return ""

    def begin(self, iteration: int, last_sub: bool) -> None:
        self.log.append(f"begin {iteration} {last_sub}")

    def counts(self, vector: np.ndarray) -> np.ndarray:
        return self.totals(vector)

    def ready(self, bucket: int, event: Any) -> None:
        self.log.append(f"ready {bucket}")

    def reduced(self) -> Iterator[tuple[int, int]]:
        everyone = self._all(self.arena.grad.copy())
        self.arena.grad[...] = np.mean(everyone, axis=0)
        yield from self.arena.buckets

    def updated(self, lo: int, hi: int) -> None:
        self.log.append(f"updated {lo} {hi}")

    def wait(self, bucket: int) -> None:
        self.log.append(f"wait {bucket}")

    def totals(self, sums: np.ndarray) -> np.ndarray:
        return np.sum(self._all(np.array(sums)), axis=0)

    def vote(self, bits: int) -> int:
        return int(np.bitwise_or.reduce(self._all(bits)))

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state(self, state: dict[str, Any]) -> None:
        pass

    def abort(self, message: str) -> None:
        self.net.barrier.abort()


def run_ranks(size: int, work: Callable[[LoopbackExchange], T]) -> list[T | BaseException]:
    """work(exchange) of every rank in a thread of its own; what each returned or raised."""
    net, results = Loopback(size), [None] * size

    def body(rank: int) -> None:
        try:
            results[rank] = work(LoopbackExchange(net, rank))
        except BaseException as e:
            results[rank] = e
            if not getattr(e, "expected", False) and type(e).__name__ != "AgreedError":
                net.barrier.abort()
    threads = [threading.Thread(target=body, args=(r,)) for r in range(size)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return results


def all_good(size: int, work: Callable[[LoopbackExchange], T]) -> list[T]:
    """run_ranks where nothing may be raised; the first real error of a rank is raised here."""
    results = run_ranks(size, work)
    errors = [r for r in results if isinstance(r, BaseException)]
    for e in sorted(errors, key=lambda e: isinstance(e, threading.BrokenBarrierError)):
        raise e
    return results
