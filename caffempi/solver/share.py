"""What ranks must have in common beyond the params, built from the one collective that an exchange offers for it: totals."""
from __future__ import annotations

import os
import time
from typing import NoReturn

import numpy as np

from caffempi.errors import CaffempiError, SolverError
from caffempi.solver.exchange import Exchange

FAILED = 4                                                     # a bit of the vote beside STOP and SNAPSHOT


class AgreedError(SolverError):
    """The fault of one rank, raised by all of them at the same point with the same words: one telling is enough."""


def share_bytes(exchange: Exchange, data: bytes | None, root: int = 0) -> bytes:
    """The root's bytes, on every rank; the others' `data` is not looked at. Meant for short texts and messages."""
    mine = data if exchange.rank == root and data is not None else b""
    size = int(exchange.totals(np.array([float(len(mine))]))[0])
    vector = np.zeros(size)
    vector[:len(mine)] = np.frombuffer(mine, np.uint8)
    return exchange.totals(vector).astype(np.uint8).tobytes()


def share_seed(exchange: Exchange, random_seed: int) -> int:
    """The seed of everything: rank 0's random_seed, or where that is negative one drawn from its clock."""
    seed = random_seed if random_seed >= 0 else (time.time_ns() ^ os.getpid() << 20) & 0x7FFFFFFF
    return int(share_bytes(exchange, str(seed).encode()))


def agreed(exchange: Exchange, error: CaffempiError) -> CaffempiError:
    """An error that all ranks have found alike, marked as such; of a rank alone it stays as it is."""
    return error if exchange.size == 1 else AgreedError(str(error))


def raise_first(exchange: Exchange, error: CaffempiError | None) -> NoReturn:
    """Raises the error of the first rank that has one on every rank; at least one must have one. Collective.

    The text names the rank, unless all have failed.
    """
    failed = np.zeros(exchange.size)
    failed[exchange.rank] = error is not None
    failed = exchange.totals(failed)
    first = int(np.argmax(failed))
    told = share_bytes(exchange, str(error).encode(), first).decode()
    if error is None or exchange.size > 1:
        error = AgreedError(told if failed.all() else f"rank {first}: {told}")
    raise error


def agree(exchange: Exchange, error: CaffempiError | None) -> None:
    """Goes on where no rank has an error, else raises it on every rank. Collective; so nobody waits for a rank that failed."""
    if exchange.vote(FAILED if error is not None else 0) & FAILED:
        raise_first(exchange, error)
