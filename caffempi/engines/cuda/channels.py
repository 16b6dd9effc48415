"""How sums by channel are cut into parts, for kernels over [outer, channels, inner] as channels.h has them."""
from __future__ import annotations

from typing import NamedTuple

from caffempi.engines.cuda.rule import MAX_BLOCKS, Form, split_axis

BLOCKS = 1024
"""Parts are made until there are so many blocks: enough for every GPU of today, and the same on each, so that sums repeat."""
ROWS, ELEMENTS = 64, 2048
"""Least rows (of 32 channels) or elements (of one channel) a part."""


class Channels(NamedTuple):
    """An array as [outer, channels, inner]; an empty one has outer 0 and inner 1."""

    outer: int
    channels: int
    inner: int

    @classmethod
    def of(cls, shape: tuple[int, ...], form: Form) -> Channels:
        """Around axis 1, as the array lies in that form. Of one axis: one channel."""
        return cls.around(*((1, 1, shape[0]) if len(shape) == 1 else split_axis(shape, 1, form)))

    @classmethod
    def around(cls, outer: int, channels: int, inner: int) -> Channels:
        """An array of those sizes, with elements or without."""
        return cls(outer, channels, inner) if inner else cls(0, channels, 1)

    @property
    def m(self) -> int:
        """Elements of a channel."""
        return self.outer * self.inner

    @property
    def groups(self) -> int:
        """Jobs of one part."""
        return -(-self.channels // 32) if self.inner == 1 else self.channels

    @property
    def parts(self) -> int:
        """Parts of each channel."""
        return max(1, min(-(-BLOCKS // max(1, self.groups)), self.m // (ROWS if self.inner == 1 else ELEMENTS)))

    @property
    def blocks(self) -> int:
        """Blocks of a kernel over all jobs."""
        return max(1, min(self.groups * self.parts, MAX_BLOCKS))
