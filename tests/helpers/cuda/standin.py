"""The cuda engine over stand-ins for CuPy, cuBLAS, cuDNN's frontend and NCCL: all of its host code runs, on NumPy memory."""
from __future__ import annotations

import sys
from typing import Any

import pytest

from caffempi.engines.cuda import blas, cudnn
from caffempi.errors import EngineError
from tests.helpers.cuda.fakeblas import FakeBlas
from tests.helpers.cuda.fakecudnn import FakeCudnn
from tests.helpers.cuda.fakecupy import make_cupy
from tests.helpers.cuda.fakenccl import FakeNccl, World


def install(monkeypatch: pytest.MonkeyPatch, seed: int = 0, with_cudnn: bool = True, nccl: World | None = None) -> Any:
    """Puts the stand-ins in place until the test's end; returns the device. seed: of the order in which streams advance;
    nccl: the ranks that NCCL is to find (default: there is no NCCL)."""
    cupy = make_cupy(seed)
    device = cupy.fake
    device.blas = FakeBlas(device)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(blas, "load", lambda: device.blas)
    device.nccl = None if nccl is None else FakeNccl(device, nccl)
    monkeypatch.setitem(sys.modules, "cupy.cuda.nccl", device.nccl)

    def frontend() -> Any:
        if not with_cudnn:
            raise EngineError("no cuDNN")
        return FakeCudnn(device)
    monkeypatch.setattr(cudnn, "load", frontend)
    return device
