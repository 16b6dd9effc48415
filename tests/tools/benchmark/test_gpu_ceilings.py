"""What a GPU can do, over the stand-ins: rates follow from the time between events, products are those asked for."""
from __future__ import annotations

import pytest
from benchmark import gpu_ceilings

from caffempi.engines.choose import make_engine
from tests.helpers.cuda import standin


def test_rates_follow_from_the_time_of_one_run(monkeypatch):
    device = standin.install(monkeypatch)
    gpu = make_engine("cuda").gpu
    found = gpu_ceilings.measure(gpu, 16, 1000)
    assert found["copy"] == pytest.approx(2e3 * 1000)           # a piece of work takes the stand-in a millisecond
    assert [found[p] for p in ("fp32", "tf32", "fp16", "bf16")] == pytest.approx([2e3 * 16**3] * 4)
    asked = {(p["types"], p["compute"], p["m"], p["n"], p["k"]) for p in device.blas.products}
    assert asked == {((kind, kind), compute, 16, 16, 16) for kind, compute in ((0, 68), (0, 77), (2, 68), (14, 68))}
    assert device.blas.error is None


def test_a_run_is_the_mean_of_all(monkeypatch):
    standin.install(monkeypatch)
    gpu = make_engine("cuda").gpu
    array = gpu.alloc(64)

    def twice():
        for _ in range(2):
            array.data.memset_async(0, 64, gpu.compute)
    assert gpu_ceilings.elapsed(gpu, twice, 5) == 2
