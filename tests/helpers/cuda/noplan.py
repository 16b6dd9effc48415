"""Plans convolutions by the real cuDNN where there is no GPU: a driver that does nothing, properties of a device as JSON.

As a program: reads [[sm, fields of a Conv], ...] as JSON and prints, one a line, the workspace or the reason against it. It
runs as a process of its own, since the driver must be found before anything else is loaded.
"""
from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from caffempi.engines.cuda.conv import Conv
from caffempi.engines.cuda.cudnn import Cudnn, load
from caffempi.errors import EngineError
from tests.helpers.cuda.build import NO_COMPILER, compiler

DRIVER = [
    "GetErrorString", "ModuleGetFunction", "ModuleLoadData", "ModuleUnload", "TensorMapEncodeIm2col", "TensorMapEncodeTiled",
    "GetErrorName", "CtxGetCurrent", "CtxGetLimit", "CtxPushCurrent", "CtxPopCurrent", "KernelGetAttribute",
    "KernelSetAttribute", "KernelGetFunction", "LaunchKernel", "LaunchKernelEx", "LaunchCooperativeKernel", "LibraryLoadData",
    "LibraryLoadFromFile", "LibraryUnload", "LibraryGetKernel", "LinkCreate", "LinkAddData", "LinkComplete", "LinkDestroy",
    "OccupancyMaxPotentialClusterSize", "StreamGetCtx", "DeviceGetCount", "DeviceGet", "Init",
]
NO_DEVICE = 100
ROOT = Path(__file__).resolve().parents[3]


def require() -> None:
    """Skips the test where the wheels of cuDNN or a compiler are missing."""
    if importlib.util.find_spec("cudnn") is None or not libraries():
        pytest.skip('cuDNN is not installed: nothing is planned (pip install ".[test-gpu-plan]")')
    if compiler() is None:
        pytest.skip(NO_COMPILER)


def libraries() -> list[Path]:
    """The folders of NVIDIA's libraries that pip installed."""
    found = importlib.util.find_spec("nvidia")
    folders = list(found.submodule_search_locations or ()) if found is not None else []
    return sorted({lib.parent for folder in folders for lib in Path(folder).glob("*/lib/*.so*")})


def properties(sm: int) -> str:
    """A device of that kind, as large ones are."""
    return json.dumps({
        "cudaDeviceId": 0, "deviceVer": sm * 10, "driverVer": 13000, "deviceName": "none", "isTccDriver": 0,
        "l2CacheSize": 50 << 20, "maxCtasPerSM": 32, "maxRegistersPerSM": 65536, "maxSharedMemoryPerBlock": 48 << 10,
        "maxSharedMemoryPerBlockOptin": 227 << 10, "maxThreadsPerBlock": 1024, "maxThreadsPerSM": 2048,
        "memClockRateKHz": 2600000, "memoryBusWidth": 5120, "multiProcessorCount": 132, "pciDeviceId": 0, "regsPerBlock": 65536,
        "reservedSharedMemoryPerBlock": 1024, "smClockRateKHz": 1980000, "smCountOrigin": 0, "supportCoopLaunch": 1,
        "totalGlobalMem": 80 << 30, "warpSize": 32, "maxGridSize": [2**31 - 1, 65535, 65535], "maxBlockSize": [1024, 1024, 64]})


def plan_all(asked: Sequence[tuple[int, Conv]], folder: Path) -> list[int | str]:
    """For each (sm, convolution) the bytes of workspace of its plan, or why there is none."""
    command = compiler()
    assert command is not None
    text = "".join(f"int cu{name}(void) {{ return {NO_DEVICE}; }}\n" for name in DRIVER)
    text += "int cuDriverGetVersion(int* v) { *v = 13000; return 0; }\n"
    source = folder / "driver.c"
    source.write_text(text)
    subprocess.run([*command, "-x", "c", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", str(folder / "libcuda.so.1"),
                    str(source)], check=True, capture_output=True)
    path = os.pathsep.join(map(str, [folder, *libraries()]))
    done = subprocess.run([sys.executable, "-m", "tests.helpers.cuda.noplan"], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": path, "PYTHONPATH": str(ROOT)},
                          input=json.dumps([[sm, astuple(conv)] for sm, conv in asked]))
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """The program."""
    cudnn: Any = load()
    devices: dict[int, Cudnn] = {}
    for sm, fields in json.load(sys.stdin):
        if sm not in devices:
            devices[sm] = Cudnn(cudnn, {"device_property": cudnn.create_device_properties(properties(sm)), "sm_version": sm})
        conv = Conv(*(tuple(f) if isinstance(f, list) else f for f in fields))
        try:
            print(json.dumps(devices[sm].plan(conv).workspace))
        except EngineError as e:
            print(json.dumps(str(e)))


if __name__ == "__main__":
    main()
