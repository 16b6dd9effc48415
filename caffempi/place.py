"""Alone or one of many? The launcher's environment tells, before any library of MPI is loaded.

Open MPI's mpirun sets OMPI_COMM_WORLD_*, MPICH's and Intel's PMI_* and MPI_LOCALNRANKS, srun PMI_* or PMIX_RANK with
SLURM_*. A process that none of them has started is alone.
"""
from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from caffempi.errors import ExchangeError

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


def _number(env: Mapping[str, str], names: tuple[str, ...]) -> int | None:
    for name in names:
        if name in env:
            try:
                return int(env[name])
            except ValueError:
                raise ExchangeError(f"environment variable {name} = {env[name]!r} is not a number") from None
    return None
