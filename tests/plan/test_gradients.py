"""What emission decides beyond single ops: sums within a layer, zero gradients, seeds, refusals; and whole-net derivatives."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from tests.helpers.randomnets import random_net


@pytest.mark.parametrize("seed", range(60, 80))
def test_param_gradients_are_the_derivative_of_the_loss(tmp_path, seed):
    """Central differences through whole random nets of smooth layers, two elements of every blob."""
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(seed, pixels=5, smooth=True))
    net = Net(str(path), TRAIN, seed=seed, dtype="float64", engine="numpy")
    rng = np.random.default_rng(seed)
    net.blobs["data"].data[...] = rng.standard_normal(net.blobs["data"].shape)
    net.blobs["label"].data[...] = rng.integers(0, 5, 3)
    net.forward_backward()
    for layer, blobs in net.params.items():
        for k, blob in enumerate(blobs):
            if not blob.diff.any():
                continue
            data, diff = blob.data, blob.diff.copy()
            for _ in range(2):
                at = tuple(int(rng.integers(0, d)) for d in data.shape)
                losses = []
                for sign in (1, -1):
                    old = data[at]
                    data[at] = old + sign * 1e-5
                    losses.append(net.run_forward())
                    data[at] = old
                numeric = (losses[0] - losses[1]) / 2e-5
                mult = owners(net, layer, k)
                assert abs(numeric - diff[at]) <= 1e-6 * max(1, abs(numeric)), f"{layer}/{k} {at} ({mult} uses)"


def owners(net, layer, k):
    param = next(i for i in net.graph.layers if i.name == layer).blobs[k].param
    return sum(v.param is param for i in net.graph.layers for v in i.blobs)


def net_of(tmp_path, text, **how):
    path = tmp_path / "m.prototxt"
    path.write_text(text)
    return Net(str(path), TRAIN, engine="numpy", dtype="float64", seed=1, **how)


INPUT = 'layer { name: "d" type: "Input" top: "x" input_param { shape { dim: 2 dim: 3 } } } '


def test_unread_outputs_have_diffs_that_the_user_sets(tmp_path):
    net = net_of(tmp_path, "force_backward: true " + INPUT + 'layer { name: "p" type: "Power" bottom: "x" top: "y" power_param { scale: 3 } }')
    net.blobs["x"].data[...] = 1
    net.forward()
    net.backward()
    assert not net.blobs["x"].diff.any()
    net.backward(y=np.full((2, 3), 2.0))
    np.testing.assert_array_equal(net.blobs["x"].diff, np.full((2, 3), 6.0))


def test_a_loss_diff_is_read_at_each_backward_and_survives_reshapes(tmp_path):
    net = net_of(tmp_path, "force_backward: true " + INPUT + 'layer { name: "p" type: "Power" bottom: "x" top: "y" loss_weight: 0.5 }')
    assert net.blob_loss_weights["y"] == 0.5 and (net.blobs["y"].diff == 0.5).all()
    net.blobs["x"].data[...] = 4
    net.forward()
    assert net.loss == pytest.approx(0.5 * 4 * 6)
    net.blobs["y"].diff[...] = 7
    net.backward()
    assert (net.blobs["x"].diff == 7).all()
    net.blobs["x"].reshape(1, 3)
    net.forward()
    net.backward()
    assert (net.blobs["x"].diff == 7).all()


def test_a_param_used_twice_in_one_net_gets_both_gradients(tmp_path):
    layer = 'layer {{ name: "{0}" type: "Scale" bottom: "{1}" top: "{0}" param {{ name: "w" }} scale_param {{ axis: 0 num_axes: 0 }} }} '
    net = net_of(tmp_path, INPUT + layer.format("a", "x") + layer.format("b", "a") +
                 'layer { name: "l" type: "Power" bottom: "b" top: "l" loss_weight: 1 }')
    net.blobs["x"].data[...] = 2
    net.params["a"][0].data[...] = 3
    net.forward()
    net.backward()
    assert net.params["a"][0].diff == pytest.approx(2 * 3 * 12)   # d(w^2 x)/dw = 2 w x, over six elements of 2
    assert net.params["a"][0].diff is not None and (net.params["b"][0].diff == net.params["a"][0].diff).all()


@pytest.mark.parametrize("optimised", [True, False])
@pytest.mark.parametrize("seed", range(60, 66))
def test_a_factor_on_the_loss_multiplies_all_gradients_and_not_the_loss(tmp_path, seed, optimised):
    """Of random nets, some with several losses; what users see of the losses' diffs stays the weight."""
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(seed, pixels=5, smooth=True))
    runs = []
    for scale in ("none", 8):
        net = Net(str(path), TRAIN, seed=seed, engine="numpy", optimised=optimised, loss_scale=scale)
        if scale == 8:
            net.engine.put(net.binding.array(net.plan.grads.factor), 8)
        rng = np.random.default_rng(seed)
        net.blobs["data"].data[...] = rng.standard_normal(net.blobs["data"].shape)
        net.blobs["label"].data[...] = rng.integers(0, 5, 3)
        loss = net.forward_backward()
        runs.append((loss, net.arena.grad.copy(), [net.blobs[n].diff.copy() for n, w in net.blob_loss_weights.items() if w]))
    assert runs[0][0] == runs[1][0]
    np.testing.assert_array_equal(8 * runs[0][1], runs[1][1])
    for a, b in zip(runs[0][2], runs[1][2], strict=True):
        np.testing.assert_array_equal(a, b)
