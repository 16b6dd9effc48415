"""What the rules of losses share: blocks that leave partial sums, the kernel that adds them up, and how settings are passed.

The kernels are made of loss.h. Labels, targets, losses and what is saved are float32; predictions are as activations are.
"""
from __future__ import annotations

from math import nan

from caffempi.engines.cuda.rule import NULL, Arg, Job, Scratch

THREADS = 256
BLOCKS = 1024
FINISH = "finish<int>"
VALID = 0.0
"""As divisor: the number of places that count."""


def none_as_nan(ignore: int | None) -> float:
    """A label that is ignored, as kernels take it: NaN equals no label."""
    return nan if ignore is None else float(ignore)


def divisor_of(mode: str, places: int, outer: int) -> float:
    """What the sum is divided by, known beforehand; VALID where the labels decide. See `ops.labels.loss_divisor`."""
    return VALID if mode == "valid" else float(max(1, {"full": places, "batch": outer, "none": 1}[mode]))


class Terms:
    """Partial sums of a loss: the arguments of the kernel that makes them, and the launch that finishes."""

    def __init__(self, job: Job, count: int, a_block: int) -> None:
        """count: places; a_block: how many of them a block takes at a time."""
        self._job = job
        self.blocks = max(1, min(-(-count // a_block), BLOCKS))
        self.sums: Scratch = job.take(self.blocks)
        self.counts: Scratch = job.take(self.blocks, "int32")

    def start(self, expression: str, *args: Arg | int | float) -> None:
        """The kernel that makes them; its number of blocks is that of the partial sums."""
        self._job.start(expression, self.blocks, THREADS, *args, strided=False)

    def finish(self, divisor: float, loss: Arg, normalizer: Arg = NULL, count: Arg = NULL) -> None:
        """loss = sum / divisor; the divisor and the number of places that count are kept where they have a place."""
        self._job.start(FINISH, 1, THREADS, self.blocks, self.sums, self.counts, divisor, loss, normalizer, count,
                        strided=False)
