"""Turns, medians, quartiles, and which modes of PyTorch stay."""
from __future__ import annotations

import pytest
from benchmark.contest import OURS, Contest, Rules, hold, quartiles
from benchmark.launch import BenchError
from benchmark.nets import Task

TASK = Task("x", "/x", 8, True)
SPEED = {"eager": 40.0, "channels_last": 20.0, "compile": 10.0, "compile+channels_last": 30.0}


class Fake:
    """A child of known speed; `log` has who ran and who was closed."""

    log: list = []

    def __init__(self, module, settings, cores):
        self.name = OURS if module == "ours" else settings["mode"]
        self.facts, self.setup = {"cores": list(cores)}, 1.5
        if self.name == "broken":
            raise BenchError("no compiler")

    def iterate(self, seconds, clock="wall", least=1, warm=1):
        if self.name == "breaks":
            raise BenchError("fell over")
        self.log.append(self.name)
        return [SPEED.get(self.name, 5.0) + d for d in (-1, 0, 2)]

    def close(self):
        self.log.append(f"-{self.name}")


@pytest.fixture
def log():
    Fake.log = []
    return Fake.log


def test_the_two_quickest_modes_run_in_turns_with_us(log):
    found = hold(TASK, Rules([3], 3, 1.0, modes=tuple(SPEED)), Fake)
    assert found.tried == SPEED and found.rival == "compile" and found.ratio == 0.5
    assert log == ["eager", "channels_last", "compile", "-eager", "compile+channels_last", "-compile+channels_last",
                   OURS, "channels_last", "compile", "channels_last", "compile", OURS, "compile", OURS, "channels_last",
                   "-channels_last", "-compile", f"-{OURS}"]
    assert found.ratio_quartiles == (0.5, 0.5) and found.quartiles("compile") == (9, 12)
    assert found.facts[OURS] == {"cores": [3], "setup_s": 1.5} and found.threads == 1


def test_modes_that_fail_are_told_and_closed(log):
    found = hold(TASK, Rules([0], 1, 1.0, modes=("broken", "breaks", "eager")), Fake)
    assert found.tried == {"broken": "no compiler", "breaks": "fell over", "eager": 40.0} and found.rival == "eager"
    assert log.count("-eager") == 1


def test_alone_there_is_no_ratio(log):
    found = hold(TASK, Rules([0], 2, 1.0), Fake)
    assert found.rival is found.ratio is found.ratio_quartiles is None and found.median(OURS) == 5


def test_our_own_failure_is_not_hidden(log):
    class Bad(Fake):
        def __init__(self, module, settings, cores):
            super().__init__(module, settings, cores)
            if module == "ours":
                raise BenchError("ours: no")
    with pytest.raises(BenchError, match="ours: no"):
        hold(TASK, Rules([0], 1, 1.0, modes=("eager",)), Bad)
    assert log[-1] == "-eager"


def test_quartiles():
    assert quartiles([4]) == (4, 4) and quartiles([1, 2, 3, 4, 5]) == (2, 4)
    c = Contest("n", 1, 1, True, rounds={OURS: [[1], [2], [3]], "eager": [[2], [2], [2]], "compile": [[4], [4], [1]]})
    assert c.rival == "eager" and c.ratio == 1 and c.ratio_quartiles == (0.75, 1.25)
