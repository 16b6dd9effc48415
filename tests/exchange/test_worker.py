"""The exchange thread's watch over its peers."""
from __future__ import annotations

import re

import pytest

from caffempi.exchange.ending import PeerFailed
from caffempi.exchange.worker import Job


@pytest.mark.mpi
def test_a_stall_is_warned_of_then_ended_and_names_the_rank_that_has_not_come(ran):
    left = ran(3, "failing", "stall")
    lines = left.err.splitlines()
    assert left.rc == 1 and len(lines) >= 2
    for line in lines:
        assert re.fullmatch(r"caffempi: rank 0: bucket 0 of iteration 2 has waited \d+ s: rank 2 has not come to it",
                            line)


@pytest.mark.mpi
def test_a_rank_that_stands_still_as_a_whole_is_named_as_one_that_does_not_answer_and_all_end(ran):
    left = ran(2, "failing", "stall of a process")
    assert left.rc == 1
    assert re.match(r"caffempi: rank 0: bucket 0 of iteration 2 has waited \d+ s: rank 1 does not answer\n", left.err)


@pytest.mark.mpi
def test_a_rank_that_ends_well_too_early_ends_those_that_wait_for_it(ran):
    left = ran(3, "failing", "left early")
    assert left.rc == 1
    assert left.err == "caffempi: rank 0: rank 2 ended before bucket 0 of iteration 2\n"


def test_a_job_hands_over_its_result_or_the_failure_of_a_peer():
    job = Job("a sum", None)
    job.finish(3)
    assert job.wait() == 3
    job = Job("a sum", None)
    job.finish(error="rank 1 has failed")
    with pytest.raises(PeerFailed, match="rank 1 has failed"):
        job.wait()


def test_a_failure_that_is_heard_after_a_result_does_not_take_it_back():
    job = Job("a sum", None)
    job.finish(3)
    job.finish(error="rank 1 has failed")
    assert job.wait() == 3
