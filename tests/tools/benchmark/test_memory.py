"""Peaks of each side, PyTorch's smallest mode, and failures."""
from __future__ import annotations

import pytest
from benchmark import memory
from benchmark.contest import OURS, Rules
from benchmark.launch import BenchError
from benchmark.nets import Task

BYTES = {OURS: 30_000_000, "eager": 90_000_000, "compile": 60_000_000}
TASK = Task("x", "/x", 8, True)


class Fake:
    def __init__(self, module, settings, cores):
        assert module == ("ours" if settings["mode"] == OURS else "rival")
        self.mode = settings["mode"]
        if self.mode not in BYTES:
            raise BenchError("cannot")

    def iterate(self, seconds, least):
        assert least >= 2

    def memory(self):
        return BYTES[self.mode]

    def close(self):
        pass


def test_the_smallest_mode_is_the_rival():
    found = memory.measure(TASK, Rules([0], modes=("eager", "compile", "gone")), Fake)
    assert found.bytes == BYTES and found.rival == "compile" and found.failed == {"gone": "cannot"}
    assert memory.table([found])[1] == ("x", "8", "1", "30", "60", "compile", "0.50")


def test_alone_and_failing():
    found = memory.measure(TASK, Rules([0]), Fake)
    assert found.rival is None and memory.table([found])[1] == ("x", "8", "1", "30", "", "", "")

    def broken(*args):
        raise BenchError("ours: no")
    with pytest.raises(BenchError, match="ours: no"):
        memory.measure(TASK, Rules([0]), broken)
