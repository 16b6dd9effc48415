"""Do the ranks' devices exchange gradients among themselves? All ranks say what they have, and all decide alike.

Only then is the library's group made, with a ticket from rank 0: no rank waits in it for one that does not come.
"""
from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

from caffempi.engines.base import Engine
from caffempi.engines.peers import Peering, Peers
from caffempi.errors import EngineError
from caffempi.exchange import collectives
from caffempi.exchange.agree import ranks_text
from caffempi.exchange.watch import Watched
from caffempi.exchange.worker import Worker


def objection(rows: Sequence[Peering], hosts: Sequence[str]) -> str | None:
    """Why not, for the rows of all ranks; "" for nothing worth a word (no rank has a device), None where they can meet."""
    if not any(row.device for row in rows):
        return ""
    for rank, row in enumerate(rows):
        if not row.device:
            return f"{ranks_text([rank], hosts)} computes on the CPU"
        if row.why_not:
            return f"{ranks_text([rank], hosts)}: {row.why_not}"
    places: dict[tuple[str, str], list[int]] = {}
    for rank, row in enumerate(rows):
        places.setdefault((hosts[rank], row.device), []).append(rank)
    for ranks in places.values():
        if len(ranks) > 1:
            return f"{ranks_text(ranks, hosts)} share a GPU, which makes none of them faster"
    for rank, row in enumerate(rows):
        if row.library != rows[0].library:
            return f"rank 0 has {rows[0].library}, {ranks_text([rank], hosts)} has {row.library}"
    return None


class Meeting:
    """The group of the ranks' devices, made at the first start that finds it possible and kept while devices are the same."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._rows: list[Peering] = []                         # what the present answer was found from
        self._answer: tuple[Peers | None, str] = None, ""

    def of(self, engine: Engine) -> tuple[Peers | None, str]:
        """The group (None: gradients go over the host) and a line on it for the log. Collective. Raises EngineError where
        the library fails on this rank."""
        mine, link = engine.peering(), self._worker.link
        texts = self._do("what the ranks' devices are", lambda link: collectives.gather_texts(link, json.dumps(mine)))
        rows = [Peering(*json.loads(text)) for text in texts]
        if rows != self._rows:
            self.close()
            why = objection(rows, link.hosts)
            self._answer = self._meet(engine, rows) if why is None else (None, _line(why))
            self._rows = rows
        return self._answer

    def _meet(self, engine: Engine, rows: Sequence[Peering]) -> tuple[Peers | None, str]:
        link = self._worker.link
        mine: dict[str, Any] = {}
        if link.rank == 0:
            try:
                mine = {"ticket": engine.ticket().hex()}
            except EngineError as e:
                mine = {"why": f"rank 0: {e}"}
        given = self._do("rank 0's ticket to the group of devices", lambda link: collectives.broadcast_numbers(link, mine))
        if "why" in given:
            return None, _line(given["why"])
        over = threading.Event()
        self._worker.watch(Watched("the meeting of the devices", _yes, over.is_set, _nothing))
        try:
            peers = engine.join(bytes.fromhex(given["ticket"]), link.rank, link.size)
        finally:
            over.set()
        self._worker.at_failure(peers.abort)
        return peers, f"Gradients are averaged by {rows[0].library} between {link.size} GPUs"

    def _do(self, what: str, steps: Any) -> Any:
        return self._worker.submit(what, steps).wait()

    def close(self) -> None:
        """Lets go of the group, if there is one; idempotent."""
        peers, self._answer, self._rows = self._answer[0], (None, ""), []
        if peers is not None:
            peers.close()


def _line(why: str) -> str:
    return f"Gradients go over the memory of the hosts and MPI: {why}" if why else ""


def _yes() -> bool:
    return True


def _nothing() -> None:
    """Nobody to ask."""
