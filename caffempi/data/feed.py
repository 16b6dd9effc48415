"""Feeds: what a net draws batches from, one for each of its data layers.

    feed = open_feed(layer, phase, tops=2, rank=0, ranks=1, seed=7)
    outs = [np.empty(shape, np.float32) for shape in feed.shapes()]
    feed.next(outs)
"""
from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from caffempi.data.batches import Batch, Maker, PixelBatches, RawBatch
from caffempi.data.makers import open_maker
from caffempi.data.memory_feed import MemoryFeed, memory_shapes
from caffempi.data.prefetch import Prefetcher
from caffempi.data.shard import first_of
from caffempi.engines.access import Recipe
from caffempi.errors import CaffempiError, DataError, ShapeError
from caffempi.proto import caffe_pb2


class Feed(Protocol):
    """Batches for the tops of one data layer, for one rank. Its errors name the layer and its place."""

    tops: int

    def shapes(self) -> list[tuple[int, ...]]:
        """Shapes of the next batch, one a top; they may differ from batch to batch."""

    def recipe(self) -> Recipe | None:
        """How an engine is to make the next batch's first top from images in bytes; None where it comes as it is."""

    def next(self, outs: list[np.ndarray]) -> None:
        """Writes the next batch into arrays (float32 or float64) of exactly those shapes; by a recipe pixels and places come in
        place of the first."""

    def position(self) -> int:
        """Records taken so far by all ranks together; what was made ahead does not count."""

    def seek(self, position: int) -> None:
        """Goes on from that position: the same batches as in a run that was never stopped."""

    def close(self) -> None:
        """Stops the threads and closes the files; idempotent."""


class BatchFeed:
    """The Feed over any Maker. context: what errors are to name (layer, type, where)."""

    def __init__(self, maker: Maker, *, tops: int, rank: int, ranks: int, depth: int, context: dict[str, Any]) -> None:
        self.tops = tops
        self._maker, self._context = maker, context

        def make(position: int) -> Batch:   # refers to the maker alone, so that the feed can be collected
            return maker.make(first_of(position, rank, maker.batch))

        threads = min(maker.threads, depth)
        self._batches = Prefetcher(make, stride=ranks * maker.batch, threads=threads, depth=depth, done=maker.close)

    def shapes(self) -> list[tuple[int, ...]]:
        """Shapes of the next batch; waits for it."""
        batch = self._peek()
        return [array.shape for array in ([batch[0], *batch[2:]] if isinstance(batch, RawBatch) else batch)]

    def recipe(self) -> Recipe | None:
        """That of the next batch; waits for it."""
        batch = self._peek()
        return batch.recipe if isinstance(batch, RawBatch) else None

    def next(self, outs: list[np.ndarray]) -> None:
        """Copies the next batch into outs. Raises ShapeError, and takes nothing, where they do not have its shapes."""
        batch = self._peek()
        got, wanted = [out.shape for out in outs], [array.shape for array in batch]
        if got != wanted:
            raise ShapeError(f"the next batch has shapes {[list(s) for s in wanted]}, but is to be written into "
                             f"{[list(s) for s in got]}").at(**self._context)
        for out, array in zip(outs, batch, strict=True):
            np.copyto(out, array, casting="unsafe")   # double precision of HDF5 into float32 among others
        self._batches.advance()
        self._maker.recycle(batch)

    def position(self) -> int:
        """Records taken so far by all ranks."""
        return self._batches.position

    def seek(self, position: int) -> None:
        """Restarts at that position. Raises DataError for a negative one."""
        if position < 0:
            raise DataError(f"there is no position {position} in the data").at(**self._context)
        self._batches.seek(position)

    def close(self) -> None:
        """Stops the threads, then closes the source."""
        self._batches.close()

    def _peek(self) -> Batch:
        try:
            return self._batches.peek()
        except CaffempiError as e:
            raise e.at(**self._context) from None


def open_feed(layer: caffe_pb2.LayerParameter, phase: int, *, tops: int, rank: int = 0, ranks: int = 1, seed: int = 0,
              base: str | None = None, where: str | None = None, batch: int | None = None,
              transforms: bool = False) -> Feed | None:
    """The feed of a Data, HDF5Data, ImageData, WindowData, DummyData or MemoryData layer; None for other types.

    phase: caffe_pb2.TRAIN or TEST; tops: how many blobs it fills; rank, ranks: which part of each global batch it
    gives; seed: of shuffles, crops, flips and skips, the same on all ranks; base: folder that relative paths start from
    (None: the working directory); where: file:line of the layer, for errors; batch: takes the place of the layer's
    batch_size; transforms: leave the transform of images in bytes to the engine. Raises DataError for what cannot be opened
    or obeyed. Threads start with the first use.
    """
    context = {"layer": layer.name, "type": layer.type, "where": where}
    if layer.type == "MemoryData":
        return MemoryFeed(layer, rank=rank, ranks=ranks, batch=batch, context=context)
    maker = open_maker(layer, phase, tops, seed, base, batch, context)
    if maker is None:
        return None
    if transforms and isinstance(maker, PixelBatches):
        maker.leave_transform()
    return BatchFeed(maker, tops=tops, rank=rank, ranks=ranks, depth=layer.data_param.prefetch, context=context)


def probe(layer: caffe_pb2.LayerParameter, phase: int, *, tops: int, rank: int = 0, ranks: int = 1, seed: int = 0,
          base: str | None = None, where: str | None = None, batch: int | None = None) -> list[tuple[int, ...]] | None:
    """Shapes of the first batch of open_feed's feed, from one record and without threads; None for other types."""
    context = {"layer": layer.name, "type": layer.type, "where": where}
    if layer.type == "MemoryData":
        try:
            return memory_shapes(layer, batch)
        except CaffempiError as e:
            raise e.at(**context) from None
    maker = open_maker(layer, phase, tops, seed, base, batch, context)
    if maker is None:
        return None
    try:
        return maker.shapes(first_of(0, rank, maker.batch))
    except CaffempiError as e:
        raise e.at(**context) from None
    finally:
        maker.close()
