"""Where a launcher has put this process, read from its variables."""
import pytest

from caffempi.errors import ExchangeError
from caffempi.place import place


@pytest.mark.parametrize("env, expected", [
    ({}, (0, 1, 0, 1)),
    ({"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "8", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
      "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}, (3, 8, 1, 2)),
    ({"PMI_RANK": "1", "PMI_SIZE": "4", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "4"}, (1, 4, 1, 4)),
    ({"PMIX_RANK": "2", "SLURM_STEP_NUM_TASKS": "3", "SLURM_LOCALID": "0"}, (2, 3, 0, 1)),
    ({"PMIX_RANK": "2"}, (2, 0, 0, 1)),
    ({"SLURM_STEP_NUM_TASKS": "3"}, (0, 1, 0, 1)),
])
def test_variables_of_each_launcher(env, expected):
    here = place(env)
    assert (here.rank, here.size, here.local_rank, here.local_size) == expected


def test_a_variable_that_is_no_number_is_an_error():
    with pytest.raises(ExchangeError, match="PMI_RANK = 'x' is not a number"):
        place({"PMI_RANK": "x"})
