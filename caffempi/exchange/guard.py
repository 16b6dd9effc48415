"""Fail together: an exception in any thread of any rank becomes one message and the end of all ranks.

    exchange = make_exchange()
    with together(exchange):
        ...                                    # CaffempiError: one line and its exit code, no traceback

Alone, a CaffempiError becomes `caffempi: <message>` and SystemExit; other exceptions pass. Among other ranks the line
names the rank that failed, or no rank if all failed alike, and comes once; an exception that is no CaffempiError is
a fault of the program and keeps its traceback, and so does a fault in the user's own code (CodeError).
"""
from __future__ import annotations

import atexit
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from caffempi.errors import CaffempiError
from caffempi.exchange.ending import End, PeerFailed
from caffempi.exchange.mpi import MpiExchange
from caffempi.solver.exchange import Exchange


@contextmanager
def together(exchange: Exchange) -> Iterator[None]:
    """Runs a block to a common end: all ranks leave it well, or all end. Raises SystemExit, after the message,
    where the process is alone and a CaffempiError comes out of the block."""
    if not isinstance(exchange, MpiExchange):
        try:
            yield
        except CaffempiError as error:
            print(f"{error.trace}caffempi: {error}", file=sys.stderr, flush=True)
            raise SystemExit(error.exit_code) from None
        return
    before = threading.excepthook
    threading.excepthook = lambda args: _thread_failed(exchange, args)
    good_exit = None
    try:
        try:
            yield
        except SystemExit as error:
            if error.code:
                raise
            good_exit = error
        exchange.close()
    except BaseException as error:
        _end(exchange, error)
    finally:
        threading.excepthook = before
    if good_exit is not None:
        raise good_exit


def install(exchange: Exchange) -> None:
    """The same for a script that has no block to wrap: uncaught exceptions end all ranks, a good end waits for all."""
    if isinstance(exchange, MpiExchange):
        sys.excepthook = lambda kind, error, trace: _end(exchange, error)
        threading.excepthook = lambda args: _thread_failed(exchange, args)
        atexit.register(_close, exchange)


def _close(exchange: MpiExchange) -> None:
    try:
        exchange.close()
    except PeerFailed:
        exchange.leave()


def _end(exchange: MpiExchange, error: BaseException) -> None:
    end, trace = reason(error)
    if end is not None:
        exchange.fail(end, trace)
    exchange.leave()


def _thread_failed(exchange: MpiExchange, args: threading.ExceptHookArgs) -> None:
    end, trace = reason(args.exc_value or RuntimeError("a thread failed"))
    if end is not None:
        exchange.fail(end, trace)


def reason(error: BaseException) -> tuple[End | None, str]:
    """The end that an exception means (None: it only follows another rank's) and the traceback that a fault of the
    program keeps."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, PeerFailed):
            return None, ""
        seen = seen.__cause__ or seen.__context__
    if isinstance(error, CaffempiError):
        return End(True, str(error), error.exit_code), error.trace
    if isinstance(error, SystemExit):
        return (End(True, "", error.code) if isinstance(error.code, int) else End(True, str(error.code))), ""
    if isinstance(error, KeyboardInterrupt):
        return End(True, "interrupted", 130), ""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return End(True, text), "".join(traceback.format_exception(error))
