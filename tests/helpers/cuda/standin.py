"""The cuda engine over stand-ins for CuPy, cuBLAS, cuDNN's frontend and NCCL: all of its host code runs, on NumPy memory.

With `pytest -m gpu` nothing stands in, and the same tests run on the GPU: see `chosen.py`.
"""
from __future__ import annotations

import sys
from typing import Any

import pytest

from caffempi.engines.cuda import blas, cudnn
from caffempi.engines.cuda.device import device_of
from caffempi.errors import EngineError
from tests.helpers.cuda.chosen import on_device
from tests.helpers.cuda.fakeblas import FakeBlas
from tests.helpers.cuda.fakecudnn import FakeCudnn
from tests.helpers.cuda.fakecupy import make_cupy
from tests.helpers.cuda.fakenccl import FakeNccl, World


def install(monkeypatch: pytest.MonkeyPatch, seed: int = 0, with_cudnn: bool = True, nccl: World | None = None) -> Any:
    """Puts the stand-ins in place until the test's end; returns the device. seed: of the order in which streams advance;
    nccl: the ranks that NCCL is to find (default: there is no NCCL).

    On a GPU only cuDNN's absence is put in place, and None is returned.
    """
    if on_device():
        device_of.cache_clear()                                # each test has streams and libraries of its own
        if not with_cudnn:
            monkeypatch.setattr(cudnn, "load", _lacking)
        return None
    cupy = make_cupy(seed)
    device = cupy.fake
    device.blas = FakeBlas(device)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(blas, "load", lambda: device.blas)
    device.nccl = None if nccl is None else FakeNccl(device, nccl)
    monkeypatch.setitem(sys.modules, "cupy.cuda.nccl", device.nccl)
    monkeypatch.setattr(cudnn, "load", (lambda: FakeCudnn(device)) if with_cudnn else _lacking)
    return device


def _lacking() -> Any:
    raise EngineError("no cuDNN")
