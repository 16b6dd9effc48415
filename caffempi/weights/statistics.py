"""The blobs of a BatchNorm layer in files of Caffe and its forks, told apart by content.

    BVLC, Intel (CAFFE engine)   sum of means, sum of variances, weight of the sums
    NVCaffe, Caffe-MPI 2         mean, variance, 1 [, scale, bias]
    Intel (other engines)        sum of means, sum of variances, weight of the sums [, scale][, bias]
    NVCaffe for DIGITS           scale, bias, mean, variance, one number that is not read

A weight of 1 makes a mean of a sum, so the first two need no telling. The nets here have BVLC's three blobs, or five with
NVCaffe's scale_bias.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.errors import WeightsError

_STATISTICS, _ALL = 3, 5
_MEAN, _VARIANCE, _WEIGHT, _SCALE, _BIAS = range(_ALL)
Blobs = Sequence[np.ndarray | None]


def normalise_statistics(found: Blobs, wanted: int, layer: str) -> tuple[list[np.ndarray | None], list[str]]:
    """The file's blobs of a BatchNorm layer as the net's `wanted` ones (3 or 5), each statistic of one axis, and notes.

    Lists of another length, or with gaps, stay as they are, for the comparison of shapes to judge. A scale and bias that the
    net lacks may be dropped only where they are 1 and 0; scale and bias that the file lacks are None, to stay as they are in
    the net. Raises WeightsError where a file's scale and bias would be lost.
    """
    if wanted not in (_STATISTICS, _ALL) or not _STATISTICS <= len(found) <= _ALL or any(b is None for b in found):
        return list(found), []
    blobs = [b for b in found if b is not None]
    notes = []
    if len(blobs) == _ALL and blobs[_BIAS].size == 1 and blobs[_MEAN].size != 1:
        scale, bias, mean, variance = blobs[:4]
        blobs = [mean, variance, np.ones(1, mean.dtype), scale, bias]
        notes.append("its blobs are in the order of NVCaffe for DIGITS (scale, bias, mean, variance)")
    elif len(blobs) == _ALL and blobs[_WEIGHT].size == 1 and not blobs[_WEIGHT].any() and blobs[_VARIANCE].any():
        blobs[_WEIGHT] = np.ones_like(blobs[_WEIGHT])
        notes.append("the weight of its statistics is 0; they were taken as they are, as NVCaffe does")
    if blobs[_WEIGHT].size != 1:
        return list(found), []
    blobs = [b.reshape(-1) for b in blobs]
    if wanted == _ALL and len(blobs) == _STATISTICS:
        return [*blobs, None, None], [*notes, "the file has statistics alone; scale and bias stay as they are"]
    if wanted == _ALL and len(blobs) == _ALL - 1:
        return [*blobs, None], [*notes, "the file has no bias; it stays as it is"]
    if wanted == _STATISTICS and len(blobs) > _STATISTICS:
        if not (blobs[_SCALE] == 1).all() or any(b.any() for b in blobs[_BIAS:]):
            raise WeightsError("the weights file holds a learned scale and bias of this layer", layer=layer, type="BatchNorm",
                               fix="set batch_norm_param { scale_bias: true }")
        return [*blobs[:_STATISTICS]], [*notes, "the file's scale and bias are 1 and 0; they were dropped"]
    return [*blobs], notes
