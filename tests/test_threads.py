"""How many threads the maths libraries get, and which cores a rank."""
import os
import subprocess
import sys

import pytest

from caffempi import threads
from caffempi.threads import VARIABLES, quiet_blas, share, spans, take_share
from tests.helpers.mpirun import environment, mpirun


@pytest.fixture
def machine(monkeypatch):
    """A machine of six cores; own and job: those of this process and of the launcher; bound: what it was bound to."""
    class Machine:
        own = job = list(range(6))
        bound = None

        def bind(self, process, cores):
            self.bound = cores
    m = Machine()
    monkeypatch.setattr(threads, "cores", lambda process: m.job if process else m.own)
    monkeypatch.setattr(os, "sched_setaffinity", m.bind, raising=False)
    return m


def ranks(size, rank=0, **more):
    return {"OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_LOCAL_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": str(size),
            "OMPI_COMM_WORLD_LOCAL_SIZE": str(size), **more}


@pytest.mark.parametrize("size, own, job, expected", [
    (1, 8, 8, 8),        # alone: all that there is
    (2, 8, 8, 4),        # not bound: divided
    (2, 1, 8, 1),        # bound to one core each
    (4, 16, 32, 8),      # bound to a socket that two ranks share
    (4, 2, 2, 1),        # more ranks than cores
])
def test_a_rank_gets_its_share_of_the_cores(size, own, job, expected):
    assert share(size, own, job) == expected


def test_the_users_number_wins_over_the_environment(machine):
    env = {"OMP_NUM_THREADS": "7"}
    assert take_share(3, env) == (3, "")
    assert env == dict.fromkeys(VARIABLES, "3")


def test_the_environment_wins_over_the_default(machine):
    env = {"OPENBLAS_NUM_THREADS": "5"}
    assert take_share(None, env) == (5, "")
    assert env == {"OPENBLAS_NUM_THREADS": "5"}


def test_alone_all_cores_are_used_and_nothing_is_said(machine):
    env = {}
    assert take_share(None, env) == (6, "")
    assert env == dict.fromkeys(VARIABLES, "6") and machine.bound is None


@pytest.mark.parametrize("size, rank, mine, words", [
    (2, 0, [0, 1, 2], "cores 0-2"), (2, 1, [3, 4, 5], "cores 3-5"), (4, 3, [3], "core 3"), (6, 5, [5], "core 5")])
def test_ranks_that_nobody_has_bound_get_cores_of_their_own(machine, size, rank, mine, words):
    env = ranks(size, rank)
    number, note = take_share(None, env)
    assert number == len(mine) == int(env["OMP_NUM_THREADS"]) and machine.bound == mine
    assert note.startswith(f"Threads: {len(mine)} a rank; each of the {size} ranks of ")
    assert note.endswith(f"has cores of its own, rank {rank} {words}")


def test_shares_of_all_ranks_are_disjoint(machine):
    machine.own = machine.job = [0, 2, 3, 7, 8, 9, 20]
    taken = []
    for rank in range(3):
        take_share(None, ranks(3, rank))
        taken += machine.bound
    assert taken == [0, 2, 3, 7, 8, 9]


@pytest.mark.parametrize("asked, more, words", [
    (None, {"OMP_NUM_THREADS": "2"}, "Threads: 2 a rank, as OMP_NUM_THREADS says; each of the 2"), (1, {}, "Threads: 1 a rank; each")])
def test_fewer_threads_than_cores_change_no_binding(machine, asked, more, words):
    assert take_share(asked, ranks(2, **more)).note.startswith(words)
    assert machine.bound == [0, 1, 2]


@pytest.mark.parametrize("own, size, asked, more, words", [
    ([4], 2, None, {}, "Threads: 1 a rank; the launcher bound rank 0 to core 4 of .*; --bind-to none lets each have 3"),
    ([0, 1, 2], 2, None, {}, "Threads: 3 a rank; the launcher bound rank 0 to cores 0-2 of [^;]*$"),
    (None, 2, 4, {}, "Threads: 4 a rank; the 2 ranks of .* share its 6 cores"),
    (None, 8, None, {}, "Threads: 1 a rank; the 8 ranks of .* share its 6 cores"),
    (None, 2, None, {"OMP_PLACES": "cores"}, "Threads: 3 a rank; cores of .* as OMP_PLACES says"),
])
def test_what_a_user_has_arranged_stays(machine, own, size, asked, more, words):
    machine.own = own or machine.own
    import re
    assert re.match(words, take_share(asked, ranks(size, **more)).note)
    assert machine.bound is None


@pytest.mark.parametrize("numbers, text", [([3], "core 3"), ([0, 1], "cores 0-1"), ([0, 2, 3, 4, 9], "cores 0,2-4,9")])
def test_cores_in_words(numbers, text):
    assert spans(numbers) == text


def test_blas_computes_in_one_thread():
    program = ("import numpy, ctypes, sys\nfrom caffempi.threads import quiet_blas\nif not quiet_blas(): sys.exit(7)\n"
               "maps = {line.split()[-1] for line in open('/proc/self/maps') if 'openblas' in line}\n"
               "for path in maps:\n    c = ctypes.CDLL(path)\n"
               "    for n in ('scipy_openblas_get_num_threads64_', 'openblas_get_num_threads'):\n"
               "        if hasattr(c, n): print(getattr(c, n)())")
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         env={**os.environ, "OPENBLAS_NUM_THREADS": "2"}, check=False)
    if ran.returncode == 7:
        pytest.skip("NumPy's BLAS here is no OpenBLAS")
    assert ran.stdout.split() and set(ran.stdout.split()) == {"1"}


def test_without_a_list_of_libraries_blas_is_left_alone(monkeypatch):
    def missing(path):
        raise FileNotFoundError(path)
    monkeypatch.setattr("builtins.open", missing)
    assert not quiet_blas()


@pytest.mark.mpi
def test_ranks_under_mpirun_have_disjoint_cores():
    if len(threads.cores(0)) < 2:
        pytest.skip("one core only")
    env = {k: v for k, v in environment().items() if k not in VARIABLES}
    program = "import os; from caffempi.threads import take_share; n = take_share(None); print(n.threads, *sorted(os.sched_getaffinity(0)))"
    ran = subprocess.run([mpirun(), "--bind-to", "none", "-n", "2", sys.executable, "-c", program], capture_output=True,
                         text=True, env=env, timeout=60, check=True)
    lines = [list(map(int, line.split())) for line in ran.stdout.splitlines()]
    assert len(lines) == 2 and all(n == len(own) for n, *own in lines)
    assert not set(lines[0][1:]) & set(lines[1][1:])
