"""Sides start in a clean environment, on their cores, and their failures come back as one line."""
from __future__ import annotations

import sys

import pytest
from benchmark.launch import REMOVED, BenchError, Child, environment, start, usable

from caffempi.threads import VARIABLES

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")


def test_the_environment_says_threads_and_nothing_of_another_machine(monkeypatch):
    for name in REMOVED:
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    env = environment(3)
    assert not set(REMOVED) & set(env) and all(env[name] == "3" for name in VARIABLES)


@linux
def test_a_process_is_bound_to_its_cores():
    core = usable()[-1]
    process = start([sys.executable, "-c", "import os; print(sorted(os.sched_getaffinity(0)), os.environ['OMP_NUM_THREADS'])"],
                    [core])
    assert process.communicate()[0] == f"[{core}] 1\n"


@linux
def test_our_side_runs_as_a_child(settings):
    with Child("ours", settings, usable()[-1:]) as child:
        assert child.facts["params"] == 3 * 4 * 9 + 4 + 5 * 144 + 5 and child.setup > 0
        assert len(child.iterate(0.0, least=3)) == 3 and child.iterate(0.0, "cpu")[0] >= 0
        assert child.memory() > 0
    child.close()


@linux
def test_a_childs_failure_is_told(settings):
    with pytest.raises(BenchError, match=r"ours: .*nowhere"):
        Child("ours", {**settings, "path": "/nowhere"}, usable()[-1:])
    with Child("ours", settings, usable()[-1:]) as child:
        child._process.kill()
        child._process.wait()
        with pytest.raises(BenchError, match="ours"):
            child.iterate(0.0)


@linux
def test_an_unknown_request_ends_the_child_with_its_reason(settings):
    with Child("ours", settings, usable()[-1:]) as child, pytest.raises(BenchError, match="KeyError: 'count'"):
        child.profile()
