"""The windows of an image against a loop over them, and finite differences; batches of more than one chunk."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op, im2col
from caffempi.ops.conv import ConvAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

CASES = [((2, 2, 5, 4), ConvAttrs((3, 2), (1, 2), (1, 0), (1, 1))), ((1, 1, 6, 6), ConvAttrs((2, 2), (2, 1), (1, 1), (3, 2))),
         ((2, 3, 5), ConvAttrs((3,), (1,), (1,), (1,))), ((1, 2, 3, 3, 4), ConvAttrs((2, 1, 2), (1, 2, 1), (0, 1, 1), (1, 1, 2))),
         ((2, 5, 4), ConvAttrs((2, 2), (1, 1), (0, 0), (1, 1), axis=0)), ((0, 1, 3, 3), ConvAttrs((2, 2), (1, 1), (0, 0), (1, 1))),
         ((2, 1, 4, 4), ConvAttrs((1, 1), (1, 1), (0, 0), (1, 1), axis=-3)), ((2, 2, 3, 4), ConvAttrs((2,), (1,), (1,), (1,), axis=2))]


def windows(x, attrs):
    axis = attrs.axis % x.ndim
    lead, c, size = x.shape[:axis], x.shape[axis], x.shape[axis + 1:]
    images = x.reshape(-1, c, *size) if x.size else x.reshape(0, c, *size)
    out = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in zip(size, *attrs.windows, strict=True)]
    y = np.zeros((len(images), c, *attrs.kernel, *out))
    for place in np.ndindex(*y.shape):
        i, o = place[2:2 + len(size)], place[2 + len(size):]
        q = [b * s - p + a * d for a, b, s, p, d in zip(i, o, attrs.stride, attrs.pad, attrs.dilation, strict=True)]
        if all(0 <= a < n for a, n in zip(q, size, strict=True)):
            y[place] = images[(*place[:2], *q)]
    return y.reshape(*lead, c * int(np.prod(attrs.kernel)), *out)


@pytest.mark.parametrize(("shape", "attrs"), CASES)
@pytest.mark.parametrize("chunk", [1, 1 << 21])
def test_formula_and_gradient(shape, attrs, chunk, monkeypatch):
    monkeypatch.setattr(im2col, "_CHUNK", chunk)
    x = np.random.default_rng(1).standard_normal(shape)
    np.testing.assert_array_equal(forward("im2col", attrs, [x])[0], windows(x, attrs))
    check_gradient("im2col", attrs, [x])


def test_float32_stays_and_no_gradient_flows_where_none_comes():
    x, attrs = np.ones((1, 1, 3, 3), np.float32), CASES[0][1]
    (dx,) = gradients("im2col", attrs, [x], [np.ones((1, 6, 3, 1), np.float32)])
    assert dx.dtype == np.float32 and dx.tolist() == [[[[2, 2, 0], [3, 3, 0], [2, 2, 0]]]]
    assert gradients("im2col", attrs, [x], [None]) == [None]


@pytest.mark.parametrize(("shape", "words"), [((1, 1, 2), "needs a blob of 4 axes"), ((1, 1, 1, 1), "more than the padded input")])
def test_shapes_that_do_not_fit(shape, words):
    with pytest.raises(ShapeError, match=words):
        get_op("im2col").infer(CASES[0][1], [Spec(shape)])
