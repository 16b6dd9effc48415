"""What is said about a wait that takes too long, and when.

After `warning` seconds in one operation the exchange thread asks all peers how far they are (their exchange threads
answer even while their main threads compute), then says who is missing; again after each further `warning` seconds;
after `abort` seconds the run ends with the same words as an error.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from caffempi.exchange.agree import ranks_text

ANSWER = 1.0                                                   # seconds that peers have to say how far they are


@dataclass(frozen=True)
class Limits:
    """Seconds in one operation until a warning, and until the run ends."""

    warning: float = 60.0
    abort: float = 600.0


class Patience:
    """One wait's clock. started: when it began, in seconds."""

    def __init__(self, limits: Limits, started: float) -> None:
        self._limits, self.started = limits, started
        self._asked, self._due = False, started + limits.warning

    def turn(self, now: float) -> str:
        """What is due: "ask" (the peers, how far they are), later "tell" (what they said), else ""."""
        if now < self._due:
            return ""
        self._asked = not self._asked
        self._due = now + (ANSWER if self._asked else max(self._limits.warning - ANSWER, 0))
        return "ask" if self._asked else "tell"


def describe(what: str, index: int, waited: float, reached: dict[int, int], rank: int, hosts: Sequence[str]) -> str:
    """Words a stall in this rank's operation number `index`. reached: peer -> operations begun; silent peers lack;
    hosts: the ranks' machines."""
    peers = [peer for peer in range(len(hosts)) if peer != rank]
    late = [peer for peer in peers if peer in reached and reached[peer] <= index]
    silent = [peer for peer in peers if peer not in reached]
    parts = []
    if late:
        parts.append(f"{ranks_text(late, hosts)} {'has' if len(late) == 1 else 'have'} not come to it")
    if silent:
        parts.append(f"{ranks_text(silent, hosts)} {'does' if len(silent) == 1 else 'do'} not answer")
    return f"{what} has waited {waited:.0f} s: {', '.join(parts) or 'all ranks are in it, the network does not move'}"


def speaks(rank: int, index: int, reached: dict[int, int]) -> bool:
    """Whether this rank is the lowest of those that wait in the same operation, so that one of them warns."""
    return all(peer > rank for peer, begun in reached.items() if begun > index)
