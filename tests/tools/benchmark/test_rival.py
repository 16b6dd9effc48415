"""PyTorch's side trains and infers in its modes."""
from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: there is nobody to compare with")
from benchmark.rival import MODES, Rival  # noqa: E402


def params(side):
    return [p.detach().clone() for group in side._optimizer.param_groups for p in group["params"]]


@pytest.mark.parametrize("mode", ["eager", "channels_last"])
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_an_iteration_trains(settings, mode, precision):
    side = Rival({**settings, "mode": mode, "precision": precision})
    before = params(side)
    side.iterate()
    assert all(not torch.equal(a, b) for a, b in zip(before, params(side), strict=True))
    assert side.facts["params"] == 837 and side.facts["optimizer"] in ("foreach", "fused")
    (group,) = side._optimizer.param_groups
    assert group["foreach"] != group["fused"] and group["momentum"] == 0.9 and group["weight_decay"] == 5e-4


@pytest.mark.parametrize("mode", ["eager", "channels_last"])
def test_inference_leaves_no_gradients(settings, mode):
    side = Rival({**settings, "mode": mode, "train": False})
    loss = side.iterate()
    assert not loss.requires_grad


@pytest.mark.slow
@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("mode", [m for m in MODES if "compile" in m])
def test_compiled_modes(settings, mode, train):
    side = Rival({**settings, "mode": mode, "train": train})
    assert float(side.iterate()) > 0


def test_it_has_no_steps(settings):
    with pytest.raises(ValueError, match="no steps"):
        Rival({**settings, "mode": "eager"}).profile({})
