"""A stand-in for libcuda: the functions that ask what GPUs there are."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any


class FakeDriver:
    """gpus: (name, sm, bytes) of each. cuda: what cuDriverGetVersion tells. status: what cuInit returns."""

    def __init__(self, gpus: Sequence[tuple[str, int, int]], cuda: int, status: int = 0) -> None:
        self._gpus, self._cuda, self._status = gpus, cuda, status

    def cuInit(self, flags: int) -> int:
        """A status."""
        return self._status

    def cuDeviceGetCount(self, found: Any) -> int:
        """Writes how many GPUs there are."""
        return _write(found, len(self._gpus))

    def cuDriverGetVersion(self, found: Any) -> int:
        """Writes 1000 major + 10 minor."""
        return _write(found, self._cuda)

    def cuDeviceGet(self, found: Any, number: int) -> int:
        """Writes the handle of a GPU, which is not its number."""
        return _write(found, 40 + number)

    def cuDeviceGetName(self, name: Any, size: int, device: int) -> int:
        """Writes the name."""
        name.value = self._gpus[device - 40][0].encode()[:size]
        return 0

    def cuDeviceTotalMem_v2(self, found: Any, device: int) -> int:
        """Writes bytes."""
        assert isinstance(found._obj, ctypes.c_size_t)
        return _write(found, self._gpus[device - 40][2])

    def cuDeviceGetAttribute(self, found: Any, which: int, device: int) -> int:
        """Writes a part of the compute capability."""
        return _write(found, {75: self._gpus[device - 40][1] // 10, 76: self._gpus[device - 40][1] % 10}[which])


def _write(found: Any, value: int) -> int:
    found._obj.value = value
    return 0
