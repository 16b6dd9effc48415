"""Our side: training changes params, a profile covers the iteration, deploys only run forward."""
from __future__ import annotations

import pytest
from benchmark import ceilings
from benchmark.ours import Ours


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Ceilings that are measured in no time."""
    real = ceilings.measure
    monkeypatch.setattr(ceilings, "measure", lambda threads, clock: real(threads, clock, 64, 2**16))


def test_an_iteration_trains(settings):
    side = Ours(settings)
    before = side.net.arena.data.copy()
    side.iterate()
    assert not (side.net.arena.data == before).all() and side.facts["params"] == 837


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_profile_has_all_steps_with_their_costs(settings, clock):
    side = Ours({**settings, "profile": clock})
    found = side.profile({"count": 2})
    assert len(found["iteration"]) == 2 and found["ceilings"]["sgemm"] > 0 and found["ceilings"]["copy"] > 0
    binding = side.net.binding
    assert len(found["steps"]) == len(binding.forward.steps) + len(binding.backward.steps) + 1
    update = found["steps"][-1]
    assert update["op"] == "sgd_update" and update["bytes"] == 20 * side.net.arena.data.size
    conv = next(s for s in found["steps"] if s["layer"] == "conv" and s["phase"] == "F")
    assert conv["flops"] >= 2 * 4 * 4 * 36 * 27 and conv["bytes"] >= 4 * (4 * 192 + 4 * 27 + 4 * 144) and conv["ms"] >= 0
    assert conv["op"].startswith("conv") and conv["impl"].startswith(side.facts["engine"])


def test_a_deploy_has_no_update(settings):
    side = Ours({**settings, "train": False, "profile": "wall"})
    assert {s["phase"] for s in side.profile({"count": 1})["steps"]} <= {"F", "pack", "reorder", "copy"}
