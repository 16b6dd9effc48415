"""Each program runs once per number of ranks, however many tests look at what it left."""
from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.helpers.mpirun import Ran, run

PROGRAMS = Path(__file__).with_name("programs")


@pytest.fixture(scope="session")
def ran():
    """ran(n, name, *args): what `programs/name.py args` leaves on n ranks; hanging is an error."""
    @cache
    def start(n: int, name: str, *args: str) -> Ran:
        return run(n, [PROGRAMS / f"{name}.py", *args], timeout=60)
    return start
