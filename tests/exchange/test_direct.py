"""Gradients from device to device on real ranks, each with a stand-in for a GPU: the numbers, the order, and failures."""
import re

import numpy as np
import pytest

from tests.helpers.cuda.hostrun import needs_compiler

pytestmark = [pytest.mark.mpi, needs_compiler]


def good(gpus, ranks, how):
    left, params = gpus(ranks, how)
    assert (left.rc, len(set(params))) == (0, 1), left.err
    return np.frombuffer(params[0], np.float32)


@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_end_with_the_bits_of_the_way_over_the_host_and_the_numbers_of_one_rank(gpus, ranks):
    params = good(gpus, ranks, "nccl")
    assert f"Gradients are averaged by NCCL 2.27.7 between {ranks} GPUs\n" in gpus(ranks, "nccl")[0].out
    assert params.tobytes() == good(gpus, ranks, "host").tobytes()   # small buckets, which both add in the order of ranks
    np.testing.assert_allclose(params, good(gpus, 1, "nccl"), rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_in_16_bits_gradients_are_float32_and_scaled_alike_on_both_ways(gpus):
    assert good(gpus, 2, "fp16").tobytes() == good(gpus, 2, "fp16 host").tobytes()


@pytest.mark.parametrize("how", ["not ready", "not waited for"])
def test_without_an_event_on_either_side_the_stand_in_gives_other_numbers(gpus, how):
    left, params = gpus(2, how)
    assert left.rc != 0 or set(params) != set(gpus(2, "nccl")[1])


def test_an_error_of_one_rank_is_the_line_of_all(gpus):
    left, _ = gpus(2, "fails")
    assert (left.rc, left.err) == (1, "caffempi: rank 1: no such record\n")


@pytest.mark.slow
def test_an_error_of_nccl_names_the_rank_that_met_it(gpus):
    left, _ = gpus(2, "broken")
    assert left.rc == 1
    assert left.err.startswith("caffempi: rank 1: NCCL fails: NCCL_ERROR_REMOTE: remote process exited")


def test_a_rank_that_is_killed_ends_all(gpus):
    assert gpus(2, "killed")[0].rc != 0


@pytest.mark.slow
@pytest.mark.parametrize("how, said", [
    ("stall", "rank 2 has not come to it"), ("stall of a process", "rank 2 does not answer"),
    ("stall of a device", "all ranks are in it, the network does not move")])
def test_devices_that_wait_in_vain_are_warned_of_and_ended(gpus, how, said):
    left, _ = gpus(3, how)
    assert left.rc != 0
    assert re.search(rf"caffempi: rank 0: bucket \d of iteration \d has waited \d+ s: {said}\n", left.err)
