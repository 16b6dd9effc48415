"""Python layers: the base class of users' own layers, the blobs that they see, and the host that runs them in a net.

    import caffempi

    class Twice(caffempi.Layer):
        def reshape(self, bottom, top):
            top[0].reshape(*bottom[0].shape)

        def forward(self, bottom, top):
            top[0].data[...] = 2 * bottom[0].data

        def backward(self, top, propagate_down, bottom):
            if propagate_down[0]:
                bottom[0].diff[...] = 2 * top[0].diff
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caffempi.errors import CodeError, NetError, ShapeError
from caffempi.net.blob import Blob
from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays
from caffempi.ops.shapes import check_size, product
from caffempi.proto import caffe_pb2


class Layer:
    """Base of Python layers. Its methods are called with lists of blobs, whose `data` and `diff` are NumPy arrays.

    setup(bottom, top)                      once, when the net is built; may add blobs
    reshape(bottom, top)                    before each forward, and when the net is built: gives the tops their shapes
    forward(bottom, top)                    fills top[i].data; it, too, may reshape tops
    backward(top, propagate_down, bottom)   from top[i].diff: fills bottom[i].diff where propagate_down[i], and the diffs of
                                            self.blobs, which are zero before it; what it leaves there is added up

    param_str: the layer's text. phase: caffempi.TRAIN or TEST. blobs: learned ones, added in setup by
    self.blobs.add_blob(dims); their first values are what setup writes into their data. rank, ranks: this process among
    those that train together.
    """

    param_str: str
    phase: int
    blobs: LayerBlobs
    rank: int
    ranks: int

    def __init__(self, param: Any = None) -> None:
        """param: the layer's LayerParameter."""

    def setup(self, bottom: Sequence[LayerBlob], top: Sequence[LayerBlob]) -> None:
        """By default nothing."""

    def reshape(self, bottom: Sequence[LayerBlob], top: Sequence[LayerBlob]) -> None:
        """By default nothing: setup or forward give the shapes."""


class LayerBlob(Blob):
    """A blob as a Python layer sees it: in memory of its own, or lent from the net. Its own memory only grows and keeps what
    the layer has written from run to run.

    fixed: why the layer may not reshape it, "" if it may.
    """

    def __init__(self, dtype: str, fixed: str = "") -> None:
        self._room = [np.zeros(0, dtype), np.zeros(0, dtype)]  # data, diff
        self._lent: list[np.ndarray | None] = [None, None]
        self._dims: tuple[int, ...] = (0,)
        self._fixed, self.given = fixed, False
        super().__init__(lambda: self._array(0), lambda: self._array(1), self._by_user, lambda: self._array(0).shape)

    def take(self, shape: Sequence[int]) -> None:
        """Gives it that shape, in its own memory. Raises ShapeError for an impossible one."""
        check_size(shape)
        self._dims, self._lent, self.given = tuple(shape), [None, None], True
        if self._room[0].size < product(shape):
            self._room = [np.zeros(product(shape), r.dtype) for r in self._room]

    def lend(self, data: np.ndarray, diff: np.ndarray | None = None) -> None:
        """Makes it show those arrays; without diff, its own one of that shape."""
        self.take(data.shape)
        self._lent = [data, diff]

    def own(self) -> None:
        """Makes it show its own memory again."""
        self._lent = [None, None]

    def _array(self, which: int) -> np.ndarray:
        lent = self._lent[which]
        return lent if lent is not None else self._room[which][:product(self._dims)].reshape(self._dims)

    def _by_user(self, shape: tuple[int, ...]) -> None:
        if self._fixed and shape != self._dims:
            raise ShapeError(self._fixed)
        if shape != self._dims or not self.given:
            self.take(shape)


class LayerBlobs(list[LayerBlob]):
    """A Python layer's learned blobs."""

    def __init__(self, dtype: str) -> None:
        super().__init__()
        self._dtype, self.closed = dtype, False

    def add_blob(self, *dims: int) -> None:
        """A further blob of that shape, zero at first. Raises NetError after setup, ShapeError for an impossible shape."""
        if self.closed:
            raise NetError("blobs can be added in setup only")
        blob = LayerBlob(self._dtype)
        blob.reshape(*dims)
        blob._fixed = "a learned blob keeps its shape"
        self.append(blob)


class PythonHost:
    """A Python layer in its net. specs: of the bottoms. Runs setup. Raises CodeError where the class or its setup fails."""

    def __init__(self, kind: type[Layer], lp: caffe_pb2.LayerParameter, specs: Sequence[Spec], dtype: str, rank: int,
                 ranks: int) -> None:
        self._name, self._dtype, self._names = kind.__name__, dtype, list(lp.top)
        try:
            self.layer = kind(lp)
        except Exception as e:
            raise CodeError(f"{self._name}() failed", e) from e
        self.layer.param_str, self.layer.phase = lp.python_param.param_str, lp.phase
        self.layer.rank, self.layer.ranks = rank, ranks
        self.layer.blobs = self._blobs = LayerBlobs(dtype)
        self._same = [list(lp.top[i:i + 1]) == [b] for i, b in enumerate(lp.bottom)]
        self._bottom = [LayerBlob(dtype, "" if same else "a bottom keeps the shape that the net gives it")
                        for same in self._same]
        self._top = [self._bottom[i] if self._same[i:i + 1] == [True] else LayerBlob(dtype) for i in range(len(lp.top))]
        for blob, spec in zip(self._bottom, specs, strict=True):
            blob.take(spec.shape)
        self._call("setup", self._bottom, self._top)
        self._blobs.closed = True
        self.blob_shapes = [b.shape for b in self._blobs]
        self.first = [b.data.copy() for b in self._blobs]       # values of the blobs as setup left them

    def shapes(self, bottoms: Sequence[Spec]) -> list[Spec]:
        """Runs reshape with zeros for what the bottoms will hold. Raises NetError for a top that was given no shape."""
        for blob, spec in zip(self._bottom, bottoms, strict=True):
            blob.take(spec.shape)
            blob.data.fill(0)
        self._own_tops()
        self._call("reshape", self._bottom, self._top)
        return self._specs()

    def forward(self, bottoms: Arrays, blobs: Arrays) -> list[Spec]:
        """Runs reshape and forward."""
        self._show(bottoms, blobs)
        self._own_tops()
        self._call("reshape", self._bottom, self._top)
        self._call("forward", self._bottom, self._top)
        return self._specs()

    def tops(self) -> list[np.ndarray]:
        """What the last forward left."""
        return [b.data for b in self._top]

    def backward(self, bottoms: Arrays, blobs: Arrays, tops: Arrays, douts: Arrays, down: Sequence[bool]) -> list[np.ndarray]:
        """Runs backward; the gradients of the bottoms, then of the blobs."""
        self._show(bottoms, blobs)
        for i, (blob, data, diff) in enumerate(zip(self._top, tops, douts, strict=True)):
            if self._same[i:i + 1] == [True]:
                np.copyto(blob.diff, diff)
            else:
                blob.lend(data, diff)
        for blob in self._blobs:
            blob.diff.fill(0)
        self._call("backward", self._top, list(down), self._bottom)
        return [b.diff for b in (*self._bottom, *self._blobs)]

    def _show(self, bottoms: Arrays, blobs: Arrays) -> None:
        """Lets the layer see the net's arrays; of a bottom that is a top too, a copy, so that others' reads stay true."""
        for blob, array, same in zip(self._bottom, bottoms, self._same, strict=True):
            if same:
                blob.take(array.shape)
                np.copyto(blob.data, array)
            else:
                blob.lend(array)
        for blob, array in zip(self._blobs, blobs, strict=True):
            blob.lend(array)

    def _own_tops(self) -> None:
        for blob in self._top:
            blob.own()

    def _specs(self) -> list[Spec]:
        for name, blob in zip(self._names, self._top, strict=True):
            if not blob.given:
                raise NetError(f'neither setup nor reshape of {self._name} gave top "{name}" a shape',
                               fix="call top[i].reshape(...) there")
        return [Spec(b.shape, self._dtype) for b in self._top]

    def _call(self, method: str, *args: Any) -> None:
        run = getattr(self.layer, method, None)
        if run is None:
            raise NetError(f"class {self._name} has no {method}()", fix="write it" if method == "forward" else
                           "write it, or cut the gradient off with propagate_down: false")
        try:
            run(*args)
        except Exception as e:
            raise CodeError(f"{self._name}.{method}() failed", e) from e
