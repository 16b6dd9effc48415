"""The errors that a user can cause, each worded as one line that names place and fix.

CaffempiError           exit code 1
|-- UsageError          command line: unknown verb, missing flag, two flags that exclude each other (exit code 2)
|-- TextError           prototxt text: syntax, unknown field, bad value; `where` is file:line:column
|-- NetError            a net that cannot be built: unknown type or bottom, a field out of range
|   `-- ShapeError      shapes that do not fit
|-- DataError           databases, lists, images, records
|-- WeightsError        caffemodel, solverstate and mean files: truncated, corrupt, of another net
|-- SolverError         solver settings; a loss or a gradient that is not finite
|-- SnapshotError       a file that cannot be written
|-- EngineError         an engine that is missing or lacks an op
|-- CodeError           code of the user's own that failed: a Python layer's, or an extension's
`-- ExchangeError       ranks that differ, fail or do not answer

The code that finds a fault raises with what it knows (the reason, the field, the value, the fix); code that knows more
adds it on the way up with `at` (the layer's name and type, the file and line). Nothing is ever overwritten.
"""
from __future__ import annotations

import importlib
import os
import traceback
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

_Self = TypeVar("_Self", bound="CaffempiError")


class CaffempiError(Exception):
    """One user-facing fault. str() gives `layer "x" (Type), field f = v (file:line): why; fix`."""

    exit_code = 1
    trace = ""                                                 # text to be shown once, before the message
    _context = ("layer", "type", "field", "value", "where", "fix")

    def __init__(self, why: str, *, layer: str | None = None, type: str | None = None, field: str | None = None,
                 value: Any = None, where: str | None = None, fix: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.layer, self.type, self.field, self.value, self.where, self.fix = layer, type, field, value, where, fix

    def at(self: _Self, **context: Any) -> _Self:
        """Adds context (layer, type, field, value, where, fix) that is still missing; returns the error itself."""
        for key, val in context.items():
            if key not in self._context:
                raise TypeError(f"unknown context {key!r}")
            if getattr(self, key) is None:
                setattr(self, key, val)
        return self

    def __str__(self) -> str:
        subject = []
        if self.layer is not None:
            subject.append(f'layer "{self.layer}"' + (f" ({self.type})" if self.type else ""))
        if self.field is not None:
            subject.append(f"field {self.field}" + (f" = {self.value}" if self.value is not None else ""))
        head = ", ".join(subject)
        if self.where:
            head = f"{head} ({self.where})" if head else self.where
        text = f"{head}: {self.why}" if head else self.why
        if self.fix:
            text += f"; {self.fix}"
        return " ".join(text.split())


class UsageError(CaffempiError):
    """A command line that cannot be obeyed."""

    exit_code = 2


class TextError(CaffempiError):
    """A prototxt that is not legal text of its message."""


class NetError(CaffempiError):
    """A net that cannot be built."""


class ShapeError(NetError):
    """Blobs whose shapes do not fit together."""


class DataError(CaffempiError):
    """A data source that is missing, corrupt or unfit."""


class WeightsError(CaffempiError):
    """A weights, state or mean file that is missing, corrupt or of another net."""


class SolverError(CaffempiError):
    """Solver settings that cannot be obeyed, or numbers that are not finite."""


class SnapshotError(CaffempiError):
    """A snapshot that cannot be written."""


class EngineError(CaffempiError):
    """An engine that this machine lacks, or an op that an engine cannot run."""


class CodeError(CaffempiError):
    """Code of the user's own that failed. `trace` is its traceback, from the user's first line on.

    Who raises one names the exception itself as its cause, so that a script shows the traceback as well.
    """

    def __init__(self, why: str, error: BaseException, **context: Any) -> None:
        said = " ".join(str(error).split())
        super().__init__(f"{why}: {type(error).__name__}{': ' if said else ''}{said}", **context)
        at = error.__traceback__
        while at is not None and at.tb_next is not None and _is_ours(at.tb_frame.f_code.co_filename):
            at = at.tb_next
        self.trace = "".join(traceback.format_exception(type(error), error, at))


def _is_ours(file: str) -> bool:
    """Whether a line of a traceback is this package's, or the import system's."""
    return file.startswith(("<frozen importlib", os.path.dirname(__file__), os.path.dirname(importlib.__file__)))


class ExchangeError(CaffempiError):
    """Ranks that differ, fail or do not answer."""


def did_you_mean(name: str, known: Iterable[str], limit: int = 3) -> str:
    """A hint with the nearest known names (case ignored), or "" where none is near."""
    names = {k.lower(): k for k in known}
    near = [names[k] for k in get_close_matches(name.lower(), list(names), n=limit, cutoff=0.6)]
    return f"did you mean {' or '.join(near)}?" if near else ""
