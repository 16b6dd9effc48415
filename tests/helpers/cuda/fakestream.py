"""Streams, events and graphs of the stand-in for CuPy: queues whose work runs late, in an order that only events bind.

Nothing runs when it is given to a stream. When the host waits (`synchronize`, a blocking `get`), pieces of work are taken
from randomly chosen streams until what is waited for is done. A forgotten `wait_event` so gives wrong numbers.
"""
from __future__ import annotations

import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol
from weakref import WeakSet


class FakeCudaError(RuntimeError):
    """A use of CuPy that would fail, or silently go wrong, on a GPU."""


class Mark:
    """One recording of an event."""

    def __init__(self) -> None:
        self.passed, self.time = False, 0.0

    def set(self, time: float) -> None:
        """It is passed, then."""
        self.passed, self.time = True, time


class Slow(Protocol):
    """Something that takes as long as others need, who are waited for without holding up other streams."""

    def advance(self) -> bool:
        """Goes on with it; whether it is over."""


Work = Callable[[], None] | Mark | Slow
"""What a stream holds: something to run (which may set a mark), or a mark to wait for."""
COMPUTED = frozenset({"kernel", "product", "convolution"})
"""Kinds of work that a dry device does not do."""


class Piece(NamedTuple):
    """Work that was captured. kind: one of COMPUTED, 'upload', 'download', 'copy' (on the device) or 'fill'."""

    kind: str
    run: Callable[[], None]


class FakeDevice:
    """The device: its streams, the random order in which they advance, and the allocations that are watched.

    tally: what it was given, by kind. dry: it does not compute, so that whole nets can be counted in a moment; memory keeps
    what copies and fills put there. time: milliseconds, one for each piece of work.
    polled: a look at an event lets some work run, as if time had gone by: for programs of several ranks, where the host of
    one may wait for what the device of another is still to do.
    """

    def __init__(self, seed: int = 0) -> None:
        self.id, self.compute_capability, self.pci_bus_id = 0, "80", "0000:01:00.0"
        self.polled = False
        self._lock = threading.RLock()                         # two threads may wait at once
        self.random = random.Random(seed)
        self.streams: list[FakeStream] = []
        self.null = FakeStream(self, null=True)
        self.capturing: FakeStream | None = None
        self.total = 1 << 30                                   # bytes of memory
        self.memories: WeakSet[Any] = WeakSet()                # all allocations
        self.tally: Counter[str] = Counter()
        self.uploaded = 0                                      # bytes
        self.dry, self.time = False, 0.0

    def stream_at(self, ptr: int) -> FakeStream:
        """The stream with that handle."""
        return next(s for s in self.streams if s.ptr == ptr)

    def refuse_outside(self, address: int, nbytes: int) -> None:
        """Raises where bytes do not lie in one allocation: for libraries, which get addresses."""
        if not any(m.ptr <= address and address + nbytes <= m.ptr + m.size for m in self.memories):
            raise FakeCudaError(f"{nbytes} bytes at {address:#x} do not lie in an allocation")

    def work(self, run: Callable[[], None]) -> None:
        """A piece of work, which takes a millisecond."""
        run()
        self.time += 1.0

    def run_until(self, finished: Callable[[], bool]) -> None:
        """Runs work of random streams until then."""
        while not finished():
            with self._lock:
                if finished():
                    return
                moved = self._turn()
                if moved is None:
                    raise FakeCudaError("deadlock: every stream waits for an event that no stream is going to record")
            if not moved:
                time.sleep(0.0005)                             # other processes are waited for

    def nudge(self) -> None:
        """Runs a few pieces of work, if there are any."""
        with self._lock:
            for _ in range(self.random.randrange(6)):
                self._turn()

    def _turn(self) -> bool | None:
        """Runs a piece of work of a random stream; whether it is over, None where no stream can go on."""
        able = [s for s in self.streams if s.queue and not (isinstance(s.queue[0], Mark) and not s.queue[0].passed)]
        if not able:
            return None
        queue = self.random.choice(able).queue
        if hasattr(queue[0], "advance"):
            if not queue[0].advance():
                return False
            queue.popleft()
            return True
        work = queue.popleft()
        if not isinstance(work, Mark):
            work()
        return True

    def __enter__(self) -> FakeDevice:
        return self

    def __exit__(self, *_: Any) -> None:
        """cupy.cuda.Device is a context in which it is current."""

    def synchronize(self) -> None:
        """All that all streams have been given."""
        self.refuse_capture("synchronize")
        self.tally["host wait"] += 1
        self.run_until(lambda: not any(s.queue for s in self.streams))

    def refuse_capture(self, what: str) -> None:
        """Raises while a stream captures."""
        if self.capturing is not None:
            raise FakeCudaError(f"{what} is not allowed while a stream captures")


class FakeStream:
    """cupy.cuda.Stream. Capture holds one stream: no event of another may come in."""

    def __init__(self, device: FakeDevice, null: bool = False, non_blocking: bool = False) -> None:
        if not null and not non_blocking:
            raise FakeCudaError("make streams with non_blocking=True: others wait on the null stream implicitly")
        self.device, self.is_null = device, null
        self.ptr = id(self)
        self.queue: deque[Work] = deque()
        self.captured: list[Piece] | None = None
        self.marks: set[Mark] = set()                          # recorded inside the capture
        device.streams.append(self)

    def push(self, kind: str, run: Callable[[], None] | Slow) -> None:
        """Gives the stream something to run; kind: as of a Piece, or 'sum' (with other processes)."""
        if self.captured is not None:
            assert callable(run)
            self.captured.append(Piece(kind, run))
            return
        self.device.tally[kind] += 1
        if not (self.device.dry and kind in COMPUTED):
            self.queue.append(run if hasattr(run, "advance") else partial(self.device.work, run))

    def record(self, event: FakeEvent) -> FakeEvent:
        """Sets the event's mark behind all work given so far."""
        mark = event.mark = Mark()
        if self.captured is not None:
            self.marks.add(mark)                               # order inside one stream needs no work at replay
        else:
            self.device.tally["record"] += 1
            self.queue.append(lambda: mark.set(self.device.time))
        return event

    def wait_event(self, event: FakeEvent) -> None:
        """Work given from now on runs after the event's last recording; nothing where there is none, as in CUDA."""
        if self.captured is not None:
            if event.mark not in self.marks:
                raise FakeCudaError("a captured stream waits for an event from outside the capture")
        elif event.mark is not None:
            self.device.tally["stream wait"] += 1
            self.queue.append(event.mark)

    def synchronize(self) -> None:
        """Blocks until all work given so far has run."""
        self.device.refuse_capture("synchronize")
        self.device.tally["host wait"] += 1
        self.device.run_until(lambda: not self.queue)

    @property
    def done(self) -> bool:
        """Whether nothing is left to run."""
        return not self.queue

    def begin_capture(self) -> None:
        """From now on work is kept for a graph instead of being run."""
        self.device.refuse_capture("begin_capture")
        if self.is_null:
            raise FakeCudaError("the null stream cannot capture")
        self.captured, self.device.capturing = [], self

    def end_capture(self) -> FakeGraph:
        """The graph of the work given since begin_capture."""
        if self.captured is None:
            raise FakeCudaError("end_capture without begin_capture")
        graph = FakeGraph(self.captured)
        self.captured, self.device.capturing = None, None
        self.marks.clear()
        return graph


class FakeGraph:
    """cupy.cuda.Graph: what was captured, run as often as wanted."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces

    def launch(self, stream: FakeStream) -> None:
        """Gives the stream all of it."""
        tally = stream.device.tally
        tally["graph"] += 1
        tally["replayed"] += len(self.pieces)
        for piece in self.pieces:
            stream.push(*piece)


class FakeEvent:
    """cupy.cuda.Event."""

    def __init__(self, device: FakeDevice, disable_timing: bool = False) -> None:
        self._device, self.timed = device, not disable_timing
        self.mark: Mark | None = None

    @property
    def done(self) -> bool:
        """Whether the last recording has been passed; True where there is none."""
        if self._device.polled and self._device.capturing is None:
            self._device.nudge()
        return self.mark is None or self.mark.passed

    def synchronize(self) -> None:
        """Blocks until then."""
        self._device.refuse_capture("synchronize")
        self._device.tally["host wait"] += 1
        self._device.run_until(lambda: self.done)


def elapsed(first: FakeEvent, last: FakeEvent) -> float:
    """cupy.cuda.get_elapsed_time, in milliseconds of the device's own."""
    if not (first.timed and last.timed and first.mark and last.mark and first.mark.passed and last.mark.passed):
        raise FakeCudaError("the time between events that are not timed, or have not been passed")
    return last.mark.time - first.mark.time
