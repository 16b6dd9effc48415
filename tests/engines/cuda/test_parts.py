"""The libraries of engine cuda: versions, or cost and fix of what is missing; CuPy is never imported."""
import importlib.metadata
import sys
from types import SimpleNamespace

import pytest

from caffempi.engines.cuda import blas, cudnn, parts
from caffempi.errors import EngineError


class Library:
    """The functions that tell versions."""

    def cublasGetProperty(self, which, found):
        found._obj.value = (13, 1, 4)[which]
        return 0

    def nvrtcVersion(self, major, minor):
        major._obj.value, minor._obj.value = 13, 5
        return 0

    def ncclGetVersion(self, found):
        found._obj.value = 23203
        return 0


@pytest.fixture
def installed(monkeypatch):
    """versions: distribution -> version, to be filled in."""
    versions = {}

    def version(name):
        if name not in versions:
            raise importlib.metadata.PackageNotFoundError(name)
        return versions[name]
    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setitem(sys.modules, "cupy", None)             # importing it fails
    return versions


def test_all_versions(monkeypatch, installed):
    installed.update({"cupy-cuda12x": "14.2.0", "nvidia-cudnn-frontend": parts.TRIED})
    monkeypatch.setattr(blas, "load", Library)
    monkeypatch.setattr(parts, "open_library", lambda name, files: Library())
    monkeypatch.setattr(cudnn, "load", lambda: SimpleNamespace(backend_version=lambda: 92801))
    assert {p.name: p.words for p in parts.parts()} == {
        "CuPy": "14.2.0 (cupy-cuda12x)", "NVRTC": "13.5", "cuBLAS": "13.1.4", "cuDNN": "9.28.1", "cuDNN frontend": "1.26.0",
        "NCCL": "2.32.3"}


def test_what_is_missing_says_what_it_costs_and_how_to_get_it(monkeypatch, installed):
    def missing(*_):
        raise EngineError("no")

    def no_file(*_):
        raise OSError("no")
    monkeypatch.setattr(blas, "load", missing)
    monkeypatch.setattr(cudnn, "load", missing)
    monkeypatch.setattr(parts, "open_library", no_file)
    found = parts.parts()
    assert [p.version for p in found] == [None] * 6
    for part, cost in zip(found, ("does not work", "cannot be compiled", "do not run", "slower", "unfolded", "over pinned"),
                          strict=True):
        assert part.words.startswith("missing; ") and cost in part.words and 'pip install "caffempi[cuda12]"' in part.words


def test_a_frontend_that_was_not_tried(monkeypatch, installed):
    installed["nvidia-cudnn-frontend"] = "1.32.0"
    part = next(p for p in parts.parts() if p.name == "cuDNN frontend")
    assert part.words == '1.32.0, not the 1.26.0 that is tried; pip install "nvidia-cudnn-frontend==1.26.0"'


def test_the_extras_pin_the_frontend_that_is_tried():
    from tests.helpers.mpirun import ROOT
    text = (ROOT / "pyproject.toml").read_text()
    assert text.count(f"nvidia-cudnn-frontend=={parts.TRIED}") == text.count("nvidia-cudnn-frontend==") == 3
