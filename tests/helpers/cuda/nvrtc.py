"""Compiles kernel texts for a GPU by NVRTC, which needs neither a GPU nor a driver."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def require() -> tuple[Any, str]:
    """(NVRTC's binding, the folder of CUDA's headers); skips the test where a part is missing."""
    nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-bindings is not installed: no kernel is compiled for a GPU")
    from cuda import pathfinder
    headers = pathfinder.find_nvidia_header_directory("cudart")
    if headers is None:
        pytest.skip("nvidia-cuda-runtime is not installed: NVRTC finds no cuda_fp16.h")
    try:
        nvrtc.nvrtcVersion()
    except RuntimeError as e:
        pytest.skip(f"nvidia-cuda-nvrtc is not installed: {e}")
    return nvrtc, headers


def supported() -> list[int]:
    """The architectures that this NVRTC compiles for, such as 80 and 90."""
    nvrtc, _ = require()
    return [int(a) for a in nvrtc.nvrtcGetSupportedArchs()[1]]


def compile_text(text: str, names: Sequence[str], arch: int, options: Sequence[str]) -> tuple[bytes, str, list[str]]:
    """(cubin, log, mangled name of each expression). The options are those that CuPy adds by itself, and the given ones."""
    nvrtc, headers = require()

    def checked(result: tuple[Any, ...]) -> Any:
        assert int(result[0]) == 0, nvrtc.nvrtcGetErrorString(result[0])[1]
        return result[1] if len(result) == 2 else result[1:]

    program = checked(nvrtc.nvrtcCreateProgram(text.encode(), b"kernel.cu", 0, [], []))
    for name in names:
        checked(nvrtc.nvrtcAddNameExpression(program, name.encode()))
    flags = [f"--gpu-architecture=sm_{arch}", "-ftz=true", "--device-as-default-execution-space", f"-I{headers}", *options]
    status = nvrtc.nvrtcCompileProgram(program, len(flags), [f.encode() for f in flags])
    log = b" " * checked(nvrtc.nvrtcGetProgramLogSize(program))
    checked(nvrtc.nvrtcGetProgramLog(program, log))
    said = log.decode().strip("\0\n ")
    assert int(status[0]) == 0, said
    cubin = b" " * checked(nvrtc.nvrtcGetCUBINSize(program))
    checked(nvrtc.nvrtcGetCUBIN(program, cubin))
    return cubin, said, [checked(nvrtc.nvrtcGetLoweredName(program, n.encode())).decode() for n in names]
