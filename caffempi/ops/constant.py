"""An array that is part of the net's settings: read once, when the net is built, and the same at every run."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


@dataclass(frozen=True)
class ConstantAttrs:
    """shape and dtype of the array; data: its values, little-endian float64, in the order of their places."""

    shape: tuple[int, ...]
    dtype: str
    data: bytes

    @classmethod
    def of(cls, array: np.ndarray, dtype: str) -> ConstantAttrs:
        """The attrs for an array that a graph of that dtype shall hold."""
        return cls(array.shape, dtype, array.astype("<f8").tobytes())


@op
class Constant(Op):
    """y = the attrs' array. No ins, no gradient."""

    name = "constant"
    grad = "none"

    def infer(self, attrs: ConstantAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The attrs' own."""
        return [Spec(attrs.shape, attrs.dtype)]

    def forward(self, attrs: ConstantAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Copies the values."""
        outs[0][...] = np.frombuffer(attrs.data, "<f8").reshape(attrs.shape)

    def cost(self, attrs: ConstantAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """No arithmetic."""
        return 0, super().cost(attrs, ins, outs)[1]
