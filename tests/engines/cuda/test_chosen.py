"""Where tests run: by pytest's -m, in the order of the first run, and skipped with the reason where there is no GPU."""
import os
import subprocess
import sys

import pytest

from tests.conftest import FIRST_RUN, RULES, place
from tests.helpers.cuda import chosen
from tests.helpers.mpirun import ROOT


@pytest.mark.parametrize(("marks", "gpu"), [("gpu", True), ("gpu and not slow", True), ("not slow", False), ("not gpu", False),
                                            ("", False), ("slow or gpu", True)])
def test_the_marks_choose(monkeypatch, marks, gpu):
    monkeypatch.setenv(chosen.VARIABLE, "")
    chosen.choose(marks)
    assert chosen.on_device() is gpu


def test_files_have_places():
    assert all(path.exists() for path in FIRST_RUN)
    assert place(FIRST_RUN[0]) == 0 and place(RULES / "test_pool.py") == 1 and place(ROOT / "tests" / "test_docs.py") == len(FIRST_RUN)


def test_without_a_gpu_all_is_skipped_with_the_reason():
    if chosen.missing() is None:
        pytest.skip("there is a GPU")
    done = subprocess.run([sys.executable, "-m", "pytest", "-m", "gpu", "-rs", "-p", "no:cacheprovider", "tests/engines/cuda/test_training.py",
                           "tests/engines/cuda/rules/test_softmax.py"], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0 and "passed" not in done.stdout and chosen.missing() in " ".join(done.stdout.split())
