"""Each program runs once per number of ranks, however many tests look at what it left."""
from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.mpirun import Ran, run
from tests.helpers.task import make_task

PROGRAMS = Path(__file__).with_name("programs")


@pytest.fixture(scope="session")
def ran():
    """ran(n, name, *args): what `programs/name.py args` leaves on n ranks; hanging is an error."""
    @cache
    def start(n: int, name: str, *args: str) -> Ran:
        return run(n, [PROGRAMS / f"{name}.py", *args], timeout=60)
    return start


@pytest.fixture(scope="session")
def gpus(tmp_path_factory):
    """gpus(n, how): what `programs/gpus.py how` leaves on n ranks, and the params' bytes of each rank that came to its end.
    All runs see the same 12 records an iteration."""
    @cache
    def start(n: int, how: str) -> tuple[Ran, list[bytes]]:
        folder = tmp_path_factory.mktemp(f"gpus{n}")
        solver = make_task(folder, extra="", batch=12 // n)
        left = run(n, [PROGRAMS / "gpus.py", how, solver, folder, "1"], timeout=240)   # the first run builds kernels
        return left, [np.load(path).tobytes() for path in sorted(folder.glob("*.npy"))]
    return start
