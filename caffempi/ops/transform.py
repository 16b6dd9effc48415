"""Transform: batches of images in bytes become what a net computes on. No layer emits it: data layers whose engine takes bytes
are fed by it.

forward   y = (x - mean) * scale, and where an image is mirrored its columns in reverse order
Shapes: x (N, C, H, W) uint8, the windows cut out of the records; places (N, 3) int32: row and column of the window in its
record, and 1 where it is mirrored. mean (C, H', W'), taken at the window's place in the record; or (C, 1, 1) or (1, 1, 1), the
same everywhere; or left out. y (N, C, H, W). Arithmetic is float32: the bits of `data.transform`.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import text


@dataclass(frozen=True)
class TransformAttrs:
    """scale: what differences are multiplied by."""

    scale: float = 1.0


@op
class Transform(Op):
    """out y from ins x, places and, if anything is subtracted, mean; attrs TransformAttrs."""

    name = "transform"
    grad = "none"

    def infer(self, attrs: TransformAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """x's shape, in float32. Raises ShapeError where places or mean do not fit x."""
        x, places, *mean = ins
        if len(x.shape) != 4 or places.shape != (x.shape[0], 3):
            raise ShapeError(f"images {text(x.shape)} and their places {text(places.shape)} do not fit each other")
        if mean and (len(mean[0].shape) != 3 or mean[0].shape[0] not in (1, x.shape[1])):
            raise ShapeError(f"a mean {text(mean[0].shape)} does not fit images {text(x.shape)}")
        return [Spec(x.shape)]

    def forward(self, attrs: TransformAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """Image by image."""
        (x, places, *mean), (y,) = ins, outs
        for window, (row, column, mirrored), out in zip(x, places, y, strict=True):
            transform(window, mean[0] if mean else None, attrs.scale, (row, column), out[:, :, ::-1] if mirrored else out)

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two operations an element."""
        return 2 * outs[0].count, super().cost(attrs, ins, outs)[1]


def transform(window: np.ndarray, mean: np.ndarray | None, scale: float, place: tuple[int, int], out: np.ndarray) -> None:
    """(window - mean) * scale into out, for one window (C, h, w) or a stack of them. mean: as of the op, its numbers at `place`
    (row and column of the window in its record) where it is as large as records are."""
    if mean is None:
        np.copyto(out, window)
    else:
        (h, w), (row, column) = window.shape[-2:], place
        np.subtract(window, mean if mean.shape[1:] == (1, 1) else mean[:, row:row + h, column:column + w], out=out)
    if scale != 1:
        np.multiply(out, np.float32(scale), out=out)
