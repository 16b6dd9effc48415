"""A side of a comparison as a process of its own that answers requests, so that sides can take turns within one run.

Requests are lines of JSON on standard input, answers lines of JSON on what was standard output; whatever else a library
prints goes to standard error.

    {"do": "iterate", "seconds": 2, "least": 3, "warm": 1}   -> {"wall": [ms], "cpu": [ms]}
    {"do": "memory"}                                         -> {"imported": bytes, "peak": bytes}, without pages of files
    {"do": "profile", ...}                                   -> what the side's `profile` gives
"""
from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, TextIO

Answer = dict[str, Any]


class Side(Protocol):
    """One way to run a net. facts: what a report should say about it."""

    facts: dict[str, Any]

    def iterate(self) -> object:
        """One whole iteration."""

    def profile(self, request: Answer) -> Answer:
        """What the iteration is made of."""


def status(field: str, path: str = "/proc/self/status") -> int:
    """Bytes of a line of Linux's account of this process's memory: RssAnon, RssFile and RssShmem now, VmHWM all at its
    highest."""
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    raise OSError(f"{path} has no {field}")


def iterations(run: Callable[[], object], seconds: float, least: int, warm: int) -> dict[str, list[float]]:
    """Milliseconds of each iteration: `warm` ones that do not count, then as many as fit, but at least `least`.

    wall: from beginning to end; cpu: that the process's threads computed meanwhile, together.
    """
    for _ in range(warm):
        run()
    wall: list[float] = []
    cpu: list[float] = []
    end = time.perf_counter() + seconds
    while len(wall) < least or time.perf_counter() < end:
        start, worked = time.perf_counter(), time.process_time()
        run()
        cpu.append(1e3 * (time.process_time() - worked))
        wall.append(1e3 * (time.perf_counter() - start))
    return {"wall": wall, "cpu": cpu}


def serve(make: Callable[[Answer], Side], imports: Callable[[], object]) -> None:
    """Answers until standard input ends. The settings are the program's one argument; a failure is the last answer."""
    requests, answers = sys.stdin, os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        imports()
        imported = status("RssAnon")
        began = time.perf_counter()
        side = make(json.loads(sys.argv[1]))
        side.iterate()
        _say(answers, {"ready": time.perf_counter() - began, "facts": side.facts})
        for line in requests:
            _say(answers, _answer(side, json.loads(line), imported))
    except Exception as e:                                     # told to whoever asked, in one line
        _say(answers, {"error": " ".join(f"{type(e).__name__}: {e}".split())})
        sys.exit(1)


def _answer(side: Side, request: Answer, imported: int) -> Answer:
    if request["do"] == "iterate":
        return dict(iterations(side.iterate, request["seconds"], request["least"], request["warm"]))
    if request["do"] == "memory":
        mapped = status("RssFile") + status("RssShmem")        # of libraries' code: how much of it is there is chance
        return {"imported": imported, "peak": status("VmHWM") - mapped}
    return side.profile(request)


def _say(answers: TextIO, answer: Answer) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
