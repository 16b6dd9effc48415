"""The convolution's backward ops on their own: shapes, empty batches, chunks of the batch, agreement in float32."""
import numpy as np
import pytest

from caffempi.ops import Spec, get_op
from caffempi.ops.conv import ConvAttrs
from tests.helpers.opcheck import gradients

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
