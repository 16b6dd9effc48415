"""Alone or one of many? The launcher's environment tells, so that mpi4py is imported only where there are other ranks.

Open MPI's mpirun sets OMPI_COMM_WORLD_*, MPICH's and Intel's PMI_* and MPI_LOCALNRANKS, srun PMI_* or PMIX_RANK with
SLURM_*. A process that none of them has started is alone.
"""
from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from caffempi.errors import ExchangeError
from caffempi.exchange.stall import Limits
from caffempi.solver.exchange import Exchange, LocalExchange

_RANK = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
_SIZE = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS")
_LOCAL_RANK = ("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID")
_LOCAL_SIZE = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS")


@dataclass(frozen=True)
class Place:
    """Where a launcher has put this process. size: 0 if only MPI knows; local_*: among the ranks of this host."""

    rank: int = 0
    size: int = 1
    local_rank: int = 0
    local_size: int = 1
    host: str = ""


def place(env: Mapping[str, str] | None = None) -> Place:
    """Reads the launcher's variables (default: of this process). Raises ExchangeError for one that is no number."""
    env = os.environ if env is None else env
    host = socket.gethostname()
    rank = _number(env, _RANK)
    if rank is None:
        return Place(host=host)
    return Place(rank, _number(env, _SIZE) or 0, _number(env, _LOCAL_RANK) or 0, _number(env, _LOCAL_SIZE) or 1, host)


def make_exchange(env: Mapping[str, str] | None = None, *, stall_warning: float = Limits.warning,
                  stall_abort: float = Limits.abort) -> Exchange:
    """The exchange of this process: LocalExchange where it is alone, else MpiExchange (then a collective call).

    Raises ExchangeError where there are other ranks but mpi4py is missing, or mpirun and mpi4py are of two MPIs.
    """
    here = place(env)
    if here.size == 1:
        return LocalExchange()
    from caffempi.exchange.mpi import MpiExchange
    try:
        exchange = MpiExchange(stall_warning, stall_abort)
    except ExchangeError as error:
        raise error.at(where=f"rank {here.rank} of {here.size or 'several'} on {here.host}") from None
    if here.size and exchange.size != here.size:
        exchange.close()
        raise ExchangeError(f"the launcher started {here.size} processes, but MPI sees {exchange.size}",
                            fix="use the mpirun of the MPI that mpi4py uses (python -m mpi4py --mpi-library names it)")
    return exchange


def _number(env: Mapping[str, str], names: tuple[str, ...]) -> int | None:
    for name in names:
        if name in env:
            try:
                return int(env[name])
            except ValueError:
                raise ExchangeError(f"environment variable {name} = {env[name]!r} is not a number") from None
    return None
