"""Who is alone, who is one of many."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest

from caffempi.errors import ExchangeError
from caffempi.exchange.launch import make_exchange, place
from caffempi.solver.exchange import LocalExchange
from tests.helpers.mpirun import ROOT, environment

CASES = [
    ({}, (0, 1, 0, 1)),
    ({"OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_SIZE": "8", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
      "OMPI_COMM_WORLD_LOCAL_SIZE": "4", "PMIX_RANK": "5"}, (5, 8, 1, 4)),
    ({"PMI_RANK": "2", "PMI_SIZE": "3", "MPI_LOCALRANKID": "2", "MPI_LOCALNRANKS": "3"}, (2, 3, 2, 3)),
    ({"PMIX_RANK": "1", "SLURM_STEP_NUM_TASKS": "2", "SLURM_LOCALID": "0"}, (1, 2, 0, 1)),
    ({"PMIX_RANK": "0"}, (0, 0, 0, 1)),
    ({"SLURM_LOCALID": "0", "SLURM_NTASKS": "16"}, (0, 1, 0, 1)),     # a batch script, not one of its tasks
]


@pytest.mark.parametrize(("env", "want"), CASES)
def test_the_place_that_each_launcher_gives(env, want):
    here = place(env)
    assert (here.rank, here.size, here.local_rank, here.local_size) == want
    assert here.host != ""


def test_a_variable_that_is_no_number_is_named():
    with pytest.raises(ExchangeError, match="OMPI_COMM_WORLD_SIZE = 'two'"):
        place({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "two"})


@pytest.mark.parametrize("env", [{}, {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}])
def test_one_rank_is_alone(env):
    assert isinstance(make_exchange(env), LocalExchange)


def _python(text: str, **env: str) -> str:
    return subprocess.run([sys.executable, "-c", text], cwd=ROOT, env=environment(env), capture_output=True, text=True,
                          check=True).stdout


def test_alone_mpi4py_is_not_imported():
    assert _python("import sys, caffempi.exchange.guard as g, caffempi.exchange.launch as l\n"
                   "with g.together(l.make_exchange()): print('mpi4py' in sys.modules)") == "False\n"


CAUGHT = """
import sys
{loss}
from caffempi.errors import ExchangeError
from caffempi.exchange.launch import make_exchange
try:
    make_exchange()
except ExchangeError as error:
    print(error)
"""


def test_many_ranks_without_mpi4py_is_an_error_that_names_the_rank():
    loss = "sys.modules['mpi4py'] = None"
    out = _python(CAUGHT.format(loss=loss), OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="4")
    assert out.startswith(f"rank 1 of 4 on {os.uname().nodename}: mpi4py cannot be used") and "install mpi4py" in out


@pytest.mark.mpi
def test_a_launcher_of_another_mpi_is_found_out():
    out = _python(CAUGHT.format(loss=""), PMI_RANK="0", PMI_SIZE="2")
    assert out.startswith("the launcher started 2 processes, but MPI sees 1; use the mpirun of the MPI")
