"""The base of policies: its memory, and numbers of single precision."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter, SolverState
from caffempi.solver.policy import NO_LOSS, Policy, power, single


def test_the_memory_starts_as_a_state_that_has_none_of_it():
    assert Policy(SolverParameter()).memory == {name: getattr(SolverState(), name)
                                                for name in ("current_step", "minimum_loss", "iter_last_event")}
    assert SolverState().minimum_loss == NO_LOSS


def test_memory_goes_round_and_takes_the_floats_of_an_exchange():
    policy = Policy(SolverParameter())
    policy.memory = {"current_step": 2.0, "minimum_loss": 0.5, "iter_last_event": 7.0, "iter": 9}
    assert policy.memory == {"current_step": 2, "minimum_loss": 0.5, "iter_last_event": 7}
    assert isinstance(policy.current_step, int)


def test_single_is_the_nearest_float32():
    assert single(0.1) == float(np.float32(0.1)) and single(-2.5) == -2.5


@pytest.mark.parametrize("value", [1e39, -1e39, float("inf")])
def test_what_float32_cannot_hold_is_an_error(value):
    with pytest.raises(SolverError, match="not finite"):
        single(value)


@pytest.mark.parametrize("base, exponent", [(10.0, 1e6), (0.0, -1.0), (-1.0, 0.5), (float("nan"), 1.0)])
def test_a_power_that_is_no_number_is_an_error(base, exponent):
    with pytest.raises(SolverError, match="not finite") as e:
        power(base, exponent)
    assert e.value.field == "lr_policy"
