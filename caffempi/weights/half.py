"""Arrays as float16, for files of half the size: 11 bits of each number, from 6e-8 to 65504."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.weights.caffemodel import LayerRecord


def halved(arrays: Sequence[np.ndarray], vanish: bool) -> list[np.ndarray]:
    """The arrays rounded to float16, or all of them as they are where one holds a number that would become infinite or,
    unless numbers may `vanish`, one that would become 0."""
    with np.errstate(over="ignore", under="ignore"):
        narrow = [a.astype(np.float16) for a in arrays]
    for a, b in zip(arrays, narrow, strict=True):
        if not np.array_equal(np.isfinite(a), np.isfinite(b)) or not (vanish or np.array_equal(a == 0, b == 0)):
            return list(arrays)
    return narrow


def halved_layers(layers: Sequence[LayerRecord]) -> list[LayerRecord]:
    """The layers with blobs and gradients as float16, each blob with its own gradient as far as both fit. Weights next to 0
    may vanish."""
    made = []
    for layer in layers:
        diffs = layer.diffs
        pairs = [halved([blob] if diffs is None else [blob, diffs[k]], vanish=True) for k, blob in enumerate(layer.blobs)]
        made.append(layer._replace(blobs=[p[0] for p in pairs], diffs=None if diffs is None else [p[1] for p in pairs]))
    return made
