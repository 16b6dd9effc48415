"""LSTMUnit layer: by hand, gradients through its net in float64, refusals."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from tests.helpers.layercheck import build, one_layer, refused, run


def net(c=(1, 2, 1), x=(1, 2, 4), k=(1, 2), extra='top: "c1" top: "h1"'):
    return one_layer(f'type: "LSTMUnit" bottom: "c" bottom: "x" bottom: "k" {extra}', c=c, x=x, k=k)


def test_by_hand():
    gates = np.array([[[0.0, np.log(3), 0, 1], [0, 5, np.log(3), 1]]])
    blobs, _ = run(net(), {"c": [[[2.0], [2]]], "x": gates, "k": [[1, 0]]})
    c = np.array([0.75 * 2 + 0.5 * np.tanh(1), 0.5 * np.tanh(1)])
    np.testing.assert_allclose(blobs["c1"].ravel(), c, rtol=1e-6)
    np.testing.assert_allclose(blobs["h1"].ravel(), np.array([0.5, 0.75]) * np.tanh(c), rtol=1e-6)


@pytest.mark.parametrize("top", ["c1", "h1"])
def test_gradients_through_a_net_match_differences(tmp_path, top):
    file = tmp_path / "n.prototxt"
    file.write_text("force_backward: true\n" + net())
    unit = Net(str(file), TRAIN, engine="numpy", dtype="float64")
    rand = np.random.default_rng(1)
    ins = {"c": rand.standard_normal((1, 2, 1)), "x": rand.standard_normal((1, 2, 4)), "k": np.array([[1.0, 0]])}
    unit.forward(**ins)
    unit.blobs[top].diff[...] = 1
    got = {k: v.copy() for k, v in unit.backward().items()}
    for name in ("c", "x"):
        for at in np.ndindex(ins[name].shape):
            sums = []
            for step in (1e-6, -1e-6):
                moved = {k: v.copy() for k, v in ins.items()}
                moved[name][at] += step
                sums.append(unit.forward(**moved)[top].sum())
            np.testing.assert_allclose(got[name][at], (sums[0] - sums[1]) / 2e-6, atol=1e-8)
    assert not got["k"].any()


def test_the_marks_get_no_gradient():
    assert build("force_backward: true\n" + net()).layers[-1].bottom_need == (True, True, False)


@pytest.mark.parametrize("text,words", [
    (net(x=(1, 2, 3)), ("gate inputs 1 x 2 x 4",)), (net(k=(2,)), ("marks 1 x 2",)), (net(c=(2, 2, 1)), ("1 x streams x cells",)),
    (net(extra='top: "c1"'), ("takes 2 top",)),
    (net(extra='top: "c1" top: "h1" propagate_down: [true, true, true]'), ("propagate_down[2]",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (LSTMUnit)' in message and all(w in message for w in words), message
