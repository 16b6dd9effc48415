"""Where tests of engine cuda run: over the stand-ins, or with `pytest -m gpu` on this machine's GPU."""
from __future__ import annotations

import os
import re
from functools import cache

VARIABLE = "CAFFEMPI_TEST_GPU"
"""Set for a run on a GPU, so that processes which tests start know it too."""


def choose(marks: str) -> None:
    """By pytest's -m: tests that are marked gpu run on the GPU where they are asked for by that name."""
    if re.search(r"(?<!not )\bgpu\b", marks):
        os.environ[VARIABLE] = "1"


def on_device() -> bool:
    """Whether the GPU was chosen."""
    return os.environ.get(VARIABLE) == "1"


@cache
def missing() -> str | None:
    """Why nothing can run on a GPU here; None where it can."""
    from caffempi.engines.cuda.driver import ask
    from caffempi.engines.cuda.engine import import_cupy
    from caffempi.errors import EngineError
    try:
        ask()
        import_cupy()
    except EngineError as e:
        return str(e)
    return None
