"""Our side of the GPU bench over the stand-ins: trains, and tells milliseconds and memory."""
from __future__ import annotations

from types import SimpleNamespace

import pytest
from benchmark.gpu_ours import GpuOurs

from tests.helpers.cuda import standin
from tests.helpers.cuda.hostrun import needs_compiler


@needs_compiler
def test_a_profile_trains_and_times_by_events(settings, monkeypatch):
    device = standin.install(monkeypatch)
    monkeypatch.setenv("CAFFEMPI_ENGINE", "cuda")
    side = GpuOurs(settings)
    cuda = side._gpu.cupy.cuda
    monkeypatch.setattr(cuda, "get_elapsed_time", lambda a, b: 8.0 if a.done and b.done else None, raising=False)
    monkeypatch.setattr(cuda, "runtime", SimpleNamespace(memGetInfo=lambda: (3, 10)), raising=False)
    before = side.net.params["ip"][0].data.copy()
    assert side.profile({"count": 2}) == {"ms": 4.0, "memory": 7}
    assert not (side.net.params["ip"][0].data == before).all() and device.capturing is None


def test_another_engine_is_refused(settings, monkeypatch):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "numpy")
    with pytest.raises(ValueError, match="engine numpy does not compute on a GPU"):
        GpuOurs(settings)
