"""An out of zeros: the gradient of something that has none, where a diff must be defined all the same."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, op
from caffempi.ops.philox import Rng


@op
class Zeros(Op):
    """y = 0, shaped as the value that it is `like`. No attrs, no ins."""

    name = "zeros"
    grad = "none"

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """Fills with zeros."""
        outs[0].fill(0)

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """No arithmetic."""
        return 0, 0
