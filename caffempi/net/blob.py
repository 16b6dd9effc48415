"""Blobs and layers as pycaffe shows them."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from caffempi.errors import ShapeError


class Blob:
    """A named array with its gradient. `data` and `diff` are views: what is written there is what the net reads.

    A view of an activation is overwritten by the next run; on a device each view is closed by it. Legacy names num,
    channels, height, width are the axes of a shape of up to four axes, missing ones being 1.
    """

    def __init__(self, data: Callable[[], np.ndarray], diff: Callable[[], np.ndarray],
                 reshape: Callable[[tuple[int, ...]], None], shape: Callable[[], tuple[int, ...]]) -> None:
        self._data, self._diff, self._reshape, self._shape = data, diff, reshape, shape

    @property
    def data(self) -> np.ndarray:
        """The values, writable in place."""
        return self._data()

    @property
    def diff(self) -> np.ndarray:
        """The gradients, writable in place."""
        return self._diff()

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return self._shape()

    @property
    def count(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    def reshape(self, *dims: int) -> None:
        """Gives an input a new shape; the rest of the net follows at the next reshape or forward."""
        if any(int(d) < 0 for d in dims):
            raise ShapeError(f"cannot take shape {list(dims)}: a dim is negative")
        self._reshape(tuple(int(d) for d in dims))

    @property
    def num(self) -> int:
        """Size of the first of four axes."""
        return self._axis(0)

    @property
    def channels(self) -> int:
        """Size of the second of four axes."""
        return self._axis(1)

    @property
    def height(self) -> int:
        """Size of the third of four axes."""
        return self._axis(2)

    @property
    def width(self) -> int:
        """Size of the last of four axes."""
        return self._axis(3)

    def _axis(self, axis: int) -> int:
        shape = self.shape
        if len(shape) > 4:
            raise ShapeError(f"num, channels, height and width exist for at most 4 axes; this blob has {len(shape)}",
                             fix="use shape")
        return shape[axis] if axis < len(shape) else 1


class LayerView:
    """A layer as net.layers lists it: name, type, and its learnable (or statistics) blobs."""

    def __init__(self, name: str, type: str, blobs: list[Blob]) -> None:
        self.name, self.type, self.blobs = name, type, blobs
