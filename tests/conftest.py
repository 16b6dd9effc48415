"""`pytest -m gpu` runs what is marked so on this machine's GPU, in the order of FIRST_RUN; without a GPU it is skipped.

Everywhere else the same tests run over the stand-ins for CuPy, cuBLAS and cuDNN; `tests/helpers/cuda/chosen.py` decides.
"""
from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.cuda import chosen

CUDA = Path(__file__).parent / "engines" / "cuda"
RULES = CUDA / "rules"
FIRST_RUN = (CUDA / "test_first_run.py", RULES, CUDA / "test_convolve.py", CUDA / "test_golden.py", CUDA / "test_training.py",
             CUDA / "test_lenet.py", CUDA / "test_ranks.py")
"""Files with marked tests: what all else stands on comes first. All tests of single kernels are marked."""
ALONE = RULES / "test_quotient.py"
"""Has a stand-in of its own."""


def place(path: Path) -> int:
    """The place of a file's tests in the order; those of no place come last."""
    return next((k for k, first in enumerate(FIRST_RUN) if first in (path, *path.parents)), len(FIRST_RUN))


def pytest_configure(config: pytest.Config) -> None:
    """Before anything is imported: where tests run."""
    chosen.choose(config.option.markexpr)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of kernels; puts those on a GPU in order, or skips them with the reason."""
    for item in items:
        if RULES in item.path.parents and item.path != ALONE:
            item.add_marker(pytest.mark.gpu)
    if not chosen.on_device():
        return
    items.sort(key=lambda item: place(item.path))
    reason = chosen.missing()
    for item in items if reason else ():
        item.add_marker(pytest.mark.skip(reason=reason))
