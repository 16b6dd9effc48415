"""Whether devices meet: reasons against it in words, and what the ranks then do."""
import pytest

from caffempi.engines.peers import Peering
from caffempi.exchange.meeting import objection
from tests.helpers.cuda.hostrun import needs_compiler

A, B, OTHER = Peering("01", "NCCL 2.27.7"), Peering("02", "NCCL 2.27.7"), Peering("02", "NCCL 2.28.3")
CPU, NONE = Peering(), Peering("02", why_not="NCCL cannot be loaded")


@pytest.mark.parametrize("rows, hosts, said", [
    ([A, B], "hh", None), ([A, A], "hk", None), ([A], "h", None),
    ([CPU, CPU], "hh", ""), ([A, CPU], "hh", "rank 1 computes on the CPU"), ([CPU, A], "hk", "rank 0 (h) computes on the CPU"),
    ([A, NONE], "hh", "rank 1: NCCL cannot be loaded"), ([A, B, A, B], "hhhh", "ranks 0, 2 share a GPU, which makes none of them faster"),
    ([A, OTHER], "hh", "rank 0 has NCCL 2.27.7, rank 1 has NCCL 2.28.3"),
])
def test_what_is_said_against_it(rows, hosts, said):
    assert objection(rows, list(hosts)) == said


OVER_HOST = "Gradients go over the memory of the hosts and MPI: "


@needs_compiler
@pytest.mark.mpi
def test_where_one_rank_lacks_nccl_no_rank_waits_in_it_and_one_line_says_why(gpus):
    left, params = gpus(2, "missing")
    said = [line for line in left.out.splitlines() if line.startswith("Gradients")]
    assert left.rc == 0 and len(said) == 1 and said[0].startswith(OVER_HOST + "rank 1: NCCL cannot be loaded")
    assert params == gpus(2, "nccl")[1]


@needs_compiler
@pytest.mark.slow
@pytest.mark.mpi
def test_ranks_that_share_a_gpu_go_over_the_host(gpus):
    left, params = gpus(2, "shared")
    assert left.rc == 0 and f"{OVER_HOST}ranks 0, 1 share a GPU, which makes none of them faster\n" in left.out
    assert params == gpus(2, "nccl")[1]


@needs_compiler
@pytest.mark.mpi
def test_a_rank_that_nccl_refuses_ends_all_with_its_line_though_the_others_wait_in_nccl(gpus):
    left, _ = gpus(2, "refused")
    assert left.rc == 1
    assert "caffempi: rank 1: NCCL joins no group: NCCL_ERROR_SYSTEM_ERROR: unhandled system error; NCCL_DEBUG" in left.err
