"""Signals as requests: SIGINT, SIGHUP and SIGTERM set a bit that the solver polls; nothing happens inside a handler.

    with SignalWatch(sigint="stop", sighup="snapshot") as watch:
        solver.requests = watch
        solver.solve()
"""
from __future__ import annotations

import signal
import threading
from collections import deque
from types import FrameType, TracebackType
from typing import Any

from caffempi.errors import UsageError, did_you_mean
from caffempi.solver.exchange import SNAPSHOT, STOP

EFFECTS = {"stop": STOP, "snapshot": SNAPSHOT, "none": 0}


class SignalWatch:
    """Catches signals while it is entered; calling it gives the bits asked for since the last call.

    sigint, sighup: "stop" (finish the iteration, snapshot, end), "snapshot" or "none" (the signal is swallowed), as
    Caffe's flags of these names. SIGTERM means stop, so that a cluster's scheduler loses nothing. The first SIGINT that
    means stop puts the old behaviour of the system back, so that a second one ends the process at once. Handlers can be
    set in the main thread only: elsewhere nothing is caught. Leaving restores what was there.
    """

    def __init__(self, sigint: str = "stop", sighup: str = "snapshot") -> None:
        for flag, effect in (("sigint_effect", sigint), ("sighup_effect", sighup)):
            if effect not in EFFECTS:
                hint = did_you_mean(effect, EFFECTS)
                raise UsageError(f"--{flag} {effect}: there is no such effect",
                                 fix=f"{hint} known: {', '.join(EFFECTS)}".strip())
        self._effects = {signal.SIGINT: EFFECTS[sigint], signal.SIGTERM: STOP}
        if hasattr(signal, "SIGHUP"):
            self._effects[signal.SIGHUP] = EFFECTS[sighup]
        self._seen: deque[int] = deque()                       # append and popleft are atomic: no request gets lost
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> SignalWatch:
        if threading.current_thread() is threading.main_thread():
            for number in self._effects:
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        self._before.clear()

    def __call__(self) -> int:
        """The bits (STOP, SNAPSHOT) asked for since the last call."""
        bits = 0
        while self._seen:
            bits |= self._seen.popleft()
        return bits

    def _handle(self, number: int, frame: FrameType | None) -> None:
        effect = self._effects[signal.Signals(number)]
        self._seen.append(effect)
        if number == signal.SIGINT and effect == STOP:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
