"""Sums over windows of images (N, C, H, W), their adjoint, and the bookkeeping of windows that stick out.

Along an axis window o covers the pixels o * stride - pad ... + kernel - 1, as far as they exist. Sums over rectangles
are done axis by axis, kernel_h + kernel_w passes instead of kernel_h * kernel_w.
"""
from __future__ import annotations

import numpy as np

Pair = tuple[int, int]


def span(offset: int, stride: int, pad: int, size: int, out: int) -> tuple[slice, slice]:
    """(windows, pixels): which windows have a pixel of the image at that offset, and which one each has."""
    lo = max(0, -((offset - pad) // stride))
    hi = min(out, (size - 1 + pad - offset) // stride + 1)
    if hi <= lo:
        return slice(0, 0), slice(0, 0)
    first = lo * stride - pad + offset
    return slice(lo, hi), slice(first, first + (hi - lo - 1) * stride + 1, stride)


def along(axis: int, part: slice) -> tuple[slice, ...]:
    """The index that takes that part of axis 2 or 3 of a 4-axis array and all of the others."""
    return (slice(None),) * axis + (part,) + (slice(None),) * (3 - axis)


def window_sum(x: np.ndarray, kernel: Pair, stride: Pair, pad: Pair, out: Pair) -> np.ndarray:
    """(N, C, out_h, out_w): the sum of each window's pixels."""
    for axis in (2, 3):
        k, s, p, o = kernel[axis - 2], stride[axis - 2], pad[axis - 2], out[axis - 2]
        if o == 1:
            x = x[along(axis, slice(0, max(0, k - p)))].sum(axis, keepdims=True, dtype=x.dtype)
            continue
        total = np.zeros((*x.shape[:axis], o, *x.shape[axis + 1:]), x.dtype)
        for i in range(k):
            windows, pixels = span(i, s, p, x.shape[axis], o)
            total[along(axis, windows)] += x[along(axis, pixels)]
        x = total
    return x


def window_spread(dy: np.ndarray, kernel: Pair, stride: Pair, pad: Pair, size: Pair) -> np.ndarray:
    """(N, C, H, W): the adjoint of window_sum: each pixel gets the sum over the windows that it lies in."""
    for axis in (2, 3):
        k, s, p, n = kernel[axis - 2], stride[axis - 2], pad[axis - 2], size[axis - 2]
        total = np.zeros((*dy.shape[:axis], n, *dy.shape[axis + 1:]), dy.dtype)
        if dy.shape[axis] == 1:
            total[along(axis, slice(0, max(0, k - p)))] = dy
        else:
            for i in range(k):
                windows, pixels = span(i, s, p, n, dy.shape[axis])
                total[along(axis, pixels)] += dy[along(axis, windows)]
        dy = total
    return dy


def window_area(kernel: Pair, stride: Pair, pad: Pair, size: Pair, out: Pair, dtype: np.dtype) -> np.ndarray:
    """(out_h, out_w): pixels of each window, the padding included but not what sticks out beyond it; at least 1."""
    sides = []
    for k, s, p, n, o in zip(kernel, stride, pad, size, out, strict=True):
        start = np.arange(o) * s - p
        sides.append(np.maximum(np.minimum(start + k, n + p) - start, 1))
    return np.multiply.outer(sides[0], sides[1]).astype(dtype)
