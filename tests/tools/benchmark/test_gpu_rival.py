"""PyTorch's side of the GPU bench: its modes that need no GPU train on the CPU."""
from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: there is nobody to compare with")
from benchmark.gpu_rival import GpuRival  # noqa: E402


@pytest.mark.parametrize("mode", ["eager", "channels_last"])
@pytest.mark.parametrize("precision", ["fp32", "tf32", "bf16"])
def test_an_iteration_trains(settings, mode, precision):
    side = GpuRival({**settings, "mode": mode, "precision": precision, "device": "cpu"})
    params = [p for group in side._optimizer.param_groups for p in group["params"]]
    before = [p.detach().clone() for p in params]
    assert float(side.iterate().detach()) > 0
    assert all(not torch.equal(a, b) for a, b in zip(before, params, strict=True))
    assert torch.backends.cuda.matmul.allow_tf32 == (precision == "tf32")
