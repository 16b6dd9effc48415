"""Settings of losses as kernels take them, and how many blocks make partial sums."""
import math

import pytest

from caffempi.engines.cuda.losses import BLOCKS, VALID, Terms, divisor_of, none_as_nan
from caffempi.engines.cuda.rule import OUT, Job
from caffempi.ops.labels import loss_divisor


@pytest.mark.parametrize("mode", ["full", "batch", "none"])
@pytest.mark.parametrize(("places", "outer"), [(0, 0), (12, 3)])
def test_divisors_known_beforehand_are_those_of_the_definition(mode, places, outer):
    assert divisor_of(mode, places, outer) == loss_divisor(mode, places, outer, 5)


def test_what_the_labels_decide():
    assert divisor_of("valid", 12, 3) == VALID
    assert math.isnan(none_as_nan(None)) and none_as_nan(255) == 255.0


@pytest.mark.parametrize(("count", "a_block", "blocks"), [(0, 256, 1), (257, 256, 2), (10**9, 256, BLOCKS)])
def test_blocks_of_partial_sums(count, a_block, blocks):
    job = Job("some.cu")
    terms = Terms(job, count, a_block)
    terms.start("f", terms.sums, terms.counts)
    terms.finish(2.0, OUT())
    first, last = job.launches
    assert first.grid == (blocks,) and not first.strided and terms.sums.length == terms.counts.length == blocks
    assert last.grid == (1,) and last.args[0] == blocks
