"""rnn and lstm: whole sequences by hand, gradients through time, the state that is kept, resets, empty sequences."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops.recurrent import RecurrentAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

STATES = {"rnn": 1, "lstm": 2}
SIZES = [(4, 2, 3), (1, 1, 2), (3, 3, 1)]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def data(op, steps, streams, size, seed=1, dtype=np.float64):
    rand = np.random.default_rng(seed)
    rows = size * (4 if op == "lstm" else 1)
    cont = rand.integers(0, 2, (steps, streams))
    arrays = [rand.standard_normal((steps, streams, rows)), cont, rand.standard_normal((rows, size))]
    states = [rand.standard_normal((1, streams, size)) for _ in range(STATES[op])]
    return [a.astype(dtype) for a in arrays], [a.astype(dtype) for a in states]


def by_hand(op, u, cont, w, states):
    h, rest = states[0][0], [s[0] for s in states[1:]]
    seen = []
    for t in range(len(u)):
        x = u[t] + (cont[t, :, None] * h) @ w.T
        if op == "rnn":
            h = np.tanh(x)
        else:
            i, f, o, g = np.split(x, 4, axis=1)
            rest = [cont[t, :, None] * sigmoid(f) * rest[0] + sigmoid(i) * np.tanh(g)]
            h = sigmoid(o) * np.tanh(rest[0])
        seen.append(h)
    return np.array(seen), [h[None], *(r[None] for r in rest)]


@pytest.mark.parametrize("op", STATES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("fraction", [1.0, 0.5])
def test_a_sequence_by_hand(op, size, fraction):
    (u, cont, w), states = data(op, *size)
    expected, last = by_hand(op, u, cont * fraction, w, states)
    kept = [s.copy() for s in states]
    (y,) = forward(op, RecurrentAttrs(), [u, cont * fraction, w], kept)
    np.testing.assert_allclose(y, expected)
    shown = forward(op, RecurrentAttrs(True), [u, cont * fraction, w, *states])
    for got in ([y, *kept], shown):
        for a, b in zip(got, [expected, *last], strict=True):
            np.testing.assert_allclose(a, b)


@pytest.mark.parametrize("op", STATES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", [1, 2])
def test_gradients_through_time(op, size, seed):
    ins, states = data(op, *size, seed=seed)
    check_gradient(op, RecurrentAttrs(), ins, state=states)
    check_gradient(op, RecurrentAttrs(True), [*ins, *states], outs=[0])


@pytest.mark.parametrize("op", STATES)
def test_a_split_sequence_goes_on_where_it_stopped(op):
    (u, cont, w), states = data(op, 6, 2, 3)
    (whole,) = forward(op, RecurrentAttrs(), [u, cont, w], [s.copy() for s in states])
    kept = [s.copy() for s in states]
    halves = [forward(op, RecurrentAttrs(), [u[part], cont[part], w], kept)[0] for part in (slice(0, 2), slice(2, 6))]
    np.testing.assert_allclose(np.concatenate(halves), whole)


@pytest.mark.parametrize("op", STATES)
def test_nothing_flows_to_the_first_state_or_from_the_last(op):
    ins, states = data(op, 3, 2, 2)
    ones = [np.ones((3, 2, 2))] + [np.ones((1, 2, 2))] * STATES[op]
    all_outs = gradients(op, RecurrentAttrs(True), [*ins, *states], ones)
    first_only = gradients(op, RecurrentAttrs(True), [*ins, *states], [ones[0]] + [None] * STATES[op])
    assert all_outs[1] is None and all_outs[3:] == [None] * STATES[op]
    for i in (0, 2):
        np.testing.assert_array_equal(all_outs[i], first_only[i])
    assert gradients(op, RecurrentAttrs(True), [*ins, *states], [None] * (1 + STATES[op])) == [None] * (3 + STATES[op])


@pytest.mark.parametrize("op", STATES)
@pytest.mark.parametrize("steps,streams", [(0, 2), (3, 0)])
def test_no_steps_or_no_streams(op, steps, streams):
    ins, states = data(op, steps, streams, 2, dtype=np.float32)
    before = [s.copy() for s in states]
    (y,) = forward(op, RecurrentAttrs(), ins, states)
    assert y.shape == (steps, streams, 2) and y.dtype == np.float32
    for a, b in zip(states, before, strict=True):
        np.testing.assert_array_equal(a, b)
    du, _, dw = gradients(op, RecurrentAttrs(), ins, [y], state=states)
    assert du.shape == ins[0].shape and du.dtype == np.float32
    np.testing.assert_array_equal(dw, np.zeros_like(ins[2]))


@pytest.mark.parametrize("op,shapes,words", [
    ("rnn", [(3, 2, 4), (3, 2), (4, 5)], "weights 4 x 5 do not fit"), ("lstm", [(3, 2, 8), (3, 2), (8, 8)], "weights 8 x 8"),
    ("lstm", [(3, 2, 8), (2, 3), (8, 2)], "3 steps of 2 streams need continuation marks 3 x 2"),
    ("rnn", [(3, 2, 4), (3, 2), (4, 4), (1, 3, 4)], "hidden state of 2 streams must be 1 x 2 x 4")])
def test_shapes_that_do_not_fit(op, shapes, words):
    with pytest.raises(ShapeError, match=words):
        forward(op, RecurrentAttrs(True), [np.ones(s) for s in shapes])
