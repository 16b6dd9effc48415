"""Means of gradients over GPUs by NCCL, through CuPy: on the exchange stream, between events, without the host.

NCCL adds, then a kernel divides. Its own average would multiply each summand by 1 / size, which rounds otherwise than the
other exchanges do, and it cannot use the switches that add on the way.
"""
from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from caffempi.engines.base import Event, Operands
from caffempi.engines.cuda.bound import CudaKernel
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.rules.quotient import quotient
from caffempi.engines.peers import Peering, Peers
from caffempi.errors import EngineError

SWITCH = "CAFFEMPI_NCCL"
"""The variable that turns NCCL off where it is 0."""
_MODULE = "cupy.cuda.nccl"
_INSTALL = 'pip install "caffempi[cuda12]" or "caffempi[cuda13]", whichever the driver runs'
_FIX = f"NCCL_DEBUG=WARN makes NCCL say more; {SWITCH}=0 goes without it"
_FLOAT32, _SUM = 7, 0                                          # ncclFloat32, ncclSum: nccl.h


def load() -> Any:
    """CuPy's module. Raises EngineError where NCCL is missing or turned off."""
    if os.environ.get(SWITCH) == "0":
        raise EngineError(f"{SWITCH}=0 turns NCCL off")
    try:
        module = importlib.import_module(_MODULE)
        module.get_version()
    except Exception as e:                                     # without the library the module is empty, or cannot be imported
        raise EngineError(f"NCCL cannot be loaded ({_line(e)})", fix=_INSTALL) from None
    return module


def peering(device: Device) -> Peering:
    """This GPU, with NCCL's version or the reason against it."""
    place = str(device.cupy.cuda.Device().pci_bus_id)
    try:
        number = int(load().get_version())
    except EngineError as e:
        return Peering(place, why_not=str(e))
    return Peering(place, f"NCCL {number // 10000}.{number // 100 % 100}.{number % 100}")


def ticket() -> bytes:
    """NCCL's unique id. Raises EngineError where NCCL finds no way out of this machine."""
    try:
        return np.array(load().get_unique_id(), np.int8).tobytes()
    except Exception as e:                                     # CuPy's NcclError, which only its module knows
        raise EngineError(f"NCCL makes no group: {_line(e)}", fix=_FIX) from None


class NcclPeers(Peers):
    """A communicator on the exchange stream of a GPU; making one waits for the other ranks. Raises EngineError."""

    def __init__(self, device: Device, ticket: bytes, rank: int, size: int) -> None:
        self._device, self._size, self._stream = device, size, device.stream("exchange")
        self._divisions: dict[tuple[int, int], Callable[[], None]] = {}
        try:
            self._comm = load().NcclCommunicator(size, tuple(np.frombuffer(ticket, np.int8).tolist()), rank)
        except Exception as e:
            raise EngineError(f"NCCL joins no group: {_line(e)}", fix=_FIX) from None

    def mean(self, array: Any, ready: Event) -> Event:
        """Sums on the exchange stream once the event is passed there, then divides."""
        divide = self._division(array)
        ready.wait(self._stream)
        try:
            self._comm.allReduce(array.data.ptr, array.data.ptr, array.size, _FLOAT32, _SUM, self._stream.ptr)
        except Exception as e:
            raise EngineError(f"NCCL sums nothing: {_line(e)}", fix=_FIX) from None
        divide()
        there = self._device.event()
        there.record(self._stream)
        return there

    def _division(self, array: Any) -> Callable[[], None]:
        """What divides that array by the number of ranks; made once."""
        key = array.data.ptr, array.size
        if key not in self._divisions:
            job = quotient(array.size, self._size)
            functions = {n.expression: self._device.modules.kernel(n.file, n.expression, "float32") for n in job.launches}
            self._divisions[key] = CudaKernel(self._device, job, functions, "a mean", stream=self._stream).bind(
                Operands((), (array,)))
        return self._divisions[key]

    def check(self) -> None:
        """Raises EngineError where NCCL has met an error since."""
        try:
            self._comm.check_async_error()
        except Exception as e:
            raise EngineError(f"NCCL fails: {_line(e)}", fix=_FIX) from None

    def abort(self) -> None:
        """Kernels that wait for a rank which is gone come to their end."""
        with self._device.here():
            self._comm.abort()

    def close(self) -> None:
        """Waits for the exchange stream."""
        self._stream.synchronize()
        self._comm.destroy()


def _line(error: Exception) -> str:
    return " ".join(f"{error}".split()) or type(error).__name__
