"""Which record stands where: one endless stream of records for all ranks, and each rank's part of it.

Position p of the stream is record p mod n of epoch p div n; batches run on over an epoch's end, as in Caffe. Global
batch k of `ranks` ranks with batch size B is positions k*ranks*B to (k+1)*ranks*B - 1, and rank r takes the r-th slice
of B: a disjoint cover, equal to one rank with a batch of ranks*B. With shuffle, each epoch has one permutation of all
records, drawn from (seed, epoch) alone and thus shared by all ranks.
"""
from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from caffempi.data.draws import permutation


def first_of(position: int, rank: int, batch: int) -> int:
    """Where rank `rank` starts reading, when the global batch starts at `position`."""
    return position + rank * batch


class Order:
    """The stream's order. sizes: records per file (one number for a database or a list); shuffle: permute files, and
    records within each file, anew in each epoch; skip: records left out before position 0.
    """

    def __init__(self, sizes: Sequence[int], *, shuffle: bool = False, seed: int = 0, skip: int = 0) -> None:
        self.sizes = np.asarray(sizes, np.int64)
        self.total = int(self.sizes.sum())
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self._shuffle, self._seed, self._skip = shuffle, seed, skip
        self._lock = threading.Lock()
        self._epochs: dict[int, np.ndarray] = {}

    def take(self, start: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """(epochs, ordinals), int64 of shape (count,), of the records at stream positions start .. start+count-1."""
        epochs, ordinals = np.divmod(np.arange(count, dtype=np.int64) + (start + self._skip), self.total)
        if self._shuffle:
            for epoch in np.unique(epochs):
                mine = epochs == epoch
                ordinals[mine] = self._permutation(int(epoch))[ordinals[mine]]
        return epochs, ordinals

    def _permutation(self, epoch: int) -> np.ndarray:
        """The order of that epoch; the two last used are kept, since threads work on both sides of an epoch's end."""
        with self._lock:
            order = self._epochs.pop(epoch, None)
            if order is None:
                files = permutation(self._seed, "files", epoch, len(self.sizes))
                order = np.concatenate([self.starts[f] + permutation(self._seed, f"rows {f}", epoch, int(self.sizes[f]))
                                        for f in files])
            self._epochs[epoch] = order
            while len(self._epochs) > 2:
                del self._epochs[next(iter(self._epochs))]
            return order
