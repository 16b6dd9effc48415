"""How sums are cut into slices: enough blocks for a GPU, whatever the shape, and scratch for all of them."""
import pytest

from caffempi.engines.cuda.rule import ADD, IN, MAX_BLOCKS, OUT, Form, Job
from caffempi.engines.cuda.sums import BLOCKS, start_sums, sum_names


@pytest.mark.parametrize("sizes", [(32, 64, 112 * 112), (256, 1000, 1), (32 * 112 * 112, 64, 1), (1, 1, 2**33), (8, 3, 7),
                                   (2**20, 4096, 1), (1, 10**6, 1), (64, 2048, 49)])
def test_slices(sizes):
    job = Job("some.cu")
    start_sums(job, Form(), "Product", sizes, (IN(0), IN(1)), OUT(), ADD)
    first, second = job.launches
    blocks, slices = first.grid
    assert 1 <= slices <= 65535 and blocks <= MAX_BLOCKS and blocks * slices <= max(BLOCKS, blocks)
    outer, count, inner = sizes
    assert first.args[:3] == sizes
    rows = first.expression.startswith("sum_rows")
    assert rows == (inner >= 16 or outer == 1)
    columns = 1 if rows else inner
    assert second.args[:3] == (slices, count, columns)
    assert job.scratch >= 4 * slices * count * columns
    work = outer * inner * count / (blocks * slices)
    assert blocks * slices >= BLOCKS / 2 or work <= 2**12, "too few blocks for so much work"
    assert {first.expression, second.expression} <= {n.replace("{T}", "float") for n in sum_names("Product")}
