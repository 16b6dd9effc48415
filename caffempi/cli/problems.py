"""What `check` finds: problems with their places, each once, in the order of the text."""
from __future__ import annotations

import copy
import re
from typing import NamedTuple

from caffempi.errors import CaffempiError

ERROR, WARNING = "error", "warning"
_PLACE = re.compile(r"(.*?):(\d+)(?::(\d+))?$")


class Problem(NamedTuple):
    """severity: ERROR or WARNING; where: file, file:line or file:line:column; text: why and fix."""

    severity: str
    where: str
    text: str

    def line(self) -> str:
        """As compilers print it, so that editors find the place."""
        return f"{self.where}: {self.severity}: {self.text}"


class Problems:
    """A growing list. `states` says of a problem that is found in some states (phases) of a net but not in all, in which."""

    def __init__(self) -> None:
        self._found: dict[Problem, list[str]] = {}
        self._states: list[str] = []
        self._state = ""

    def enter(self, state: str) -> None:
        """What is added from now on belongs to that state of the net ("TRAIN", "TEST"; "": to the file as a whole)."""
        if state and state not in self._states:
            self._states.append(state)
        self._state = state

    def add(self, severity: str, where: str | None, text: str) -> None:
        """A problem in words of its own."""
        states = self._found.setdefault(Problem(severity, where or "", text), [])
        if self._state not in states:
            states.append(self._state)

    def error(self, e: CaffempiError, file: str, severity: str = ERROR) -> None:
        """An error that was raised; file: its place where it names none."""
        bare = copy.copy(e)
        bare.where = None
        self.add(severity, e.where or file, str(bare))

    @property
    def errors(self) -> int:
        """How many of them are errors."""
        return sum(p.severity == ERROR for p in self._found)

    @property
    def warnings(self) -> int:
        """How many of them are warnings."""
        return len(self._found) - self.errors

    def lines(self) -> list[str]:
        """One line each, by file (in the order of their first problems) and line."""
        files = list(dict.fromkeys(_place(p.where)[0] for p in self._found))
        shown = []
        for p in sorted(self._found, key=lambda p: (files.index(_place(p.where)[0]), *_place(p.where)[1:])):
            states = self._found[p]
            only = f" (in {' and '.join(states)})" if states != [""] and len(states) < len(self._states) else ""
            shown.append(p.line() + only)
        return shown


def _place(where: str) -> tuple[str, int, int]:
    match = _PLACE.match(where)
    return (match[1], int(match[2]), int(match[3] or 0)) if match else (where, 0, 0)
