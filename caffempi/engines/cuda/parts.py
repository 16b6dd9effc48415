"""The libraries that engine cuda stands on: which are here, in which version, and what a missing one costs.

Nothing of CuPy is imported: distributions tell their versions by themselves, libraries through their C interfaces.
"""
from __future__ import annotations

import ctypes
import importlib.metadata
from collections.abc import Callable
from typing import NamedTuple

from caffempi.engines.cuda import blas, cudnn
from caffempi.engines.cuda.libraries import open_library
from caffempi.errors import EngineError

_INSTALL = 'pip install "caffempi[cuda12]" or "caffempi[cuda13]", whichever the driver runs'
_CUPY = ("cupy-cuda13x", "cupy-cuda12x", "cupy")
_FRONTEND = "nvidia-cudnn-frontend"
TRIED = "1.26.0"
"""The frontend's version that the engine is written for."""


class Part(NamedTuple):
    """A library. version: None where it is missing; words: the version, or what its lack costs and the fix, on one line."""

    name: str
    version: str | None
    words: str


def parts() -> list[Part]:
    """All of them."""
    return [_part("CuPy", _cupy, "engine cuda does not work"), _part("NVRTC", _nvrtc, "kernels cannot be compiled"),
            _part("cuBLAS", _cublas, "products of matrices, and nets with any, do not run"),
            _part("cuDNN", _cudnn, "convolutions are unfolded and multiplied by cuBLAS, which is slower and takes more memory"),
            _part("cuDNN frontend", _frontend, "cuDNN is not used: convolutions are unfolded"),
            _part("NCCL", _nccl, "ranks exchange gradients over pinned memory of the host and MPI")]


def _part(name: str, find: Callable[[], str], cost: str) -> Part:
    try:
        version = find()
    except (EngineError, OSError, AttributeError, importlib.metadata.PackageNotFoundError):
        return Part(name, None, f"missing; {cost}; {_INSTALL}")
    if name == "cuDNN frontend" and version != TRIED:
        return Part(name, version, f'{version}, not the {TRIED} that is tried; pip install "{_FRONTEND}=={TRIED}"')
    return Part(name, version, version)


def _cupy() -> str:
    for name in _CUPY:
        try:
            return f"{importlib.metadata.version(name)} ({name})"
        except importlib.metadata.PackageNotFoundError:
            continue
    raise EngineError("no CuPy")


def _frontend() -> str:
    return importlib.metadata.version(_FRONTEND)


def _cudnn() -> str:
    number = int(cudnn.load().backend_version())
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _cublas() -> str:
    function, found = blas.load().cublasGetProperty, []
    for which in range(3):                                     # major, minor, patch
        value = ctypes.c_int(0)
        if function(which, ctypes.byref(value)):
            raise EngineError("cuBLAS does not tell its version")
        found.append(str(value.value))
    return ".".join(found)


def _nvrtc() -> str:
    major, minor = ctypes.c_int(0), ctypes.c_int(0)
    if open_library("nvrtc", ("libnvrtc.so.13", "libnvrtc.so.12")).nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)):
        raise EngineError("NVRTC does not tell its version")
    return f"{major.value}.{minor.value}"


def _nccl() -> str:
    value = ctypes.c_int(0)
    if open_library("nccl", ("libnccl.so.2",)).ncclGetVersion(ctypes.byref(value)):
        raise EngineError("NCCL does not tell its version")
    return f"{value.value // 10000}.{value.value // 100 % 100}.{value.value % 100}"
