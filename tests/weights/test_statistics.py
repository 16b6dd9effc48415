"""BatchNorm's blobs of BVLC, NVCaffe, Intel and DIGITS, told apart by content."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import WeightsError
from caffempi.weights.statistics import normalise_statistics

C = 3
MEAN, VAR, SCALE, BIAS = (np.arange(k, k + C, dtype=np.float32) for k in (1, 10, 20, 30))


def weight(value: float, shape: tuple[int, ...] = (1,)) -> np.ndarray:
    return np.full(shape, value, np.float32)


def values(blobs: list[np.ndarray | None]) -> list[list[float] | None]:
    return [None if b is None else b.tolist() for b in blobs]


FULL = [MEAN, VAR, weight(4), SCALE, BIAS]


@pytest.mark.parametrize(("found", "wanted", "expected", "said"), [
    ([MEAN, VAR, weight(4)], 3, [MEAN, VAR, weight(4)], 0),                       # BVLC: sums with their weight
    ([MEAN, VAR, weight(0)], 3, [MEAN, VAR, weight(0)], 0),                       # BVLC: never trained
    (FULL, 5, FULL, 0),                                                           # NVCaffe, Intel
    ([MEAN, VAR, weight(0), SCALE, BIAS], 5, [MEAN, VAR, weight(1), SCALE, BIAS], 1),   # NVCaffe: taken as they are
    ([0 * MEAN, 0 * VAR, weight(0), SCALE, BIAS], 5, [0 * MEAN, 0 * VAR, weight(0), SCALE, BIAS], 0),
    ([SCALE, BIAS, MEAN, VAR, weight(7)], 5, [MEAN, VAR, weight(1), SCALE, BIAS], 1),   # DIGITS
    ([SCALE / SCALE, 0 * BIAS, MEAN, VAR, weight(7)], 3, [MEAN, VAR, weight(1)], 2),
    ([MEAN, VAR, weight(4)], 5, [MEAN, VAR, weight(4), None, None], 1),
    ([MEAN, VAR, weight(4), SCALE], 5, [MEAN, VAR, weight(4), SCALE, None], 1),   # Intel without bias_term
    ([MEAN, VAR, weight(4), np.ones(C)], 3, [MEAN, VAR, weight(4)], 1),
    ([MEAN, VAR, weight(4), np.ones(C), np.zeros(C)], 3, [MEAN, VAR, weight(4)], 1),
    ([b.reshape(1, C, 1, 1) for b in (MEAN, VAR)] + [weight(4, (1, 1, 1, 1))], 3, [MEAN, VAR, weight(4)], 0),
    ([b.reshape(1, C, 1, 1) for b in (SCALE, BIAS, MEAN, VAR)] + [weight(0, ())], 5, [MEAN, VAR, weight(1), SCALE, BIAS], 1),
])
def test_layouts(found: list[np.ndarray], wanted: int, expected: list[np.ndarray | None], said: int) -> None:
    got, notes = normalise_statistics(found, wanted, "bn")
    assert values(got) == values(expected) and len(notes) == said


@pytest.mark.parametrize("found", [FULL, [SCALE, BIAS, MEAN, VAR, weight(7)], [MEAN, VAR, weight(4), SCALE]])
def test_a_learned_scale_is_not_lost(found: list[np.ndarray]) -> None:
    with pytest.raises(WeightsError, match="learned scale and bias.*scale_bias: true"):
        normalise_statistics(found, 3, "bn")


@pytest.mark.parametrize(("found", "wanted"), [
    ([], 3), ([MEAN, VAR], 3), ([MEAN, None, weight(1)], 3), ([MEAN, VAR, MEAN], 3), (FULL, 4), ([*FULL, MEAN], 5)])
def test_what_is_none_of_these_stays_as_it_is(found: list[np.ndarray | None], wanted: int) -> None:
    got, notes = normalise_statistics(found, wanted, "bn")
    assert len(got) == len(found) and all(a is b for a, b in zip(got, found, strict=True)) and notes == []


def test_one_channel_is_not_taken_for_the_order_of_digits() -> None:
    one = [np.full(1, float(k)) for k in (2, 3, 1, 5, 6)]
    assert values(normalise_statistics(one, 5, "bn")[0]) == [[2], [3], [1], [5], [6]]


def test_the_given_arrays_are_not_written_to() -> None:
    found = [MEAN, VAR, weight(0), SCALE, BIAS]
    normalise_statistics(found, 5, "bn")
    assert found[2] == 0
