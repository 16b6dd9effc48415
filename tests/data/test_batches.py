"""Making batches in pieces, and the pool of arrays."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.data.batches import PixelBatches, Pool, RawBatch
from caffempi.data.shard import Order
from caffempi.data.source import Sample
from caffempi.data.transform import Transform
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2


class Numbers:
    """A source whose record i is the number i, remembering how many records were asked for at once."""

    def __init__(self, n: int) -> None:
        self.n, self.most, self.closed = n, 0, False

    def __len__(self) -> int:
        return self.n

    def read(self, ordinals):
        self.most = max(self.most, len(ordinals))
        if 77 in ordinals:
            raise DataError("77 is bad")
        return [Sample(np.full((1, 2, 2), i % 256, np.uint8), float(i)) for i in ordinals]

    def name(self, ordinal: int) -> str:
        return f"number {ordinal}"

    def close(self) -> None:
        self.closed = True


def batches(n: int, batch: int, tops: int = 2) -> tuple[PixelBatches, Numbers]:
    source = Numbers(n)
    transform = Transform(caffe_pb2.TransformationParameter(), caffe_pb2.TEST, 0)
    return PixelBatches(source, transform, Order([n]), batch=batch, tops=tops, threads=1, field="f", path="p"), source


@pytest.mark.parametrize("batch", [1, 63, 64, 65, 200])
def test_big_batches_are_made_in_pieces_and_come_out_whole(batch):
    maker, source = batches(70, batch)
    maker._source.n = 70
    order = np.arange(5, 5 + batch) % 70
    data, labels = maker.make(5)
    assert data.shape == maker.shapes(5)[0] and source.most <= 64
    np.testing.assert_array_equal(labels, order)
    np.testing.assert_array_equal(data[:, 0, 1, 1], order)


def test_recycled_arrays_are_used_again():
    maker, _ = batches(10, 4)
    first = maker.make(0)
    maker.recycle(first)
    assert maker.make(4)[0] is first[0]
    assert maker.make(8)[0] is not first[0]


def test_errors_blame_the_source_and_close_reaches_it():
    maker, source = batches(100, 10, tops=1)
    with pytest.raises(DataError, match="field f = p: 77 is bad"):
        maker.make(70)
    maker.close()
    assert source.closed


def test_pool_gives_only_what_fits_and_refuses_the_impossible():
    pool = Pool(2)
    a = pool.take((2, 3))
    pool.give(a)
    assert pool.take((3, 2)).shape == (3, 2)
    pool.give(a)
    assert pool.take((2, 3), np.float64).dtype == np.float64
    with pytest.raises(DataError, match="GiB"):
        pool.take((1 << 20, 1 << 20, 1 << 20))


def test_a_transform_that_is_left_to_others_comes_as_bytes_places_and_the_rest():
    for tops in (1, 2):
        maker, _ = batches(200, 70, tops)
        maker.leave_transform()
        raw = maker.make(3)
        assert isinstance(raw, RawBatch) and (raw.recipe.scale, raw.recipe.mean) == (1.0, None)
        assert [(a.shape, a.dtype) for a in raw] == [((70, 1, 2, 2), np.uint8), ((70, 3), np.int32), ((70,), np.float64)][:tops + 1]
        np.testing.assert_array_equal(raw[0][:, 0, 1, 1], np.arange(3, 73))
        assert not raw[1].any() and maker.shapes(3) == [(70, 1, 2, 2), (70,)][:tops]
        maker.recycle(raw)
        assert maker.make(0)[0] is raw[0] and maker.make(0).recipe is raw.recipe
