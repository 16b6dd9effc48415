"""DummyData: tops of given shapes, filled by fillers; a constant one costs no memory, others draw anew each batch."""
from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from caffempi.data.batches import Batch
from caffempi.errors import DataError
from caffempi.layers.fillers import check_filler, fill
from caffempi.proto import caffe_pb2

_OLD = ("num", "channels", "height", "width")


def dummy_shapes(param: caffe_pb2.DummyDataParameter, tops: int, batch: int | None = None) -> list[tuple[int, ...]]:
    """One shape a top: from `shape`, or from the four old fields; each given once for all tops, or once a top.

    batch: length of axis 0 in place of the text's, where that is the same for all tops. Raises DataError.
    """
    old = [name for name in _OLD if getattr(param, name)]
    if old and param.shape:
        raise DataError(f"stands beside the old field {old[0]}", field="dummy_data_param.shape",
                        fix="keep one of the two")
    for name in _OLD if old else ("shape",):
        if len(getattr(param, name)) not in (1, tops):
            raise DataError(f"is given {len(getattr(param, name))} times", field=f"dummy_data_param.{name}",
                            fix="give it once, or once a top")
    if old:
        columns = [_per_top(list(getattr(param, name)), tops) for name in _OLD]
        shapes = [tuple(dims) for dims in zip(*columns, strict=True)]
    else:
        shapes = _per_top([tuple(s.dim) for s in param.shape], tops)
    if any(d < 0 for shape in shapes for d in shape):
        raise DataError("has a negative length", field="dummy_data_param.shape", value=[list(s) for s in shapes])
    if batch is None:
        return shapes
    if any(not shape or shape[0] != shapes[0][0] for shape in shapes):
        raise DataError("cannot be divided into batches, since its tops differ in axis 0",
                        field="dummy_data_param.shape", value=[list(s) for s in shapes])
    return [(batch, *shape[1:]) for shape in shapes]


class DummyBatches:
    """Batches of filled tops. Random ones depend on (seed, top, stream position) alone."""

    threads = 0   # nothing to wait for

    def __init__(self, param: caffe_pb2.DummyDataParameter, tops: int, seed: int, batch: int | None) -> None:
        if len(param.data_filler) not in (0, 1, tops):
            raise DataError(f"is given {len(param.data_filler)} times", field="dummy_data_param.data_filler",
                            fix="give it once, or once a top")
        self._seed = seed
        self._fillers = _per_top(list(param.data_filler) or [caffe_pb2.FillerParameter()], tops)
        self._shapes = dummy_shapes(param, tops, batch)
        for filler, shape in zip(self._fillers, self._shapes, strict=True):
            check_filler(filler, shape, "dummy_data_param.data_filler")
        self.batch = max(1, self._shapes[0][0]) if self._shapes[0] else 1

    def shapes(self, start: int) -> list[tuple[int, ...]]:
        """The same for all batches."""
        return self._shapes

    def make(self, start: int) -> Batch:
        """Constant tops as one broadcast number, others filled anew."""
        return [np.broadcast_to(np.float32(filler.value), shape) if filler.type == "constant"
                else fill(filler, shape, self._rng(top, start))
                for top, (filler, shape) in enumerate(zip(self._fillers, self._shapes, strict=True))]

    def recycle(self, batch: Batch) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing is held open."""

    def _rng(self, top: int, start: int) -> np.random.Generator:
        word = hashlib.sha256(f"{self._seed}|dummy|{top}|{start}".encode()).digest()
        return np.random.Generator(np.random.Philox(key=int.from_bytes(word[:16], "little")))


def _per_top(values: Sequence, tops: int) -> list:
    """`values` as one per top: a single one serves all."""
    return list(values) * tops if len(values) == 1 else list(values)
