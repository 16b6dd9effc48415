"""Pooling of an image (N, C, H, W) into a fixed number of bins: one level of a spatial pyramid.

Along an axis of n pixels and b bins: kernel = stride = ceil(n / b), pad = floor((kernel * b - n + 1) / 2); the rest is the
pooling of that name (pool.py, stochastic_pool.py). So the windows depend on the image, the attributes do not.
Source: He, Zhang, Ren and Sun, "Spatial pyramid pooling in deep convolutional networks", ECCV 2014; sizes as in Caffe.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, get_op, op
from caffempi.ops.philox import Rng
from caffempi.ops.pool import PoolAttrs
from caffempi.ops.shapes import text


@dataclass(frozen=True)
class PyramidAttrs:
    """bins: per axis. pool: name of the pooling op: max_pool, ave_pool, stochastic_pool or stochastic_pool_mean."""

    bins: int
    pool: str = "max_pool"

    def at(self, shape: Sequence[int]) -> PoolAttrs:
        """The pooling for images of that shape. Raises ShapeError where they are too small for the bins."""
        if len(shape) != 4:
            raise ShapeError(f"pooling needs a blob of 4 axes (N x C x H x W); got {text(shape)}")
        kernels = [-(-n // self.bins) for n in shape[2:]]
        pads = [(k * self.bins - n + 1) // 2 for k, n in zip(kernels, shape[2:], strict=True)]
        for n, k, p in zip(shape[2:], kernels, pads, strict=True):
            if k < 1 or (any(pads) and p >= k):
                raise ShapeError(f"{self.bins} bins along {n} pixels need windows of {k} with a padding of {p}, which "
                                 f"must be less; input {text(shape)}", fix="use fewer levels or larger images")
        if any(pads) and self.pool.startswith("stochastic"):
            raise ShapeError(f"{self.bins} bins need a padding of {text(pads)}, which stochastic pooling has not; input "
                             f"{text(shape)}", fix="use MAX or AVE, or images whose sides are multiples of the bins")
        kernel, pad = (kernels[0], kernels[1]), (pads[0], pads[1])
        return PoolAttrs(kernel, kernel, pad)


class _Level(Op):
    """Hands all to the pooling op, with the windows of the image at hand."""

    def infer(self, attrs: PyramidAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """(N, C, bins, bins); Caffe's rounding can give other numbers of windows."""
        return get_op(attrs.pool).infer(attrs.at(ins[0].shape), ins)

    def saved(self, attrs: PyramidAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """As the pooling op."""
        return get_op(attrs.pool).saved(attrs.at(ins[0].shape), ins, outs)

    def forward(self, attrs: PyramidAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """As the pooling op."""
        get_op(attrs.pool).forward(attrs.at(ins[0].shape), ins, outs, saved, state, rng)

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """pyramid_pool_dx on what the pooling's own gradient reads: what it saved, or x for stochastic_pool_mean."""
        if douts[0] is None:
            return [None]
        reads = node.ins if node.attrs.pool == "stochastic_pool_mean" else node.saved
        return list(g.emit_grad("pyramid_pool_dx", node.attrs, [*reads, douts[0]], like=[node.ins[0]]))

    def cost(self, attrs: PyramidAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """As the pooling op."""
        return get_op(attrs.pool).cost(attrs.at(ins[0].shape), ins, outs)


@op
class PyramidPool(_Level):
    """A level of max, average or expected pooling; see the module."""

    name = "pyramid_pool"


@op
class PyramidPoolDrawn(_Level):
    """A level of stochastic pooling; see the module."""

    name = "pyramid_pool_drawn"
    effects = frozenset({"rng"})


@op
class PyramidPoolDx(Op):
    """dx of a level; ins as those of the pooling's own gradient."""

    name = "pyramid_pool_dx"
    grad = "none"

    def forward(self, attrs: PyramidAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """As the pooling's gradient."""
        get_op(f"{attrs.pool}_dx").forward(attrs.at(outs[0].shape), ins, outs, saved, state, rng)

    def cost(self, attrs: PyramidAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """As the pooling's gradient."""
        return get_op(f"{attrs.pool}_dx").cost(attrs.at(outs[0].shape), ins, outs)
