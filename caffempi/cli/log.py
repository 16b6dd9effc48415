"""Log lines as glog prints them, on stderr and, with -log_dir, in a file; and a verb's results on stdout.

    I1130 10:22:33.123456  4711 solver.py:83] Iteration 0, loss = 2.30259

Level (I, W, E, F), month and day, time, process, place, text. Flags win over the variables GLOG_<flag>, which win over
the defaults: all levels, to stderr.
"""
from __future__ import annotations

import getpass
import logging
import os
import socket
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from caffempi.cli.flags import FLAGS, LOGGING
from caffempi.errors import UsageError

LOGGER, _RESULTS = logging.getLogger("caffempi"), logging.getLogger("caffempi.results")
_LEVELS = (logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)


def say(text: str) -> None:
    """A line of a verb's result: plain on stdout, and in the log file if there is one."""
    _RESULTS.info("%s", text, stacklevel=2)


def note(text: str) -> None:
    """A line of the log."""
    LOGGER.info("%s", text, stacklevel=2)


def warn(text: str) -> None:
    """A line of the log that the user should look at."""
    LOGGER.warning("%s", text, stacklevel=2)


class GlogFormatter(logging.Formatter):
    """Puts glog's prefix before the text; rank: shown where several log."""

    def __init__(self, rank: int | None = None) -> None:
        super().__init__()
        self._rank = "" if rank is None else f"rank {rank}: "

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        letter = "IWEF"[sum(record.levelno >= level for level in _LEVELS[1:])]
        at = time.strftime("%m%d %H:%M:%S", time.localtime(record.created))
        micros = int(record.created % 1 * 1e6)
        return (f"{letter}{at}.{micros:06d} {record.process:5d} {record.filename}:{record.lineno}] "
                f"{self._rank}{record.getMessage()}")


class _Writer(logging.Handler):
    """Writes to the present sys.stderr or sys.stdout (a progress bar puts itself in their place while it is shown)."""

    def __init__(self, stream: str, formatter: logging.Formatter, level: int) -> None:
        super().__init__(level)
        self._stream = stream
        self.setFormatter(formatter)

    def emit(self, record: logging.LogRecord) -> None:
        """Writes the line. A training goes on where nobody reads its log any more; results want their reader."""
        stream = getattr(sys, self._stream)
        code = getattr(stream, "encoding", None) or "utf-8"     # a path may hold what the terminal cannot show
        line = self.format(record).encode(code, "backslashreplace").decode(code)
        try:
            stream.write(f"{line}\n")
            stream.flush()
        except OSError:
            if self._stream == "stdout":
                raise


def settings(args: Namespace, env: Mapping[str, str]) -> dict[str, Any]:
    """The logging flags, completed by GLOG_<flag>. Raises UsageError for a variable with a bad value."""
    found: dict[str, Any] = {}
    for name in LOGGING:
        found[name] = getattr(args, name)
        text = env.get(f"GLOG_{name}")
        if found[name] is None and text:
            try:
                found[name] = FLAGS[name].kind(text)
            except ValueError as e:
                raise UsageError(f"environment variable GLOG_{name} = {text}: {e}") from None
    return found


@contextmanager
def logging_to(args: Namespace, rank: int) -> Iterator[None]:
    """Sends log lines and results where the flags say, while it is entered. Ranks other than 0 log with -v=1 only."""
    s = settings(args, os.environ)
    loud = rank == 0 or bool(s["v"])
    level = _LEVELS[min(s["minloglevel"] or 0, 3)] if loud else logging.CRITICAL + 1
    to_stderr = s["logtostderr"] or s["alsologtostderr"] is None or s["alsologtostderr"]
    plain = logging.Formatter("%(message)s")
    glog = plain if s["log_prefix"] is False else GlogFormatter(rank if s["v"] else None)
    threshold = level if to_stderr else _LEVELS[min(2 if s["stderrthreshold"] is None else s["stderrthreshold"], 3)]
    stderr = _Writer("stderr", glog, max(level, threshold))
    stderr.addFilter(lambda record: record.name != _RESULTS.name)
    handlers: list[tuple[logging.Logger, logging.Handler]] = [(LOGGER, stderr)]
    if rank == 0:
        handlers.append((_RESULTS, _Writer("stdout", plain, logging.INFO)))
    if s["log_dir"] and not s["logtostderr"] and loud:
        handlers.append((LOGGER, _file(s["log_dir"], glog, level)))
    before = LOGGER.level, LOGGER.propagate
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    for logger, handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger, handler in handlers:
            logger.removeHandler(handler)
            handler.close()
        LOGGER.level, LOGGER.propagate = before


def _file(folder: str, formatter: logging.Formatter, level: int) -> logging.Handler:
    """A file named and begun as glog's are, since scripts take the year from its first line."""
    now, host = time.localtime(), socket.gethostname()
    name = f"caffempi.{host}.{_user()}.log.INFO.{time.strftime('%Y%m%d-%H%M%S', now)}.{os.getpid()}"
    path = os.path.join(folder, name)
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"Log file created at: {time.strftime('%Y/%m/%d %H:%M:%S', now)}\nRunning on machine: {host}\n"
                       "Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu process file:line] msg\n")
    except OSError as e:
        raise UsageError(f"-log_dir = {folder}: no log file can be written there: {e.strerror or e}",
                         fix="make the folder first") from None
    handler = logging.FileHandler(path, encoding="utf-8", errors="replace")
    handler.setFormatter(formatter)
    handler.setLevel(level)
    return handler


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):                                # a container's user without a name
        return f"uid{os.getuid()}"
