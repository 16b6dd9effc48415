"""MemoryData: batches of arrays that the program hands over."""
from __future__ import annotations

from typing import Any

import numpy as np

from caffempi.data.fields import fits_memory
from caffempi.data.shard import first_of
from caffempi.errors import DataError, UsageError
from caffempi.proto import caffe_pb2


def memory_shapes(layer: caffe_pb2.LayerParameter, batch: int | None = None) -> list[tuple[int, ...]]:
    """Shapes of data and label, as memory_data_param gives them; batch: in place of its batch_size. Raises DataError."""
    p = layer.memory_data_param
    if layer.HasField("transform_param"):
        raise DataError("is not possible: arrays are given as the net is to see them", field="transform_param",
                        fix="transform them before net.set_input_arrays")
    dims = []
    for name in ("batch_size", "channels", "height", "width"):
        value = batch if name == "batch_size" and batch is not None else getattr(p, name)
        if value < 1:
            raise DataError("must be at least 1", field=f"memory_data_param.{name}", value=value)
        dims.append(value)
    fits_memory(4 * dims[0] * dims[1] * dims[2] * dims[3], f"a batch of shape {dims}", field="memory_data_param.batch_size",
                value=dims[0])
    return [tuple(dims), (dims[0],)]


class MemoryFeed:
    """A Feed over arrays: batch after batch, from the start again at their end. context: what errors are to name.

    Rank r of several takes the r-th batch of each round of all ranks.
    """

    tops = 2

    def __init__(self, layer: caffe_pb2.LayerParameter, *, rank: int, ranks: int, batch: int | None,
                 context: dict[str, Any]) -> None:
        self._shapes, self._context = memory_shapes(layer, batch), context
        self._rank, self._ranks, self._position = rank, ranks, 0
        self._arrays: list[np.ndarray] | None = None

    def set(self, data: Any, labels: Any) -> None:
        """From now on the batches come from these: N x C x H x W, and one label each (N, or N x 1 x 1 x 1).

        float32 arrays are kept as they are, not copied. Raises UsageError for other shapes, or an N that is no multiple of
        the batch.
        """
        arrays = [np.asarray(data, np.float32), np.asarray(labels, np.float32)]
        batch, item, n = self._shapes[0][0], self._shapes[0][1:], len(arrays[0]) if arrays[0].ndim else 0
        if arrays[0].shape[1:] != item or arrays[0].ndim != 4:
            raise UsageError(f"data must have shape N x {' x '.join(map(str, item))}, not "
                             f"{list(arrays[0].shape)}").at(**self._context)
        if arrays[1].shape not in [(n,) + (1,) * k for k in range(4)]:
            raise UsageError(f"labels must have shape {n} or {n} x 1 x 1 x 1, one for each item of data, not "
                             f"{list(arrays[1].shape)}").at(**self._context)
        if n == 0 or n % batch:
            raise UsageError(f"the number of items must be a multiple of the batch size {batch}, not {n}").at(**self._context)
        self._arrays, self._position = [arrays[0], arrays[1].reshape(n)], 0

    def shapes(self) -> list[tuple[int, ...]]:
        """The same for all batches."""
        return self._shapes

    def recipe(self) -> None:
        """Arrays are given as the net is to see them."""

    def next(self, outs: list[np.ndarray]) -> None:
        """Copies the next batch. Raises DataError where no arrays have been given."""
        if self._arrays is None:
            raise DataError("it has no data yet", fix="call net.set_input_arrays(data, labels) first").at(**self._context)
        batch = self._shapes[0][0]
        start = first_of(self._position, self._rank, batch) % len(self._arrays[0])
        for out, array in zip(outs, self._arrays, strict=True):
            np.copyto(out, array[start:start + batch])
        self._position += self._ranks * batch

    def position(self) -> int:
        """Items taken so far by all ranks."""
        return self._position

    def seek(self, position: int) -> None:
        """Goes on from that position. Raises DataError for one that is no multiple of the batch."""
        if position < 0 or position % self._shapes[0][0]:
            raise DataError(f"there is no batch at position {position}").at(**self._context)
        self._position = position

    def close(self) -> None:
        """Lets go of the arrays; idempotent."""
        self._arrays = None
