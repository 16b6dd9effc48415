"""Which batches and depths are timed, and how they are told."""
from __future__ import annotations

import pytest
from benchmark import growth
from benchmark.contest import OURS, Contest, Rules


@pytest.mark.parametrize("most, found", [(1, [1]), (2, [1, 2]), (16, [1, 2, 4, 8, 16]), (100, [1, 2, 4, 8, 16, 32, 64, 100])])
def test_batches_double_up_to_the_nets_own(most, found):
    assert growth.batches(most) == found


@pytest.mark.parametrize("layers, found", [(1, [1]), (4, [1, 2, 3, 4]), (53, [13, 26, 39, 53])])
def test_depths_are_quarters(layers, found):
    assert growth.depths(layers) == found


def test_a_net_is_timed_by_batch_and_by_depth(tiny, tmp_path):
    def held(task, rules):
        return Contest(task.name, task.batch, 1, True, rounds={OURS: [[2.0 * task.batch]], "eager": [[4.0 * task.batch]]},
                       facts={OURS: {"setup_s": 0.5}})
    by_batch, by_depth = growth.grow(tiny, tmp_path, Rules([0]), held)
    assert [c.batch for c in by_batch] == [1, 2, 4]
    assert [(c.net, c.batch) for c in by_depth] == [("tiny, 1 of 2 layers", 4), ("tiny, 2 of 2 layers", 4)]
    assert growth.table(by_batch)[2] == ["tiny", "2", "4.00", "2.000", "0.50", "8.00", "4.000", "0.50"]
    by_batch[0].rounds.pop("eager")
    assert growth.table(by_batch)[1] == ["tiny", "1", "2.00", "2.000", "0.50", "", "", ""]
