"""lstm_unit: one step by hand, resets, gradients, the declared rule for marks between 0 and 1."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from tests.helpers.opcheck import check_gradient, forward, gradients


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def data(n=3, size=2, seed=1, cont=(1, 0, 1)):
    rand = np.random.default_rng(seed)
    return [rand.standard_normal((1, n, size)), rand.standard_normal((1, n, 4 * size)), np.array([cont[:n]], float)]


@pytest.mark.parametrize("n,size", [(3, 2), (1, 1), (2, 5)])
def test_one_step_by_hand(n, size):
    c0, x, k = data(n, size)
    i, f, o, g = np.split(x[0], 4, axis=1)
    c = k[0, :, None] * sigmoid(f) * c0[0] + sigmoid(i) * np.tanh(g)
    got_c, got_h = forward("lstm_unit", None, [c0, x, k])
    np.testing.assert_allclose(got_c[0], c)
    np.testing.assert_allclose(got_h[0], sigmoid(o) * np.tanh(c))


@pytest.mark.parametrize("n,size", [(3, 2), (1, 1), (2, 5)])
@pytest.mark.parametrize("outs", [[0, 1], [0], [1]])
def test_gradient(n, size, outs):
    check_gradient("lstm_unit", None, data(n, size), outs=outs)


def test_a_mark_of_zero_cuts_off_the_cell_before():
    c0, x, _ = data()
    dc0, _, none = gradients("lstm_unit", None, [c0, x, np.zeros((1, 3))], [np.ones((1, 3, 2))] * 2)
    np.testing.assert_array_equal(dc0, np.zeros((1, 3, 2)))
    assert none is None and gradients("lstm_unit", None, [c0, x, np.zeros((1, 3))], [None, None]) == [None] * 3


def test_for_marks_between_the_forget_gates_gradient_is_caffes_rule():
    c0, x, _ = data(1, 1)
    k = np.array([[0.5]])
    _, dx, _ = gradients("lstm_unit", None, [c0, x, k], [np.ones((1, 1, 1)), None])
    f = 0.5 * sigmoid(x[0, 0, 1])
    np.testing.assert_allclose(dx[0, 0, 1], c0[0, 0, 0] * f * (1 - f))


def test_no_streams_and_float32():
    ins = [np.zeros((1, 0, 2), np.float32), np.zeros((1, 0, 8), np.float32), np.zeros((1, 0), np.float32)]
    c, h = forward("lstm_unit", None, ins)
    assert c.shape == h.shape == (1, 0, 2) and c.dtype == np.float32
    c0, x, k = (a.astype(np.float32) for a in data())
    assert all(a.dtype == np.float32 for a in forward("lstm_unit", None, [c0, x, k]))


@pytest.mark.parametrize("shapes,words", [([(1, 2, 3), (1, 2, 11), (1, 2)], "gate inputs 1 x 2 x 12"),
                                          ([(2, 2, 3), (2, 2, 12), (2, 2)], "1 x streams x cells"),
                                          ([(1, 2, 3), (1, 2, 12), (2,)], "marks 1 x 2"), ([(2, 3), (2, 12), (2,)], "1 x streams")])
def test_shapes_that_do_not_fit(shapes, words):
    with pytest.raises(ShapeError, match=words):
        forward("lstm_unit", None, [np.ones(s) for s in shapes])
