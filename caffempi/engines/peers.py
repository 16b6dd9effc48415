"""Means over the arrays of several processes that their devices compute among themselves, past the memory of the hosts."""
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from caffempi.errors import EngineError

if TYPE_CHECKING:
    from caffempi.engines.base import Event


class Peering(NamedTuple):
    """What a process says of itself before its device meets others.

    device: a name that no other device of its machine has, "" for a CPU. library: what would move the numbers, with its
    version. why_not: why its device cannot take part; "" where it can.
    """

    device: str = ""
    library: str = ""
    why_not: str = ""


class Peers(Protocol):
    """This process's device among those of others. All processes ask for the same means in the same order."""

    def mean(self, array: np.ndarray, ready: Event) -> Event:
        """Replaces a flat array by its mean over the processes, (sum) / size, the same bits everywhere: after `ready` has
        been passed, and without the host, which goes on at once. What is returned is passed when the mean is there.
        Raises EngineError where it cannot be started."""

    def check(self) -> None:
        """Raises EngineError where something has failed meanwhile. From any thread."""

    def abort(self) -> None:
        """Gives up what is under way and all that would follow, because a process is gone. From any thread."""

    def close(self) -> None:
        """Lets go of the library once all that was asked for is done; idempotent."""


class PeerAccess:
    """The part of an engine that is for other processes. Here: of an engine whose arrays the host can send by itself."""

    name: str = ""

    def peering(self) -> Peering:
        """What the engine says of its device; asks no other process."""
        return Peering()

    def ticket(self) -> bytes:
        """What one process makes, and all of a group hand to `join`. Raises EngineError."""
        raise EngineError(f"engine {self.name} joins no group")

    def join(self, ticket: bytes, rank: int, size: int) -> Peers:
        """Becomes number `rank` of a group of `size`: all of them call this, and wait for each other. Raises EngineError."""
        raise EngineError(f"engine {self.name} joins no group")
