"""What NVIDIA's driver says of this machine's GPUs, asked through its C interface: so a run on a CPU loads no CuPy.

Source of names and numbers: the CUDA driver API's documentation (cuInit, cuDeviceGetAttribute 75 and 76).
"""
from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

from caffempi.errors import EngineError, UsageError

_LIBRARY = "libcuda.so.1"
_PROC = Path("/proc/driver/nvidia")
_MAJOR, _MINOR = 75, 76
_WORDS = {100: "there is no GPU, or CUDA_VISIBLE_DEVICES hides all", 803: "driver and kernel module are of different versions",
          804: "the driver is too old for the CUDA compatibility package", 999: "the kernel module does not answer"}


class Gpu(NamedTuple):
    """name; capability: (9, 0) for sm_90; memory: bytes."""

    name: str
    capability: tuple[int, int]
    memory: int

    @property
    def words(self) -> str:
        """One line."""
        major, minor = self.capability
        return f"{self.name}, compute capability {major}.{minor}, {self.memory / 2**30:.1f} GiB"


class Driver(NamedTuple):
    """cuda: the newest CUDA that the driver runs, (13, 0); gpus: those that CUDA_VISIBLE_DEVICES leaves, at least one."""

    cuda: tuple[int, int]
    gpus: tuple[Gpu, ...]


def load() -> Any:
    """The driver's library. Raises OSError."""
    return ctypes.CDLL(_LIBRARY)


def ask() -> Driver:
    """The GPUs. Raises EngineError where there are none, or no driver."""
    try:
        library = load()
    except OSError:
        raise EngineError(f"engine cuda finds no NVIDIA driver ({_LIBRARY})") from None
    status = library.cuInit(0)
    count = ctypes.c_int(0)
    status = status or library.cuDeviceGetCount(ctypes.byref(count))
    if status or not count.value:
        raise EngineError(f"engine cuda finds no GPU: {_WORDS.get(status or 100, f'the driver says {status}')}")
    newest = _int(library.cuDriverGetVersion)
    return Driver((newest // 1000, newest % 1000 // 10), tuple(_gpu(library, k) for k in range(count.value)))


def _gpu(library: Any, number: int) -> Gpu:
    device = _int(library.cuDeviceGet, number)
    name, memory = ctypes.create_string_buffer(128), ctypes.c_size_t(0)
    library.cuDeviceGetName(name, len(name), device)
    library.cuDeviceTotalMem_v2(ctypes.byref(memory), device)
    major, minor = (_int(library.cuDeviceGetAttribute, which, device) for which in (_MAJOR, _MINOR))
    return Gpu(name.value.decode(errors="replace"), (major, minor), memory.value)


def _int(function: Any, *args: int) -> int:
    """The number that a function of the driver writes to its first argument. Raises EngineError where it fails."""
    found = ctypes.c_int(0)
    status = function(ctypes.byref(found), *args)
    if status:
        raise EngineError(f"the NVIDIA driver fails with status {status}", fix="see whether nvidia-smi works")
    return found.value


def version(folder: Path = _PROC) -> str:
    """The driver's own version, such as 580.65.06; "unknown" where the kernel module does not tell it."""
    try:
        found = re.search(r"\s(\d+\.\d+(?:\.\d+)?)\s", (folder / "version").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        found = None
    return found[1] if found else "unknown"


def listed(folder: Path = _PROC) -> int:
    """How many GPUs the kernel module lists, found without starting the driver (which reads CUDA_VISIBLE_DEVICES when it
    starts, and never again)."""
    try:
        return sum(1 for _ in (folder / "gpus").iterdir())
    except OSError:
        return 0


def visible_gpus(env: Mapping[str, str]) -> list[str]:
    """The GPUs that CUDA_VISIBLE_DEVICES leaves, as it names them; [] where it says nothing."""
    return [v for v in env.get("CUDA_VISIBLE_DEVICES", "").split(",") if v]


def see_only(index: int, env: MutableMapping[str, str]) -> None:
    """Makes this process see one GPU alone: that of the index among those that CUDA_VISIBLE_DEVICES leaves. Before the driver
    starts. Raises UsageError where there is none of that index."""
    visible = visible_gpus(env)
    if index < 0 or (visible and index >= len(visible)):
        leaves = f"; CUDA_VISIBLE_DEVICES leaves {len(visible)}" if visible else ""
        raise UsageError(f"there is no GPU {index}{leaves}", fix="GPUs count from 0; caffempi device_query names them")
    env["CUDA_VISIBLE_DEVICES"] = visible[index] if visible else str(index)
