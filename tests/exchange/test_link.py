"""The MPI calls themselves."""
from __future__ import annotations

import subprocess
import sys

import pytest

from tests.helpers.mpirun import ROOT


@pytest.mark.mpi
def test_a_thread_may_start_use_and_finalise_mpi_and_control_messages_keep_their_order(ran):
    left = ran(2, "links")
    assert (left.rc, left.err, left.lines()) == (0, "", ["well", "well"])


@pytest.mark.parametrize("loss", ["sys.modules['mpi4py'] = None",
                                  "import mpi4py; sys.modules['mpi4py.MPI'] = None"])
def test_an_mpi4py_that_is_missing_or_broken_is_an_error_that_says_what_to_install(loss):
    text = (f"import sys; {loss}\nfrom caffempi.errors import ExchangeError\nfrom caffempi.exchange.link import Link\n"
            "try:\n    Link()\nexcept ExchangeError as error:\n    print(error)\n")
    out = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert out.startswith("mpi4py cannot be used (") and "install mpi4py" in out and out.count("\n") == 1
