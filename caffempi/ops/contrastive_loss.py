"""The contrastive loss of siamese nets: like pairs are drawn together, unlike ones pushed a margin apart.

With d_i = |a_i - b_i| (Euclidean), s_i the similarity of pair i (alike where its whole part is not 0), N pairs, margin m:
forward   loss = sum of alike ? d^2 : max(m - d, 0)^2, / (2 N);  the old version has max(m - d^2, 0) for the unlike
backward  alike   da = (a - b) dloss / N
          unlike  da = -(m - d) / (d + 1e-4) (a - b) dloss / N where d < m; the old version -(a - b) dloss / N where d^2 < m
          db = -da
The 1e-4, which keeps the quotient finite, makes this Caffe's rule and not quite the derivative.
Shapes: a and b equal, N x C (further axes must be 1); s with N numbers; loss a scalar. Source: Hadsell, Chopra and
LeCun, CVPR 2006; the old version is the one of Caffe before 2014. Saved: a - b, and d^2 (N). A batch of none has loss 0.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caffempi.errors import ShapeError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng
from caffempi.ops.shapes import product, text

_TINY = 1e-4


@dataclass(frozen=True)
class ContrastiveAttrs:
    """margin (default 1); legacy: the old version, which holds the margin against the squared distance.

    sign: of the gradient op only, 1 for a and -1 for b.
    """

    margin: float = 1.0
    legacy: bool = False
    sign: int = 1


def _alike(similarity: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.trunc(similarity.reshape(-1)) != 0


@op
class ContrastiveLoss(Op):
    """The loss of a, b and their similarity."""

    name = "contrastive_loss"
    grad = "declared"
    differentiable = (0, 1)

    def infer(self, attrs: ContrastiveAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """A scalar. Raises ShapeError where the shapes do not fit."""
        a, b, s = (spec.shape for spec in ins)
        if not a or a != b or product(a[2:]) != 1:
            raise ShapeError(f"the two bottoms to compare must be of one shape N x C; they are {text(a)} and {text(b)}")
        if ins[2].count != a[0]:
            raise ShapeError(f"{a[0]} pairs need as many similarities; the third bottom is {text(s)}")
        return [Spec((), ins[0].dtype)]

    def saved(self, attrs: ContrastiveAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """a - b, and the squared distances."""
        return [ins[0], Spec(ins[0].shape[:1], ins[0].dtype)]

    def forward(self, attrs: ContrastiveAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        a, b, similarity = ins
        n = len(a)
        away = np.subtract(a, b, out=saved[0] if saved else None)
        rows = away.reshape(n, product(a.shape[1:]))
        square = np.einsum("nc,nc->n", rows, rows)
        if saved:
            saved[1][...] = square
        if attrs.legacy:
            apart = np.maximum(attrs.margin - square, 0)
        else:
            apart = np.maximum(attrs.margin - np.sqrt(square), 0) ** 2
        terms = np.where(_alike(similarity), square, apart)
        outs[0][...] = terms.sum(dtype=np.float64) / (2 * max(1, n))

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None], need: Sequence[bool]) -> list[Value | None]:
        """contrastive_loss_dx on what was saved and the similarity, once for each side."""
        dloss, p = douts[0], node.attrs
        if dloss is None:
            return [None, None, None]
        ins = [*node.saved, node.ins[2], dloss]
        sides = [g.emit_grad("contrastive_loss_dx", ContrastiveAttrs(p.margin, p.legacy, sign), ins, like=[v])[0]
                 if wanted else None for v, sign, wanted in zip(node.ins, (1, -1), need, strict=False)]
        return [*sides, None]

    def cost(self, attrs: ContrastiveAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """A difference and a product with an addition an element, a few operations a pair."""
        return 3 * ins[0].count + 4 * ins[2].count, super().cost(attrs, [*ins, ins[0]], outs)[1]


@op
class ContrastiveLossDx(Op):
    """The gradient of one side, by the module's rule; ins a - b, d^2 (N), similarity, dloss (scalar)."""

    name = "contrastive_loss_dx"
    grad = "none"

    def infer(self, attrs: ContrastiveAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As a - b."""
        return [ins[0]]

    def forward(self, attrs: ContrastiveAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the class."""
        away, square, similarity, dloss = ins
        if attrs.legacy:
            left, rate = attrs.margin - square, np.ones_like(square)
        else:
            distance = np.sqrt(square)
            left = attrs.margin - distance
            rate = left / (distance + _TINY)
        pair = np.where(_alike(similarity), 1, np.where(left > 0, -rate, 0))
        factor = (attrs.sign * dloss.reshape(()) / max(1, len(away)) * pair).astype(away.dtype)
        np.multiply(away, factor.reshape(-1, *(1,) * (away.ndim - 1)), out=outs[0])
