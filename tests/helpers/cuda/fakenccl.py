"""A stand-in for cupy.cuda.nccl over MPI: sums that the streams of the stand-in for CuPy come to some time.

While a sum is under way its array is NaN: what is read too early is seen. Faults are made by setting `missing`, `refuses`
and `broken`.
"""
from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Protocol

import numpy as np

from tests.helpers.cuda.fakestream import FakeDevice, FakeStream

ID_BYTES, FLOAT32, SUM = 128, 7, 0


class NcclError(RuntimeError):
    """CuPy's NcclError."""


class World(Protocol):
    """The other ranks. Calls may come from two threads."""

    def meet(self, ticket: bytes, rank: int, size: int) -> None:
        """Waits for all; all must bring the same ticket."""

    def gather(self, own: np.ndarray) -> Callable[[], np.ndarray | None]:
        """Starts; what is returned gives the rows of all in rank order, None before they are there."""


class MpiWorld:
    """The ranks of MPI, on a communicator of their own."""

    def meet(self, ticket: bytes, rank: int, size: int) -> None:
        """A collective call."""
        from mpi4py import MPI
        self._comm = MPI.COMM_WORLD.Dup()
        assert (self._comm.rank, self._comm.size) == (rank, size)
        assert set(self._comm.allgather(ticket)) == {ticket}

    def gather(self, own: np.ndarray) -> Callable[[], np.ndarray | None]:
        """By MPI_Iallgather."""
        table = np.empty((self._comm.size, own.size), own.dtype)
        request = self._comm.Iallgather(own, table)
        return lambda: table if request.Test() else None


class _Sum:
    """One sum under way in a stream."""

    def __init__(self, comm: FakeCommunicator, array: np.ndarray) -> None:
        self._comm, self._array = comm, array
        self._rows: Callable[[], np.ndarray | None] | None = None

    def advance(self) -> bool:
        """Starts, and later writes the sum of all rows, in rank order."""
        if self._comm.given_up:
            return True
        if self._rows is None:
            self._own = self._array.copy()
            self._array[...] = np.nan
            self._rows = self._comm.world.gather(self._own)
        table = self._rows()
        if table is None:
            return False
        self._array[...] = table[0]
        for row in table[1:]:
            self._array += row
        self._comm.under_way -= 1
        return True


class FakeCommunicator:
    """cupy.cuda.nccl.NcclCommunicator: arguments of exact kinds, one stream, nothing after abort or destroy."""

    def __init__(self, module: FakeNccl, ndev: int, commId: tuple[int, ...], rank: int) -> None:
        if module.refuses:
            raise NcclError("NCCL_ERROR_SYSTEM_ERROR: unhandled system error")
        if type(commId) is not tuple or len(commId) != ID_BYTES or not all(type(c) is int and -128 <= c < 128 for c in commId):
            raise TypeError("commId must be a tuple of 128 chars")
        self._module, self.world = module, module.world
        self.world.meet(np.array(commId, np.int8).tobytes(), rank, ndev)
        self._stream: FakeStream | None = None
        self.given_up, self.under_way = False, 0

    def allReduce(self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int, stream: int) -> None:
        """Gives the stream a sum, in place."""
        if any(type(a) is not int for a in (sendbuf, recvbuf, count, datatype, op, stream)):
            raise TypeError("an integer is required")
        if self.given_up or (datatype, op) != (FLOAT32, SUM) or sendbuf != recvbuf:
            raise NcclError("NCCL_ERROR_INVALID_ARGUMENT: invalid argument")
        device = self._module.device
        device.refuse_capture("a sum of the stand-in for NCCL")
        at = device.stream_at(stream)
        assert self._stream in (None, at), "one communicator, one stream: else the order of sums could differ between ranks"
        self._stream = at
        memory = next(m for m in device.memories if m.ptr <= recvbuf and recvbuf + 4 * count <= m.ptr + m.size)
        self.under_way += 1
        at.push("sum", _Sum(self, memory.view(recvbuf - memory.ptr, (count,), np.dtype(np.float32))))

    def check_async_error(self) -> None:
        """Raises what has gone wrong since."""
        if self._module.broken or self.given_up:
            raise NcclError("NCCL_ERROR_REMOTE: remote process exited or there was a network error")

    def abort(self) -> None:
        """Sums end at once, whatever they have come to."""
        self.given_up = True

    def destroy(self) -> None:
        """The good end."""
        assert self.given_up or not self.under_way, "destroyed while sums are under way"
        self.given_up = True


class FakeNccl(ModuleType):
    """The module. missing: the library is not there; refuses: no group can be joined; broken: an error since."""

    def __init__(self, device: FakeDevice, world: World) -> None:
        super().__init__("cupy.cuda.nccl")
        self.device, self.world = device, world
        self.missing = self.refuses = self.broken = False
        self.version = 22707

    def get_version(self) -> int:
        """10000 major + 100 minor + patch."""
        if self.missing:
            raise AttributeError("module 'cupy.cuda.nccl' has no attribute 'get_version'")
        return self.version

    def get_unique_id(self) -> tuple[int, ...]:
        """128 chars."""
        return tuple(range(-64, 64))

    def NcclCommunicator(self, ndev: int, commId: tuple[int, ...], rank: int) -> FakeCommunicator:
        """Joins the group."""
        return FakeCommunicator(self, ndev, commId, rank)
