"""How sums are started: in the parts of `Channels`, with scratch for all of them, by kernels that are told of."""
import pytest

from caffempi.engines.cuda.channels import BLOCKS, Channels
from caffempi.engines.cuda.rule import ADD, IN, MAX_BLOCKS, OUT, Form, Job
from caffempi.engines.cuda.sums import start_sums, sum_names


@pytest.mark.parametrize("sizes", [(32, 64, 112 * 112), (256, 1000, 1), (32 * 112 * 112, 64, 1), (1, 1, 2**33), (8, 3, 7),
                                   (2**20, 4096, 1), (1, 10**6, 1), (64, 2048, 49), (5, 3, 0)])
def test_parts(sizes):
    job, at = Job("some.cu"), Channels.around(*sizes)
    start_sums(job, Form(), "Product", at, (IN(0), IN(1)), OUT(), ADD)
    first, second = job.launches
    blocks, = first.grid
    assert 1 <= blocks <= MAX_BLOCKS
    assert first.args[:4] == (*at, at.parts) and second.args[:2] == (at.channels, at.parts)
    assert job.scratch >= 4 * at.parts * at.channels
    work = at.m * at.channels / blocks
    assert blocks >= BLOCKS / 2 or work <= 2**13, "too few blocks for so much work"
    assert {first.expression, second.expression} == {n.replace("{T}", "float") for n in sum_names("Product")}
