"""The prefetcher alone: order, bounds, errors, closing while threads are blocked."""
from __future__ import annotations

import threading

import pytest

from caffempi.data.prefetch import Prefetcher
from caffempi.errors import DataError


def noop() -> None:
    pass


@pytest.mark.parametrize("threads, depth", [(0, 0), (0, 4), (1, 1), (1, 4), (4, 2), (4, 8)])
def test_batches_come_in_order_and_never_too_far_ahead(threads, depth):
    made: list[int] = []
    prefetcher = Prefetcher(lambda p: made.append(p) or p, stride=3, threads=threads, depth=depth, done=noop)
    for i in range(50):
        assert prefetcher.peek() == prefetcher.peek() == prefetcher.position == 3 * i
        assert max(made) < prefetcher.position + 3 * max(depth, 1)
        prefetcher.advance()
    prefetcher.close()
    assert sorted(made) == [3 * i for i in range(len(made))]


def test_a_slow_batch_does_not_let_a_later_one_pass():
    gate = threading.Event()

    def make(position: int) -> int:
        if position == 0:
            gate.wait(30)
        elif position == 3:
            gate.set()
        return position

    prefetcher = Prefetcher(make, stride=1, threads=2, depth=4, done=noop)
    got = []
    for _ in range(6):
        got.append(prefetcher.peek())
        prefetcher.advance()
    assert got == list(range(6))
    prefetcher.close()


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_an_error_is_raised_at_its_place_and_stays(threads):
    def make(position: int) -> int:
        if position == 2:
            raise DataError("broken")
        return position

    prefetcher = Prefetcher(make, stride=1, threads=threads, depth=4, done=noop)
    for i in range(2):
        assert prefetcher.peek() == i
        prefetcher.advance()
    for _ in range(2):
        with pytest.raises(DataError, match="broken"):
            prefetcher.peek()
    prefetcher.seek(7)
    assert prefetcher.peek() == 7
    prefetcher.close()


def test_seek_drops_what_a_thread_was_making():
    started, gate = threading.Event(), threading.Event()

    def make(position: int) -> tuple[int, int]:
        if position == 0 and not started.is_set():
            started.set()
            gate.wait(30)
            return position, -1
        return position, 1

    prefetcher = Prefetcher(make, stride=1, threads=2, depth=2, done=noop)
    threading.Thread(target=lambda: (started.wait(30), prefetcher.seek(0), gate.set()), daemon=True).start()
    assert prefetcher.peek() == (0, 1), "the batch made before the seek must not be handed out"
    prefetcher.close()


def test_close_wakes_a_waiting_reader_and_frees_the_source_once():
    gate, closed = threading.Event(), []
    prefetcher = Prefetcher(lambda p: gate.wait(30), stride=1, threads=1, depth=1, done=lambda: closed.append(1))
    result: list[BaseException] = []

    def read() -> None:
        try:
            prefetcher.peek()
        except DataError as e:
            result.append(e)
            gate.set()   # only now can the blocked thread end

    reader = threading.Thread(target=read)
    reader.start()
    while not prefetcher._state.threads:
        pass
    prefetcher.close()
    reader.join(30)
    assert len(result) == 1 and closed == [1]
    prefetcher.close()
    assert closed == [1]


def test_a_source_in_use_by_a_stuck_thread_is_not_closed(monkeypatch):
    monkeypatch.setattr("caffempi.data.prefetch._PATIENCE", 0.05)
    started, gate, closed = threading.Event(), threading.Event(), []
    prefetcher = Prefetcher(lambda p: (started.set(), gate.wait(30)) if p else p, stride=1, threads=1, depth=2,
                            done=lambda: closed.append(1))
    assert prefetcher.peek() == 0
    assert started.wait(30)
    prefetcher.close()
    assert not closed
    gate.set()
