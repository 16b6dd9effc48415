"""Loss scaling step by step: the factor's way up and down, its bounds, and what is told of each step."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.ops import Spec, get_op
from caffempi.ops.loss_scale import LossScaleAttrs
from caffempi.ops.update import CHUNK
from tests.helpers.opcheck import forward

ATTRS = LossScaleAttrs(every=3, lowest=0.5, highest=16.0)


class Steps:
    """The arrays of a run, as a solver keeps them."""

    def __init__(self, factor: float) -> None:
        self.flags, self.own = np.zeros(3, np.float32), np.zeros(3, np.float32)
        self.factor, self.tally = np.array(factor, np.float32), np.zeros(4, np.float32)

    def step(self, bad: bool = False, own: bool = False) -> np.ndarray:
        """One step; the terms after it."""
        if bad:
            self.flags[1] = np.nan
        if own:
            self.own[2] = np.nan
        terms = np.array([[6, 1, 2], [3, 4, 5]], np.float32)
        arrays = [self.flags, self.own, self.factor, self.tally, terms]
        get_op("loss_scale").forward(ATTRS, arrays, arrays, (), (), None)
        assert not self.flags.any() and not self.own.any()
        np.testing.assert_array_equal(terms[:, 1:], [[1, 2], [4, 5]])
        return terms[:, 0]


def test_the_factor_doubles_after_so_many_good_steps_up_to_its_bound():
    run = Steps(4)
    seen = []
    for _ in range(9):
        used = float(run.factor)
        np.testing.assert_allclose(run.step(), [6 / used, 3 / used])
        seen.append((float(run.factor), *run.tally.tolist()))
    assert seen == [(4, 1, 0, 4, 0), (4, 2, 0, 4, 0), (8, 0, 0, 4, 0), (8, 1, 0, 8, 0), (8, 2, 0, 8, 0), (16, 0, 0, 8, 0),
                    (16, 1, 0, 16, 0), (16, 2, 0, 16, 0), (16, 0, 0, 16, 0)]


def test_a_bad_step_is_skipped_halves_the_factor_down_to_its_bound_and_starts_the_count_anew():
    run = Steps(2)
    run.step()
    for used, after in ((2, 1), (1, 0.5), (0.5, 0.5)):
        assert np.isnan(run.step(bad=True)).all()
        assert (float(run.factor), *run.tally.tolist()) == (after, 0, 1, used, 0)
    run.step()
    assert run.tally.tolist() == [1, 0, 0.5, 0]


@pytest.mark.parametrize("factor, bad", [(64, False), (0.25, True)])
def test_a_factor_beyond_a_bound_is_not_moved_towards_it(factor, bad):
    run = Steps(factor)
    for _ in range(3):
        run.step(bad)
    assert float(run.factor) == factor


def test_a_rank_is_told_whether_its_own_gradients_were_at_fault():
    run = Steps(2)
    run.step(bad=True, own=True)
    assert run.tally[3] == 1
    run.step(bad=True)
    assert run.tally[3] == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, CHUNK - 1, CHUNK + 6])
def test_one_element_that_is_not_finite_raises_the_flags(bad, at):
    a = np.ones(CHUNK + 7, np.float32)
    a[at] = bad
    got, = forward("nonfinite", None, [a, np.zeros(2, np.float32)])
    assert np.isnan(got).any()


def test_large_numbers_and_empty_arrays_raise_none_and_a_raised_flag_stays():
    for a in (np.full(9, 3e38, np.float32), np.zeros(0, np.float32)):
        got, = forward("nonfinite", None, [a, np.array([0, np.nan], np.float32)])
        np.testing.assert_array_equal(got, [0, np.nan])


def test_a_seed_is_multiplied_in_any_shape():
    for shape in ((), (2, 3)):
        got, = forward("scale_seed", None, [np.full(shape, 3, np.float32), np.array(4, np.float32)])
        np.testing.assert_array_equal(got, np.full(shape, 12))


def test_costs_grow_with_the_gradients():
    small, large = (get_op("nonfinite").cost(None, [Spec((n,)), Spec((4,))], [Spec((4,))]) for n in (10, 1000))
    assert small[0] < large[0] and small[1] < large[1]
    assert get_op("scale_seed").cost(None, [Spec(()), Spec(())], [Spec(())])[0] == 1
    assert get_op("loss_scale").cost(ATTRS, [Spec((4,))] * 5, [Spec((4,))] * 5)[1] > 0
