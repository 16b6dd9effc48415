"""Batches made ahead by threads, handed out in order.

Threads claim the next batch that nobody has claimed, as long as it is less than `depth` batches ahead of the reader,
make it without any lock, and lay it down under its position. So the order does not depend on which thread was faster,
and what was made but not taken is not counted. An error is laid down in place of the batch and raised when the reader
gets there.

Threads are daemons that know only the inner state, never the Prefetcher: it stops them when it is closed, collected or
when the interpreter ends, so that none outlives it or keeps it alive.
"""
from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

from caffempi.errors import DataError

T = TypeVar("T")
_PATIENCE = 10.0   # seconds that a close waits for threads which sit in a read that does not return


class _State(Generic[T]):
    """What the reader and its threads share; all of it under `changed`."""

    def __init__(self, make: Callable[[int], T], stride: int, depth: int, done: Callable[[], None]) -> None:
        self.make, self.stride, self.depth, self.done = make, stride, depth, done
        self.changed = threading.Condition()
        self.ready: dict[int, T | BaseException] = {}
        self.threads: list[threading.Thread] = []
        self.position = self.claim = self.generation = 0
        self.stopped = False

    def work(self) -> None:
        """A thread's life."""
        while True:
            with self.changed:
                while not self.stopped and self.claim >= self.position + self.depth * self.stride:
                    self.changed.wait()
                if self.stopped:
                    return
                position, generation = self.claim, self.generation
                self.claim += self.stride
            self._lay(position, generation, BaseException)   # whatever it is, the reader is the one to see it

    def _lay(self, position: int, generation: int, caught: type[BaseException]) -> None:
        """Makes the batch at `position` and lays it, or an error, down, unless the reader has moved meanwhile."""
        result: T | BaseException
        try:
            result = self.make(position)
        except caught as e:
            result = e
        with self.changed:
            if generation == self.generation and not self.stopped:
                self.ready[position] = result
                self.changed.notify_all()

    def here(self) -> T | BaseException:
        """The batch at the reader's position: made here without threads, else waited for."""
        with self.changed:
            here, generation = self.position, self.generation
            alone = not self.threads and not self.stopped and here not in self.ready
        if alone:
            self._lay(here, generation, Exception)
        with self.changed:
            while not self.stopped and self.position not in self.ready:
                self.changed.wait()
            if self.stopped:
                raise DataError("the feed is closed")
            return self.ready[self.position]

    def stop(self) -> None:
        """Ends the threads; then lets go of what they read from, unless one of them still sits in a read."""
        with self.changed:
            first, self.stopped = not self.stopped, True
            self.ready.clear()
            self.changed.notify_all()
        deadline = time.monotonic() + _PATIENCE
        for thread in self.threads:
            if thread is not threading.current_thread():   # a collection can run this in any thread
                thread.join(max(0.0, deadline - time.monotonic()))
        if first and not any(thread.is_alive() for thread in self.threads):
            self.done()


class Prefetcher(Generic[T]):
    """Makes `make(position)` for position, position + stride, ... ahead of the reader.

    threads: how many; 0: the reader makes each batch itself when it asks. depth: batches ahead, at least 1 with
    threads. done: called once, when no thread uses what it reads from any more. `make` must not refer to the
    Prefetcher's owner.
    """

    def __init__(self, make: Callable[[int], T], *, stride: int, threads: int, depth: int,
                 done: Callable[[], None]) -> None:
        self._state = _State(make, stride, depth, done)
        self._threads = threads
        self._finalizer = weakref.finalize(self, self._state.stop)

    @property
    def position(self) -> int:
        """Where the next batch starts."""
        return self._state.position

    def peek(self) -> T:
        """The next batch, not taken yet. Raises what making it raised, or DataError after close."""
        if not self._state.threads:
            self._start()
        result = self._state.here()
        if isinstance(result, BaseException):
            raise result
        return result

    def advance(self) -> None:
        """Takes the batch that peek showed."""
        with self._state.changed:
            self._state.ready.pop(self._state.position, None)
            self._state.position += self._state.stride
            self._state.changed.notify_all()

    def seek(self, position: int) -> None:
        """Goes on at `position`; drops what was made ahead."""
        with self._state.changed:
            self._state.position = self._state.claim = position
            self._state.generation += 1
            self._state.ready.clear()
            self._state.changed.notify_all()

    def close(self) -> None:
        """Stops the threads and waits for them; idempotent."""
        self._finalizer()

    def _start(self) -> None:
        """Starts the threads at the first use, so that a feed which only gets sought costs none."""
        state = self._state
        with state.changed:
            for i in range(0 if state.stopped else self._threads):
                thread = threading.Thread(target=state.work, name=f"prefetch-{i}", daemon=True)
                thread.start()
                state.threads.append(thread)
