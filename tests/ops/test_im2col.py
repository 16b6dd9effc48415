"""im2col picks what its formula says, col2im is its adjoint, chunks cover the batch."""
import numpy as np
import pytest

from caffempi.ops.im2col import chunks, col2im, im2col, out_sizes

CASES = [((5,), (3,), (1,), (1,), (1,)), ((7, 6), (3, 2), (2, 1), (0, 2), (1, 2)), ((4, 5, 3), (2, 1, 3),
    (1, 2, 1), (1, 0, 2), (2, 1, 1)),
         ((), (), (), (), ()), ((6, 6), (1, 1), (4, 5), (0, 0), (1, 1))]


@pytest.mark.parametrize(("size", "kernel", "stride", "pad", "dilation"), CASES)
@pytest.mark.parametrize("images", [0, 1, 3])
def test_columns_and_adjoint(size, kernel, stride, pad, dilation, images):
    rand = np.random.default_rng(1)
    x = rand.standard_normal((images, 2, *size))
    cols = im2col(x, kernel, stride, pad, dilation)
    out = out_sizes(size, kernel, stride, pad, dilation)
    assert cols.shape == (2, *kernel, *out, images) and cols.flags.c_contiguous
    for at in np.ndindex(cols.shape):
        c, i, o, n = at[0], at[1:1 + len(kernel)], at[1 + len(kernel):-1], at[-1]
        q = tuple(b * s - p + a * d for a, b, s, p, d in zip(i, o, stride, pad, dilation, strict=True))
        inside = all(0 <= k < s for k, s in zip(q, size, strict=True))
        assert cols[at] == (x[(n, c, *q)] if inside else 0)
    other = rand.standard_normal(cols.shape)
    back = np.full_like(x, np.nan)
    col2im(other, back, kernel, stride, pad, dilation)
    np.testing.assert_allclose((back * x).sum(), (other * cols).sum(), atol=1e-12)


@pytest.mark.parametrize(("images", "rows", "places"), [(0, 3, (4,)), (7, 100, (100, 100)), (1000, 500, (8, 8)),
    (3, 0, (5,))])
def test_chunks_cover_the_batch_once(images, rows, places):
    seen = [i for part in chunks(images, rows, places, 4) for i in range(images)[part]]
    assert seen == list(range(images))
