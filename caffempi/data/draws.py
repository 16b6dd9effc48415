"""Random numbers of the data path, keyed by what they are for and counted by record and epoch.

Nothing here has a state: a number depends on (seed, purpose, epoch, record) alone, never on threads, on the number of
ranks or on where a run was resumed. All layers with one seed draw alike, so that two databases read side by side
(images in one, label images in the other) keep the same order, crops and flips.
"""
from __future__ import annotations

import numpy as np

from caffempi.ops.philox import Rng, philox4x32


def record_words(seed: int, purpose: str, epochs: np.ndarray, ordinals: np.ndarray) -> np.ndarray:
    """(4, n) uint64 holding uint32 values: four numbers for each of n records, given epochs (n,) and ordinals (n,)."""
    low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
    o, e = ordinals.astype(np.uint64), epochs.astype(np.uint64)
    return philox4x32(np.stack([o & low, o >> high, e & low, e >> high]), Rng(seed, f"data {purpose}", "").key)


def below(words: np.ndarray, bound: np.ndarray | int) -> np.ndarray:
    """Maps uint32 words to integers 0 .. bound-1 (int64) by multiply and shift; bound is at most 2^32."""
    return ((words * np.asarray(bound, np.uint64)) >> np.uint64(32)).astype(np.int64)


def permutation(seed: int, purpose: str, epoch: int, n: int) -> np.ndarray:
    """(n,) int64: an order of 0 .. n-1 for that epoch, by sorting 64-bit numbers (the same on every NumPy version)."""
    rng = Rng(seed, f"data {purpose}", "")
    rng.run = epoch
    return np.argsort(rng.uint32(2 * n).view(np.uint64), kind="stable")


def skipped(seed: int, bound: int) -> int:
    """Records to skip at the start for a rand_skip of `bound`: 0 .. bound-1, the same on all ranks; 0 for 0."""
    zero = np.zeros(1, np.int64)
    return int(below(record_words(seed, "skip", zero, zero)[0], bound)[0]) if bound else 0
