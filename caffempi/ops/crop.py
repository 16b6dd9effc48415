"""Cuts a window out of a blob, as large as another blob.

forward   y = x from `offset` on, as long as ref along each axis from `axis` on; whole along the axes before it
backward  dx = dy in the window, 0 around it. ref has no gradient.
Shapes: ref has as many axes as x or more; y has x's dims before `axis`, ref's from it on.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, nbytes, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import canonical_axis, text


@dataclass(frozen=True)
class CropAttrs:
    """axis: the first that is cropped; negative counts from the end (default 2).

    offset: where the window starts: none (0), one number for all cropped axes, or one a cropped axis.
    """

    axis: int = 2
    offset: tuple[int, ...] = ()

    def window(self, x: Sequence[int], lengths: Sequence[int]) -> tuple[slice, ...]:
        """The index of the window in x; lengths: a shape that has the window's lengths along the cropped axes."""
        axis = canonical_axis(self.axis, len(x))
        starts = self.starts(len(x) - axis)
        return (slice(None),) * axis + tuple(slice(a, a + n) for a, n in zip(starts, lengths[axis:len(x)], strict=True))

    def starts(self, cropped: int) -> tuple[int, ...]:
        """One offset a cropped axis. Raises ShapeError where their number does not fit."""
        if len(self.offset) > 1 and len(self.offset) != cropped:
            raise ShapeError(f"{len(self.offset)} offsets are given for {cropped} cropped axes",
                             fix="give none, one for all, or one for each axis from `axis` on")
        return self.offset if len(self.offset) > 1 else (self.offset or (0,)) * cropped


@op
class Crop(Op):
    """The window of x; ins x, ref. See the module."""

    name = "crop"
    differentiable = (0,)

    def infer(self, attrs: CropAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """The window's shape. Raises ShapeError where it does not lie inside x."""
        x, ref = ins[0].shape, ins[1].shape
        axis = canonical_axis(attrs.axis, len(x))
        if len(ref) < len(x):
            raise ShapeError(f"the second bottom {text(ref)} has fewer axes than the first, {text(x)}")
        shape = (*x[:axis], *ref[axis:len(x)])
        for i, (start, n) in enumerate(zip(attrs.starts(len(x) - axis), shape[axis:], strict=True), axis):
            if start + n > x[i]:
                raise ShapeError(f"a window of length {n} at offset {start} does not fit in axis {i} of {text(x)}; "
                                 f"the second bottom is {text(ref)}")
        return [Spec(shape, ins[0].dtype)]

    def forward(self, attrs: CropAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """Copies the window."""
        outs[0][...] = ins[0][attrs.window(ins[0].shape, ins[1].shape)]

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """crop_dx."""
        if douts[0] is None:
            return [None, None]
        return [g.emit_grad("crop_dx", node.attrs, [douts[0]], like=[node.ins[0]])[0], None]

    def cost(self, attrs: CropAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A copy of the window; ref is not read."""
        return 0, 2 * nbytes(outs)


@op
class CropDx(Op):
    """dx = dy in the window, 0 around it; in: dy."""

    name = "crop_dx"
    grad = "none"

    def forward(self, attrs: CropAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        outs[0].fill(0)
        outs[0][attrs.window(outs[0].shape, ins[0].shape)] = ins[0]

    def cost(self, attrs: CropAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Copies only."""
        return 0, nbytes(ins) + nbytes(outs)
