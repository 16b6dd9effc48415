"""Windows of an image laid out as a matrix, and back: what turns a convolution into matrix products.

im2col  cols[c, i, o, n] = x[n, c, o * stride - pad + i * dilation], zero outside the image
col2im  its adjoint: x[n, c, q] = sum of cols[c, i, o, n] over all i, o with o * stride - pad + i * dilation = q

for any number of spatial axes (none included): i runs over the kernel, o over the output places, q over the image.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.lib.stride_tricks import as_strided

from caffempi.ops.shapes import product

Ints = Sequence[int]
_CHUNK = 1 << 21                    # bytes of the matrix that is made at a time: what a core's caches hold


def out_sizes(size: Ints, kernel: Ints, stride: Ints, pad: Ints, dilation: Ints) -> tuple[int, ...]:
    """Places per axis: floor((size + 2 pad - (dilation (kernel - 1) + 1)) / stride) + 1; below 1 where none fits."""
    return tuple((n + 2 * p - (d * (k - 1) + 1)) // s + 1
                 for n, k, s, p, d in zip(size, kernel, stride, pad, dilation, strict=True))


def im2col(x: np.ndarray, kernel: Ints, stride: Ints, pad: Ints, dilation: Ints) -> np.ndarray:
    """(C, kernel..., out..., N) in that order in memory, from x (N, C, size...)."""
    places = out_sizes(x.shape[2:], kernel, stride, pad, dilation)
    padded = _padded(x, pad)
    padded[_interior(x, pad)] = np.moveaxis(x, 0, -1)
    channel, *steps, image = padded.strides
    view = as_strided(padded, (x.shape[1], *kernel, *places, x.shape[0]),
                      (channel, *(t * d for t, d in zip(steps, dilation, strict=True)),
                       *(t * s for t, s in zip(steps, stride, strict=True)), image), writeable=False)
    return np.ascontiguousarray(view)


def col2im(cols: np.ndarray, x: np.ndarray, kernel: Ints, stride: Ints, pad: Ints, dilation: Ints) -> None:
    """Writes into x (N, C, size...) the sum of cols (C, kernel..., out..., N) at the places where im2col read them."""
    places = cols.shape[1 + len(kernel):-1]
    total = _padded(x, pad)
    for offset in np.ndindex(*kernel):
        at = tuple(slice(i * d, i * d + (o - 1) * s + 1, s)
                   for i, d, o, s in zip(offset, dilation, places, stride, strict=True))
        part = total[(slice(None),) + at]
        part += cols[(slice(None),) + offset]
    x[...] = np.moveaxis(total[_interior(x, pad)], -1, 0)


def _padded(x: np.ndarray, pad: Ints) -> np.ndarray:
    """Zeros (C, size + 2 pad..., N): with the images last, inner loops are long even where images are small."""
    return np.zeros((x.shape[1], *(n + 2 * p for n, p in zip(x.shape[2:], pad, strict=True)), x.shape[0]), x.dtype)


def _interior(x: np.ndarray, pad: Ints) -> tuple[slice, ...]:
    """The images inside _padded."""
    return (slice(None), *(slice(p, p + n) for n, p in zip(x.shape[2:], pad, strict=True)))


def chunks(images: int, rows: int, places: Ints, itemsize: int) -> Iterator[slice]:
    """Slices of the batch whose matrices (rows x places each image) stay small; each at least one image."""
    step = max(1, _CHUNK // max(1, rows * product(places) * itemsize))
    for lo in range(0, images, step):
        yield slice(lo, min(images, lo + step))
