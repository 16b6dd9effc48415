"""Our side of the GPU bench over the stand-ins: trains, and tells milliseconds, memory, steps and what the GPU can do."""
from __future__ import annotations

import pytest
from benchmark.gpu_ours import GpuOurs

from tests.helpers.cuda import standin
from tests.helpers.cuda.hostrun import needs_compiler


@pytest.fixture
def side(settings, monkeypatch):
    standin.install(monkeypatch)
    monkeypatch.setenv("CAFFEMPI_ENGINE", "cuda")
    return GpuOurs(settings)


@needs_compiler
def test_a_profile_trains_and_times_by_events(side):
    before = side.net.params["ip"][0].data.copy()
    answer = side.profile({"count": 2})
    device = side._gpu.cupy.fake
    assert 10 < answer["ms"] < 60                               # the stand-in's millisecond is a piece of work
    assert answer["memory"] == sum(memory.size for memory in device.memories)
    assert not (side.net.params["ip"][0].data == before).all() and device.capturing is None


@needs_compiler
def test_steps_are_timed_each_between_two_events(side):
    rows = side.profile({"steps": 3})["steps"]
    ops = [row["op"] for row in rows]
    assert {"conv+relu", "conv_dw", "softmax_nll"} <= set(ops) and ops[-1] == "sgd_update"
    assert {row["phase"] for row in rows} >= {"F", "B", "update"}
    assert all(row["ms"] >= 1 for row in rows if row["phase"] in ("F", "B"))
    assert sum(row["flops"] for row in rows) > 0
    assert side.profile({"steps": 1})["steps"][0].keys() == {"phase", "layer", "op", "impl", "ms", "flops", "bytes"}


@needs_compiler
def test_ceilings_are_rates(side):
    assert set(side.profile({"ceilings": True, "sizes": [16, 4096]})) == {"copy", "fp32", "tf32", "fp16", "bf16"}


def test_another_engine_is_refused(settings, monkeypatch):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "numpy")
    with pytest.raises(ValueError, match="engine numpy does not compute on a GPU"):
        GpuOurs(settings)
