"""Making one batch, wherever in the stream it starts: the work that prefetch threads do."""
from __future__ import annotations

from collections import deque
from typing import Protocol

import numpy as np

from caffempi.data.fields import fits_memory
from caffempi.data.shard import Order
from caffempi.data.source import Source
from caffempi.data.transform import Transform
from caffempi.engines.access import Recipe
from caffempi.errors import DataError

Batch = list[np.ndarray]   # one array a top
_CHUNK = 64                # records decoded before they are transformed: bounds the memory that decoded images take


class RawBatch(list[np.ndarray]):
    """A batch whose images the engine is to transform by the recipe: pixels and places (see `ops.transform`) in place of the
    first top, then the others."""

    def __init__(self, arrays: Batch, recipe: Recipe) -> None:
        super().__init__(arrays)
        self.recipe = recipe


class Maker(Protocol):
    """Makes batches of `batch` records; safe to call from `threads` threads at once (0: only from the reader's own)."""

    batch: int
    threads: int

    def shapes(self, start: int) -> list[tuple[int, ...]]:
        """Shapes of the batch that starts at stream position `start`, from its first record."""

    def make(self, start: int) -> Batch:
        """The batch whose records start at stream position `start`. Raises DataError."""

    def recycle(self, batch: Batch) -> None:
        """Takes back arrays that the reader has copied."""

    def close(self) -> None:
        """Lets go of the source; idempotent."""


class Pool:
    """Arrays to be used again: new memory of a big batch costs as much as filling it."""

    def __init__(self, most: int) -> None:
        self._free: deque[np.ndarray] = deque(maxlen=most)   # its single operations are safe between threads

    def take(self, shape: tuple[int, ...], dtype: type | np.dtype = np.float32) -> np.ndarray:
        """An array of that shape and type, with any values in it."""
        for _ in range(len(self._free)):
            try:
                array = self._free.popleft()
            except IndexError:
                break
            if array.shape == shape and array.dtype == dtype:
                return array
        fits_memory(int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize, f"a batch of shape {list(shape)}")
        return np.empty(shape, dtype)

    def give(self, array: np.ndarray) -> None:
        """Puts an array back."""
        self._free.append(array)


class PixelBatches:
    """Batches of images and labels: (B, C, H, W) float32, and with two tops (B,) float64 labels too.

    field, path: what an error says of the source.
    """

    def __init__(self, source: Source, transform: Transform, order: Order, *, batch: int, tops: int, threads: int,
                 field: str, path: str) -> None:
        self.batch, self.threads = batch, threads
        self._source, self._transform, self._order, self._tops = source, transform, order, tops
        self._field, self._path = field, path
        self._pool = Pool(threads + 2)
        self._recipe: Recipe | None = None

    def leave_transform(self) -> None:
        """From now on batches are RawBatches, unless a record in them holds floats. Before the first is made."""
        self._recipe = Recipe(float(self._transform.scale), self._transform.mean)

    def shapes(self, start: int) -> list[tuple[int, ...]]:
        """Data and label shapes, from the first record alone, as Caffe does it."""
        try:
            ordinal = int(self._order.take(start, 1)[1][0])
            return self._shapes(ordinal, self._source.read([ordinal])[0].pixels.shape)
        except DataError as e:
            raise self._named(e) from None

    def make(self, start: int) -> Batch:
        """Reads, decodes and transforms one batch, or leaves the transform to others."""
        try:
            return self._make(start, self._recipe)
        except DataError as e:
            raise self._named(e) from None
        except MemoryError:
            raise DataError(f"there is not enough memory for a batch of {self.batch} records") from None

    def recycle(self, batch: Batch) -> None:
        """Keeps the data array for a later batch."""
        self._pool.give(batch[0])

    def close(self) -> None:
        """Closes the source."""
        self._source.close()

    def _make(self, start: int, recipe: Recipe | None) -> Batch:
        epochs, ordinals = self._order.take(start, self.batch)
        labels, places = np.empty(self.batch), np.empty((self.batch, 3), np.int32)
        for lo in range(0, self.batch, _CHUNK):
            part = slice(lo, lo + _CHUNK)
            samples = self._source.read(ordinals[part].tolist())
            images = [s.pixels for s in samples]
            if recipe is not None and any(image.dtype != np.uint8 for image in images):
                return self._make(start, None)
            if not lo:
                data = self._pool.take(self._shapes(int(ordinals[0]), images[0].shape)[0],
                                       np.float32 if recipe is None else np.uint8)
            labels[part] = [s.label for s in samples]
            where = epochs[part], ordinals[part], data[part]
            if recipe is None:
                self._transform.apply(images, *where, self._source.name)
            else:
                self._transform.cut(images, *where, places[part], self._source.name)
        if recipe is None:
            return [data, labels][:self._tops]
        return RawBatch([data, places, labels][:self._tops + 1], recipe)

    def _shapes(self, ordinal: int, pixels: tuple[int, ...]) -> list[tuple[int, ...]]:
        try:
            shape = self._transform.shape(pixels)
        except DataError as e:
            e.why = f"{self._source.name(ordinal)} {e.why}"
            raise
        return [(self.batch, *shape), (self.batch,)][:self._tops]

    def _named(self, error: DataError) -> DataError:
        """The error with the source as its field, unless it blames another one."""
        return error if error.field else error.at(field=self._field, value=self._path)
