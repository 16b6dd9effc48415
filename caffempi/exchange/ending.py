"""How ranks that fail agree on one message.

Each rank that fails, or hears of one that has, sends one End to every other rank. A rank that has the Ends of all knows
what all know: the lowest rank with an error of its own speaks for all. `leave` acts on it.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from caffempi.errors import ExchangeError

TEXT = 1500                                                    # characters of a message that travel (one eager message)
GRACE = 2.0                                                    # seconds for the main thread to come to its end


class PeerFailed(ExchangeError):
    """Another rank has failed; raised in this one so that it unwinds. Its text is never the message of a run."""


@dataclass(frozen=True)
class End:
    """Why a rank ends: by an error of its own (text in one line, exit code), or only because others do.

    done: operations that it has taken part in to their end.
    """

    own: bool
    text: str = ""
    code: int = 1
    done: int = 0

    def message(self) -> dict[str, Any]:
        """As a control message."""
        return asdict(self)


@dataclass(frozen=True)
class Verdict:
    """What the ends known to a rank mean: who speaks, the line (None: nothing to say), the exit code of the run."""

    speaker: int
    line: str | None
    code: int


def decide(ends: dict[int, End], hosts: Sequence[str]) -> Verdict:
    """ends: rank -> End, of all ranks or of those that answered; at least one has an error of its own.

    An error that all ranks share is told as one of the whole run; any other names the rank, and the host if there are
    several.
    """
    speaker = min(rank for rank, end in ends.items() if end.own)
    end = ends[speaker]
    if not end.text:
        return Verdict(speaker, None, end.code)
    if len(ends) == len(hosts) and all(other.own and other.text == end.text for other in ends.values()):
        return Verdict(speaker, f"caffempi: {end.text}", end.code)
    host = f" ({hosts[speaker]})" if len(set(hosts)) > 1 else ""
    return Verdict(speaker, f"caffempi: rank {speaker}{host}: {end.text}", end.code)
