"""Counter-based random numbers: Philox4x32-10, the same bits on every engine.

Keyed by what is drawn and counted by where: key = (seed, purpose, layer, global rank) mixed to 64 bits, counter =
(element / 4, run ordinal). So numbers depend on neither threads nor on what ran before, and a resumed run draws the same.
Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""
from __future__ import annotations

import hashlib

import numpy as np

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)


def philox4x32(counter: np.ndarray, key: tuple[int, int]) -> np.ndarray:
    """Ten rounds over counters (4, n) of uint32 values held in uint64; returns (4, n) of the same kind."""
    c0, c1, c2, c3 = (np.array(c, np.uint64) for c in counter)
    k0, k1 = key
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ np.uint64(k0), p1 & _LOW, (p0 >> _32) ^ c3 ^ np.uint64(k1), p0 & _LOW
        k0, k1 = (k0 + _W0) & 0xFFFFFFFF, (k1 + _W1) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3])


class Rng:
    """The stream of one step: `uint32(n)` gives the n numbers of one run; `run` is the ordinal of that run."""

    def __init__(self, seed: int, purpose: str, layer: str, rank: int = 0) -> None:
        word = hashlib.sha256(f"{seed}|{purpose}|{layer}|{rank}".encode()).digest()
        self.key = int.from_bytes(word[:4], "little"), int.from_bytes(word[4:8], "little")
        self.run = 0

    def uint32(self, n: int) -> np.ndarray:
        """(n,) uint32, uniform over all 32-bit values; element i is word i % 4 of counter i // 4."""
        blocks = -(-n // 4)
        counter = np.zeros((4, blocks), np.uint64)
        counter[0] = np.arange(blocks, dtype=np.uint64) & _LOW
        counter[1] = np.arange(blocks, dtype=np.uint64) >> _32
        counter[2] = np.uint64(self.run & 0xFFFFFFFF)
        counter[3] = np.uint64(self.run >> 32)
        return philox4x32(counter, self.key).T.reshape(-1)[:n].astype(np.uint32)

    def uniform(self, n: int) -> np.ndarray:
        """(n,) float64 in [0, 1): uint32 / 2^32."""
        return self.uint32(n) / 4294967296.0
