"""How many threads the maths libraries get."""
import pytest

from caffempi import threads
from caffempi.threads import VARIABLES, limit_threads, share


@pytest.mark.parametrize("ranks, own, job, expected", [
    (1, 8, 8, 8),        # alone: all that there is
    (2, 8, 8, 4),        # not bound: divided
    (2, 1, 8, 1),        # bound to one core each
    (4, 16, 32, 8),      # bound to a socket that two ranks share
    (4, 2, 2, 1),        # more ranks than cores
])
def test_a_rank_gets_its_share_of_the_cores(ranks, own, job, expected):
    assert share(ranks, own, job) == expected


def test_the_users_number_wins_over_the_environment():
    env = {"OMP_NUM_THREADS": "7"}
    assert limit_threads(3, env) == 3
    assert env == dict.fromkeys(VARIABLES, "3")


def test_the_environment_wins_over_the_default():
    env = {"OPENBLAS_NUM_THREADS": "5"}
    assert limit_threads(None, env) == 5
    assert env == {"OPENBLAS_NUM_THREADS": "5"}


@pytest.mark.parametrize("local, expected", [("1", 6), ("2", 3), ("4", 1)])
def test_by_default_the_cores_are_divided_among_the_ranks_of_the_machine(monkeypatch, local, expected):
    monkeypatch.setattr(threads, "_cores", lambda process: 6)
    env = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": local}
    assert limit_threads(None, env) == expected
    assert env["OMP_NUM_THREADS"] == str(expected)
