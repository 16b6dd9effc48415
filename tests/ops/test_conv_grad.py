"""The convolution's backward ops on their own: shapes, empty batches, chunks of the batch, agreement in float32."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.conv import ConvAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

A = ConvAttrs((3, 2), (2, 1), (1, 0), (1, 2), 2)


def ins(n, dtype=np.float64):
    rand = np.random.default_rng(2)
    return [rand.standard_normal(s).astype(dtype) for s in ((n, 4, 7, 6), (6, 2, 3, 2), (6,))]


def test_shapes_of_the_gradients():
    x, w, dy = Spec((2, 4, 7, 6)), Spec((6, 2, 3, 2)), Spec((2, 6, 4, 4))
    assert get_op("conv_dx").infer(A, [w, dy]) == [x]
    assert get_op("conv_dw").infer(A, [x, dy]) == [w]
    assert get_op("conv_db").infer(A, [dy]) == [Spec((6,))]
    flops = [get_op(name).cost(A, i, o)[0] for name, i, o in (("conv_dx", [w, dy], [x]), ("conv_dw", [x, dy], [w]))]
    assert flops == [2 * 2 * 6 * 4 * 4 * 2 * 3 * 2] * 2


def test_empty_batch_gives_zero_for_the_params():
    dx, dw, db = gradients("conv", A, ins(0), [np.zeros((0, 6, 4, 4))])
    assert dx.shape == (0, 4, 7, 6) and not dw.any() and not db.any()


@pytest.mark.parametrize("kernel", [(3, 3), (1, 1)])
def test_a_large_batch_is_the_sum_of_its_images(kernel):
    rand = np.random.default_rng(4)
    a = ConvAttrs(kernel, (1, 1), (0, 0), (1, 1))
    x, w = rand.standard_normal((30, 32, 20, 20)), rand.standard_normal((4, 32, *kernel))
    dy = rand.standard_normal((30, 4, 21 - kernel[0], 21 - kernel[1]))
    dx, dw = gradients("conv", a, [x, w], [dy])
    each = [gradients("conv", a, [x[i:i + 1], w], [dy[i:i + 1]]) for i in range(30)]
    np.testing.assert_allclose(dw, sum(e[1] for e in each), atol=1e-10)
    np.testing.assert_allclose(dx, np.concatenate([e[0] for e in each]), atol=1e-11)


def test_no_gradient_without_a_diff_and_float32_stays():
    assert gradients("conv", A, ins(2), [None]) == [None] * 3
    dy = np.random.default_rng(3).standard_normal((2, 6, 4, 4)).astype(np.float32)
    singles = gradients("conv", A, ins(2, np.float32), [dy])
    for got, want in zip(singles, gradients("conv", A, ins(2), [dy.astype(np.float64)]), strict=True):
        assert got.dtype == np.float32
        np.testing.assert_allclose(got, want, atol=1e-4)


@pytest.mark.parametrize(("x", "outputs", "attrs"), [
    ((2, 4, 3, 3), 3, ConvAttrs((3, 2), (2, 1), (1, 0), (1, 2), 2)), ((1, 2, 4, 2), 1, ConvAttrs((1, 1), (1, 1), (0, 0), (1, 1))),
    ((2, 3, 4), 2, ConvAttrs((3,), (3,), (1,), (1,), 3)), ((1, 2, 2, 2, 3), 2, ConvAttrs((2, 1, 2), (1, 2, 1), (0,) * 3, (1,) * 3)),
    ((0, 2, 2, 2), 2, ConvAttrs((2, 2), (1, 1), (0, 0), (1, 1))), ((2, 2, 2, 3, 3), 1, ConvAttrs((2, 2), (1, 1), (1, 1), (2, 1),
                                                                                       axis=-3)),
    ((1, 1, 7, 8), 1, ConvAttrs((1, 1), (1, 1), (0, 0), (1, 1))), ((3, 2), 2, ConvAttrs((), (), (), ()))])
def test_as_a_deconvolution_it_spreads_each_input_over_its_window_and_has_gradients(x, outputs, attrs):
    """outputs: per group."""
    rand = np.random.default_rng(5)
    axis = attrs.axis % len(x)
    w, x = rand.standard_normal((x[axis], outputs, *attrs.kernel)), rand.standard_normal(x)
    (y,) = forward("conv_dx", attrs, [w, x])
    want = np.zeros((*y.shape[:axis + 1], *(n + 2 * p for n, p in zip(y.shape[axis + 1:], attrs.pad, strict=True))))
    for place in np.ndindex(*x.shape):
        batch, c, at = place[:axis], place[axis], place[axis + 1:]
        first = c // (x.shape[axis] // attrs.group) * outputs
        window = tuple(slice(o * s, o * s + d * (k - 1) + 1, d) for o, k, s, d in zip(
            at, attrs.kernel, attrs.stride, attrs.dilation, strict=True))
        want[(*batch, slice(first, first + outputs), *window)] += x[place] * w[c]
    inside = tuple(slice(p, n - p) for n, p in zip(want.shape[axis + 1:], attrs.pad, strict=True))
    np.testing.assert_allclose(y, want[(slice(None),) * (axis + 1) + inside], atol=1e-12)
    check_gradient("conv_dx", attrs, [w, x])
    assert gradients("conv_dx", attrs, [w, x], [None]) == [None, None]


@pytest.mark.parametrize(("w", "x", "attrs", "words"), [
    ((4, 2, 3, 2), (1, 4, 5), A, "needs a blob of 4 axes"), ((3, 2, 3, 2), (1, 3, 5, 5), A, "3 channels cannot be cut into 2 groups"),
    ((4, 2, 3, 3), (1, 4, 5, 5), A, "weights 4 x 2 x 3 x 3 do not fit input 1 x 4 x 5 x 5, which needs 4 x 2 x 3 x 2"),
    ((6, 2, 3, 2), (1, 4, 5, 5), A, "weights 6 x 2 x 3 x 2 do not fit"), ((4,), (1, 4, 5, 5), A, "weights 4 do not fit"),
    ((1, 1, 1), (1, 1, 2), ConvAttrs((1,), (1,), (1,), (1,)), "the padding 1 leaves nothing of an output; input 1 x 1 x 2; use less")])
def test_deconvolutions_that_do_not_fit(w, x, attrs, words):
    with pytest.raises(ShapeError, match=words):
        get_op("conv_dx").infer(attrs, [Spec(w), Spec(x)])
