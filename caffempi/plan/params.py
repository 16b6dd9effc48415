"""The params pass: all learnable params in one flat arena, in the order in which backward finishes them.

So a bucket is a slice, an exchange needs no copy, and an update is a few passes over flat memory. Each param's slot starts
at a multiple of 64 bytes; the gaps are zero and stay zero (a gradient of zero moves nothing). The data is always in plain
layout. Statistics blobs live in an arena of their own.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from caffempi.engines.base import Engine
from caffempi.ops.graph import Param

ALIGN = 64
FIRST_BUCKET, BUCKET = 256 << 10, 4 << 20                      # bytes; 4 MB moved fastest between local ranks


class ParamArena:
    """Flat data, grad, hist[k] over the learnable params, and stat over the statistics blobs.

    params: arena order (backward order); net_order: the file's order, which histories and snapshots keep.
    slots: param -> (lo, hi), elements of data/grad/hist (or of stat). buckets: [lo, hi) ranges that tile the arena, the first
    one small so that an exchange starts early. runs: (lo, hi, lr_mult, decay_mult), maximal ranges of equal multipliers;
    inside a bucket params are sorted by them. engine: whose memory all of it lies in (default: the host's).
    """

    def __init__(self, params: Sequence[Param], backward_order: Sequence[Param], dtype: str,
                 first_bucket: int = FIRST_BUCKET, bucket: int = BUCKET, engine: Engine | None = None) -> None:
        self.dtype, self.engine = dtype, engine or Engine()
        self.net_order = [p for p in params if not p.stat]
        rest = [p for p in self.net_order if p not in backward_order]
        self.params: list[Param] = []
        self.slots: dict[Param, tuple[int, int]] = {}
        self.buckets: list[tuple[int, int]] = []
        self.bucket_of: dict[Param, int] = {}
        self.runs: list[tuple[int, int, float, float]] = []
        end = 0
        for group in self._group([*backward_order, *rest], first_bucket, bucket):
            start = end
            for p in sorted(group, key=lambda p: (p.lr_mult, p.decay_mult)):
                self.params.append(p)
                self.bucket_of[p] = len(self.buckets)
                end = self._place(p, end)
            self.buckets.append((start, end))
        self._find_runs()
        self.size = end
        self.hist: list[np.ndarray] = []
        end = 0
        for p in params:
            if p.stat:
                end = self._place(p, end)
        self._stat_size = end

    def _zeros(self, count: int) -> np.ndarray:
        """(count,) zeros in the engine's memory, whose first byte is at a multiple of 64."""
        return self.engine.alloc(count * np.dtype(self.dtype).itemsize).view(self.dtype)

    @cached_property
    def stat(self) -> np.ndarray:
        """The statistics' values; made when they are asked for."""
        return self._zeros(self._stat_size)

    @cached_property
    def data(self) -> np.ndarray:
        """The params' values; made when they are asked for: a net whose params are all another's has none."""
        return self._zeros(self.size)

    @cached_property
    def grad(self) -> np.ndarray:
        """Their gradients; made, as zeros, when they are asked for: a net that never runs backward has none."""
        return self._zeros(self.size)

    @property
    def nbytes(self) -> int:
        """Bytes of data, or of grad."""
        return self.size * np.dtype(self.dtype).itemsize

    @property
    def stat_nbytes(self) -> int:
        """Bytes of the statistics."""
        return self._stat_size * np.dtype(self.dtype).itemsize

    def _place(self, p: Param, lo: int) -> int:
        self.slots[p] = (lo, lo + p.spec.count)
        step = ALIGN // np.dtype(self.dtype).itemsize
        return -(-(lo + p.spec.count) // step) * step

    def _group(self, order: Sequence[Param], first: int, size: int) -> list[list[Param]]:
        """Consecutive params until a bucket is full; a param larger than a bucket is one of its own."""
        groups: list[list[Param]] = []
        room = 0
        for p in order:
            nbytes = p.spec.count * np.dtype(self.dtype).itemsize
            if not groups or nbytes > room:
                groups.append([])
                room = max(first if len(groups) == 1 else size, nbytes)
            groups[-1].append(p)
            room -= nbytes
        return groups

    def _find_runs(self) -> None:
        for p in self.params:
            lo, hi = self.slots[p]
            if self.runs and self.runs[-1][2:] == (p.lr_mult, p.decay_mult):
                self.runs[-1] = (self.runs[-1][0], hi, p.lr_mult, p.decay_mult)
            else:
                self.runs.append((lo, hi, p.lr_mult, p.decay_mult))

    def clear_grad(self) -> None:
        """Zeroes all gradients."""
        if "grad" in self.__dict__:                            # else they are made as zeros
            self.engine.put(self.grad, 0)

    def make_history(self, count: int) -> None:
        """Gives every param `count` zeroed history arrays (momentum and the like), hist[0..count)."""
        self.hist = [self._zeros(self.size) for _ in range(count)]

    def view(self, p: Param, flat: np.ndarray | None = None) -> np.ndarray:
        """The param's slot of `flat` (data, grad or one of hist; default data, or stat for statistics), in its own shape."""
        if flat is None:
            flat = self.stat if p.stat else self.data
        lo, hi = self.slots[p]
        return flat[lo:hi].reshape(p.spec.shape)
