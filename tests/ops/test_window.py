"""Window sums against slices of the image, their adjoint, areas cut to the padded image."""
import numpy as np
import pytest

from caffempi.ops.window import span, window_area, window_spread, window_sum

CASES = [((5, 6), (3, 2), (2, 1), (1, 0), (3, 5)), ((4, 4), (4, 4), (1, 1), (0, 0), (1, 1)), ((3, 3), (5, 5),
    (1, 1), (2, 2), (3, 3)),
         ((5, 5), (1, 2), (3, 4), (0, 0), (3, 2)), ((2, 7), (3, 3), (2, 2), (0, 1), (1, 4))]


def rect(o, stride, pad, kernel):
    start = o * stride - pad
    return slice(max(0, start), max(0, start + kernel))


@pytest.mark.parametrize(("size", "kernel", "stride", "pad", "out"), CASES)
@pytest.mark.parametrize("images", [0, 2])
def test_sum_and_adjoint(size, kernel, stride, pad, out, images):
    rand = np.random.default_rng(7)
    x = rand.standard_normal((images, 3, *size))
    y = window_sum(x, kernel, stride, pad, out)
    assert y.shape == (images, 3, *out)
    for i, j in np.ndindex(*out):
        part = x[:, :, rect(i, stride[0], pad[0], kernel[0]), rect(j, stride[1], pad[1], kernel[1])]
        np.testing.assert_allclose(y[:, :, i, j], part.sum((2, 3)), atol=1e-13)
    dy = rand.standard_normal(y.shape)
    np.testing.assert_allclose((window_spread(dy, kernel, stride, pad, size) * x).sum(), (dy * y).sum(), atol=1e-12)


def test_area_counts_padding_but_not_what_sticks_out_beyond():
    area = window_area((3, 2), (2, 2), (1, 0), (4, 3), (3, 2), np.dtype("float32"))
    np.testing.assert_array_equal(area, np.multiply.outer([3, 3, 2], [2, 1]))
    assert window_area((1, 1), (3, 3), (0, 0), (2, 2), (2, 2), np.dtype("float64")).min() == 1


@pytest.mark.parametrize("stride", [1, 2, 5])
@pytest.mark.parametrize("pad", [0, 2])
def test_span_is_every_window_whose_pixel_exists(stride, pad):
    for offset in range(6):
        windows, pixels = span(offset, stride, pad, 4, 3)
        want = [(o, o * stride - pad + offset) for o in range(3) if 0 <= o * stride - pad + offset < 4]
        assert list(zip(range(3)[windows], range(4)[pixels], strict=True)) == want
