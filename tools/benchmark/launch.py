"""Starting the sides: a clean environment, a number of threads, and the cores that they may use."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from caffempi.errors import CaffempiError
from caffempi.threads import VARIABLES

REMOVED = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
"""They make a BLAS take the machine for another one."""
_TOOLS = Path(__file__).resolve().parents[1]


class BenchError(CaffempiError):
    """A side could not be started, or failed."""


def usable() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def environment(threads: int) -> dict[str, str]:
    """This process's, with that number of threads for every library, and the way to the bench's own modules."""
    env = {name: value for name, value in os.environ.items() if name not in REMOVED}
    env.update(dict.fromkeys(VARIABLES, str(threads)))
    env["PYTHONPATH"] = os.pathsep.join([str(_TOOLS), str(_TOOLS.parent), *filter(None, [env.get("PYTHONPATH")])])
    return env


def start(command: Sequence[str], cores: Sequence[int], **more: Any) -> subprocess.Popen[str]:
    """A process with one thread a core, on these cores alone where the system can bind processes."""
    def bind() -> None:
        os.sched_setaffinity(0, cores)
    return subprocess.Popen(command, env=environment(len(cores)), text=True, stdout=subprocess.PIPE,
                            preexec_fn=bind if hasattr(os, "sched_setaffinity") else None, **more)


class Child:
    """A side that runs. module: ours or rival, with its settings. Raises BenchError where it fails, with its own words.

    setup: seconds from the settings to the end of the first iteration. facts: what it says about itself.
    """

    def __init__(self, module: str, settings: dict[str, Any], cores: Sequence[int]) -> None:
        self.name = f"{module} {settings.get('mode', '')}".strip()
        self._process = start([sys.executable, "-m", f"benchmark.{module}", json.dumps(settings)], cores,
                              stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        first = self._answer()
        self.setup, self.facts = float(first["ready"]), dict(first["facts"])

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def iterate(self, seconds: float, clock: str = "wall", least: int = 1, warm: int = 1) -> list[float]:
        """Milliseconds of iterations by that clock, see `service`."""
        return list(self._ask({"do": "iterate", "seconds": seconds, "least": least, "warm": warm})[clock])

    def memory(self) -> int:
        """Bytes at the peak, less those that the imports alone took."""
        found = self._ask({"do": "memory"})
        return int(found["peak"]) - int(found["imported"])

    def profile(self, **request: Any) -> dict[str, Any]:
        """See the side's own."""
        return self._ask({"do": "profile", **request})

    def close(self) -> None:
        """Ends the process; idempotent."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            with suppress(BrokenPipeError):                    # what could not be written to a dead process
                self._process.stdin.close()
        if self._process.poll() is None:
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise BenchError(f"{self.name} has ended") from None
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": f"ended with status {self._process.wait()}"}
        if "error" in answer:
            self.close()
            raise BenchError(f"{self.name}: {answer['error']}")
        return answer
