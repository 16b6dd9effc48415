"""The exchange thread: makes all MPI calls of a process, one operation after the other.

Operations run in the order in which they were asked for, which a program makes the same on all ranks. While one
waits, the thread polls with a short sleep (50 to 500 us, so that it takes next to nothing from the cores that
compute), listens for peers that fail or end, and keeps the time. When a rank fails, its exchange thread and those
of its peers see to the end of the process (`leave`), wherever their main threads are.
"""
from __future__ import annotations

import contextlib
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from caffempi.errors import CaffempiError, ExchangeError
from caffempi.exchange import ending, stall
from caffempi.exchange.agree import ranks_text
from caffempi.exchange.collectives import Steps
from caffempi.exchange.ending import End, PeerFailed
from caffempi.exchange.leave import Leaving, exit_now
from caffempi.exchange.link import ASK, DONE, END, HEARD, STATUS, Link
from caffempi.exchange.watch import Watch, Watched

SHORT, LONG = 50e-6, 500e-6                                    # seconds of sleep between two polls
IDLE = 0.05                                                    # seconds between two looks at the peers without work
DOUBT = 5.0                                                    # seconds in which peers tell of a failure that a device met


class Job:
    """One operation: its name for messages, its steps (None: the end of the run), and, where a device makes its input,
    the event after which that is there."""

    def __init__(self, what: str, steps: Callable[[Link], Steps] | None, event: Any = None) -> None:
        self.what, self.steps, self.event = what, steps, event
        self._result: Any = None
        self._error: str | None = None
        self._over = threading.Event()

    def finish(self, result: Any = None, error: str | None = None) -> None:
        """Called by the exchange thread: the operation is over (only the first call counts)."""
        if not self._over.is_set():
            self._result, self._error = result, error
            self._over.set()

    def wait(self) -> Any:
        """Blocks until the operation is over; returns its result. Raises PeerFailed if a rank has failed."""
        self._over.wait()
        if self._error is not None:
            raise PeerFailed(self._error)
        return self._result


class _Ending(Exception):
    """Takes the exchange thread out of whatever it waits for, into the end of the process."""


class Worker:
    """Starts MPI in a thread of its own (collective). Raises ExchangeError where MPI cannot be used."""

    link: Link

    def __init__(self, limits: stall.Limits) -> None:
        self._limits = limits
        self._queue: SimpleQueue[Job | None] = SimpleQueue()   # None only wakes the thread
        self._begun = self._done = 0                           # operations begun, and those that came to their end
        self._watch = Watch(limits)
        self._doubt: tuple[CaffempiError, float] | None = None   # what a device met, and until when it may be another's fault
        self._rescues: list[Callable[[], None]] = []
        self._falling = threading.Event()                      # a rank has failed: this one is about to end
        self._ends: dict[int, End] = {}                        # the ends that peers have told
        self._heard: set[int] = set()                          # peers that have heard of an end
        self._left: dict[int, int] = {}                        # peer that came to its good end -> operations it did
        self._given: dict[int, int] = {}                       # peer -> pieces of work that its device has got, likewise
        self._reached: dict[int, int] = {}                     # peer -> operations begun, as it last said
        self._own: End | None = None
        self._trace = ""
        self._drain = 0.0                                      # until when a last operation may still go on
        self._arrived = threading.Event()                      # the main thread has come to its end
        self._closed = False
        opened = Job("start of MPI", None)
        self._thread = threading.Thread(target=self._main, args=(opened,), name="caffempi-exchange", daemon=True)
        self._thread.start()
        error = opened.wait()
        if error is not None:
            raise error

    # ---- called from other threads

    def submit(self, what: str, steps: Callable[[Link], Steps] | None, event: Any = None) -> Job:
        """Asks for an operation; returns at once. After a failure its wait raises PeerFailed."""
        job = Job(what, steps, event)
        self._queue.put(job)
        return job

    def watch(self, item: Watched) -> None:
        """Keeps an eye on what a device does with others' until it is over, beside the operations."""
        self._watch.add(item)

    def falls(self) -> bool:
        """Whether a rank has failed; waits a moment for the news, since a device may feel it first."""
        return self._falling.wait(DOUBT)

    def at_failure(self, call: Callable[[], None]) -> None:
        """Called in the exchange thread (for a moment at most) once a rank has failed, before this one ends: it is to free a
        main thread that waits for a device."""
        self._rescues.append(call)

    def fail(self, end: End, trace: str = "") -> None:
        """This rank ends by that error, from any thread; only the first error counts. Does not wait for the end."""
        if self._own is None:
            self._trace, self._own = trace, replace(end, text=end.text[:ending.TEXT])
            self._queue.put(None)

    def arrive(self) -> None:
        """The main thread has nothing left to do but to end with the others; does not return."""
        self._arrived.set()
        self._thread.join(60)
        exit_now(1)                                            # only if the library hangs in its own shutdown

    def close(self) -> None:
        """A good end: waits until all ranks have come to theirs, then finalises MPI. A second call does nothing."""
        if not self._closed:
            self.submit("the end of the run", None).wait()
            self._closed = True
            self._thread.join()

    # ---- the exchange thread

    def _main(self, opened: Job) -> None:
        try:
            self.link = Link()
        except ExchangeError as error:
            opened.finish(error)
            return
        opened.finish()
        job: Job | None = None
        try:
            while job is None or job.steps is not None:
                self._listen()
                try:
                    job = self._queue.get(timeout=IDLE)
                except Empty:
                    continue
                if job is not None:
                    self._run(job)
        except _Ending:
            self._leave(job)
        except BaseException as error:
            known = isinstance(error, CaffempiError)
            self.fail(End(True, str(error) if known else f"exchange: {type(error).__name__}: {error}"),
                      "" if known else traceback.format_exc())
            self._leave(job)

    def _run(self, job: Job) -> None:
        if job.event is not None:
            job.event.sync()
        index, self._begun = self._begun, self._begun + 1
        started = time.monotonic()
        if job.steps is None:
            self.link.post(DONE, {"begun": index})
            self._poll(lambda: len(self._left) == self.link.size - 1, job, index, started)
            self.link.finalize()
            job.finish()
            return
        steps = job.steps(self.link)
        try:
            while True:
                self._poll(partial(self.link.done, next(steps)), job, index, started)
        except StopIteration as stop:
            self._done += 1
            job.finish(stop.value)

    def _poll(self, over: Callable[[], bool], job: Job, index: int, started: float) -> None:
        """Waits until over(), as operation number `index`. Raises ExchangeError where that can never be or takes
        too long."""
        pause, patience = SHORT, stall.Patience(self._limits, started)
        while not over():
            self._listen(index)
            gone = sorted(peer for peer, begun in self._left.items() if begun <= index)
            if gone and job.steps is not None:
                raise ExchangeError(f"{ranks_text(gone, self.link.hosts)} ended before {job.what}")
            self._keep_time(job.what, index, patience, self._reached)
            time.sleep(pause)
            pause = min(2 * pause, LONG)

    def _look(self) -> None:
        """At what the device does with others'. Raises EngineError where it has failed, ExchangeError where it takes too
        long."""
        try:
            item = self._watch.first(time.monotonic())
        except CaffempiError as error:
            self._doubt = self._doubt or (error, time.monotonic() + DOUBT)
            if time.monotonic() > self._doubt[1]:
                raise self._doubt[0] from None
            return
        if item is not None and item.patience is not None:
            self._keep_time(item.what, item.number, item.patience, self._given)

    def _keep_time(self, what: str, index: int, patience: stall.Patience, reached: dict[int, int]) -> None:
        """Asks, warns and at last raises ExchangeError, as the time of a wait goes by."""
        now = time.monotonic()
        due = patience.turn(now)
        if due == "ask":
            reached.clear()
            self.link.post(ASK, {})
        elif due == "tell":
            self._stalled(what, index, now - patience.started, reached)

    def _stalled(self, what: str, index: int, waited: float, reached: dict[int, int]) -> None:
        text = stall.describe(what, index, waited, reached, self.link.rank, self.link.hosts)
        if waited >= self._limits.abort:
            raise ExchangeError(text)
        if stall.speaks(self.link.rank, index, reached):
            print(f"caffempi: rank {self.link.rank}: {text}", file=sys.stderr, flush=True)

    def _listen(self, index: int = -1) -> None:
        """Takes in what peers say, within operation number `index` (-1: none). Raises _Ending where a rank has failed.

        At once, but for an operation that all who have failed were done with: it gets a moment to end here too, so that
        an error which its result means for all ranks is seen by all.
        """
        while (heard := self.link.hear()) is not None:
            peer, tag, message = heard
            if tag == END:
                if not self._ends:
                    self.link.post(HEARD, {})
                self._ends[peer] = End(**message)
            elif tag == HEARD:
                self._heard.add(peer)
            elif tag == DONE:
                self._left[peer] = message["begun"]
            elif tag == ASK:
                self.link.tell(peer, STATUS, {"begun": self._begun, "given": self._watch.count})
            else:
                self._reached[peer], self._given[peer] = message["begun"], message["given"]
        if self._own is not None:
            raise _Ending
        if not self._ends:
            self._look()
        else:
            self._drain = self._drain or time.monotonic() + ending.GRACE
            if time.monotonic() > self._drain or index < 0 or any(end.done <= index for end in self._ends.values()):
                raise _Ending

    def _leave(self, job: Job | None) -> None:
        self._falling.set()
        self._rescue()
        self._release(job)
        Leaving(self.link, replace(self._own or End(False), done=self._done), self._trace, self._ends,
                self._heard).run()

    def _rescue(self) -> None:
        def run() -> None:
            for call in self._rescues:
                with contextlib.suppress(Exception):           # what can fail has failed already
                    call()
        if self._rescues:
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            thread.join(ending.GRACE)

    def _release(self, job: Job | None) -> None:
        """Wakes the main thread out of its waits and gives it a moment to come to its end."""
        failed = min(self._ends, default=self.link.rank)
        until = time.monotonic() + ending.GRACE
        while time.monotonic() < until and not self._arrived.is_set():
            if job is not None:
                job.finish(error=f"rank {failed} has failed")
            try:
                job = self._queue.get(timeout=0.01)
            except Empty:
                job = None
