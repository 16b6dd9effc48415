"""The last steps of a process whose rank, or one of whose peers, has failed. Runs in the exchange thread.

If all ranks answer, they finalise MPI together and the speaker prints the one line; then rank 0, which mpirun has on
its own host, leaves last and alone with the exit code, the others with 0 before it: so mpirun has nothing to kill and
nothing of its own to say. Otherwise MPI_Abort.
"""
from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import NoReturn

from caffempi.exchange import ending
from caffempi.exchange.ending import End, Verdict
from caffempi.exchange.link import END, HEARD, Link

ANSWER = 2.0                                                   # seconds for peers to say that they have heard
LONGEST = 10.0                                                 # seconds for those that have to come to their end
PAUSE = 500e-6                                                 # seconds between two looks for answers
FIRST = 1.0                                                    # seconds that the speaker has before others abort
SHUTDOWN = 5.0                                                 # seconds that MPI has to finalise


class Leaving:
    """One rank on its way out.

    mine: its end; trace: text before the line; ends: what peers have told so far; heard: peers that are known to be on
    their way out too.
    """

    def __init__(self, link: Link, mine: End, trace: str, ends: dict[int, End], heard: set[int]) -> None:
        self._link, self._mine, self._trace, self._heard = link, mine, trace, heard
        self._ends = ends | {link.rank: mine}

    def run(self) -> NoReturn:
        """Ends the process."""
        try:
            self._link.post(END, self._mine.message())
            complete = self._hear()
            verdict = ending.decide(self._ends, self._link.hosts)
            if complete:
                self._go(verdict)
            elif verdict.speaker == self._link.rank:
                self._say(verdict.line)
            else:
                time.sleep(FIRST)
            self._link.abort(verdict.code)
        except Exception as error:                             # MPI itself is broken: the launcher ends the others
            self._say(f"caffempi: rank {self._link.rank}: {self._mine.text or error}")
        exit_now(self._mine.code)

    def _hear(self) -> bool:
        """Takes in the ends of the others, for a while; whether all have told theirs."""
        started = time.monotonic()
        while len(self._ends) < self._link.size:
            silent = len(self._heard | set(self._ends)) < self._link.size
            if time.monotonic() > started + (ANSWER if silent else LONGEST):
                break
            message = self._link.hear()
            if message is None:
                time.sleep(PAUSE)
            elif message[1] == END:
                self._ends[message[0]] = End(**message[2])
            elif message[1] == HEARD:
                self._heard.add(message[0])
        return len(self._ends) == self._link.size

    def _go(self, verdict: Verdict) -> NoReturn:
        if verdict.speaker == self._link.rank:
            self._say(verdict.line)
        sys.stderr.flush()
        late = threading.Timer(SHUTDOWN, exit_now, (verdict.code,))
        late.daemon = True
        late.start()
        self._link.finalize()
        if self._link.rank != 0:
            exit_now(0)
        wait_until_gone(0, self._link.pids, self._link.hosts)
        exit_now(verdict.code)

    def _say(self, line: str | None) -> None:
        if line is not None:
            sys.stderr.write(f"{self._trace}{line}\n")


def exit_now(code: int) -> NoReturn:
    """Ends the process from any thread, without waiting for the others; what was printed is not lost."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):                          # a closed pipe must not keep the process
            continue
    os._exit(code)


def wait_until_gone(rank: int, pids: Sequence[int], hosts: Sequence[str], longest: float = 2.0) -> None:
    """Waits (at most `longest` seconds) until the other ranks' processes on this host are gone, and a moment more for
    the launcher to take note; for those on other hosts, a longer moment."""
    left = [pid for peer, pid in enumerate(pids) if peer != rank and hosts[peer] == hosts[rank]]
    until = time.monotonic() + longest
    while (left := [pid for pid in left if _alive(pid)]) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.05 if len(set(hosts)) == 1 else 0.5)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
