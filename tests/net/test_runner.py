"""Shapes at run time: reshapes keep params and addresses, failures leave the net usable, feeds drive shapes, counts agree."""
import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.errors import ShapeError
from tests.helpers.pylayers import inputs, layer, write
from tests.net.test_net import TEXT

LOSS = """
layer { name: "data" type: "Input" top: "x" top: "label" input_param { shape { dim: 4 dim: 3 } shape { dim: 4 } } }
layer { name: "ip" type: "InnerProduct" bottom: "x" top: "ip" inner_product_param { num_output: 3 weight_filler { type: "xavier" } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" loss_param { ignore_label: 9 } }
"""
FULLY = TEXT.replace('layer { name: "ip" type: "InnerProduct"', 'layer { name: "gone" type: "Pooling" bottom: "conv" top: "pool" '
                     'pooling_param { pool: AVE global_pooling: true } }\nlayer { name: "ip" type: "InnerProduct"').replace(
                         'bottom: "conv" top: "ip"', 'bottom: "pool" top: "ip"')


def make(tmp_path, text, phase=TEST, **how):
    file = tmp_path / "n.prototxt"
    file.write_text(text)
    return Net(str(file), phase, seed=1, **how)


def test_reshape_shows_at_once_and_the_rest_follows(tmp_path):
    net = make(tmp_path, FULLY)
    net.blobs["data"].reshape(3, 3, 12, 9)
    assert net.blobs["data"].data.shape == (3, 3, 12, 9) and net.blobs["conv"].shape == (2, 4, 6, 6)
    net.reshape()
    assert net.blobs["conv"].shape == (3, 4, 10, 7) and net.blobs["prob"].shape == (3, 5)
    assert net.blobs["conv"].diff.shape == (3, 4, 10, 7)


def test_what_is_written_after_a_reshape_is_what_runs(tmp_path):
    net, fresh = make(tmp_path, FULLY), make(tmp_path, FULLY.replace("dim: 2 dim: 3", "dim: 5 dim: 3"))
    x = np.random.default_rng(1).standard_normal((5, 3, 8, 8)).astype(np.float32)
    net.forward()
    net.blobs["data"].reshape(5, 3, 8, 8)
    net.blobs["data"].data[...] = x
    np.testing.assert_array_equal(net.forward()["prob"], fresh.forward(data=x)["prob"])


def test_addresses_stay_until_a_reshape_grows(tmp_path):
    net = make(tmp_path, FULLY)
    address = net.blobs["conv"].data.ctypes.data
    net.blobs["data"].reshape(1, 3, 6, 6)
    net.forward()
    assert net.blobs["conv"].data.ctypes.data == address
    net.blobs["data"].reshape(2, 3, 8, 8)
    net.forward()
    assert net.blobs["conv"].data.ctypes.data == address


def test_growing_and_shrinking_again_gives_the_same_numbers(tmp_path):
    net = make(tmp_path, FULLY)
    x = np.random.default_rng(1).standard_normal((2, 3, 8, 8))
    want = net.forward(data=x)["prob"].copy()
    for shape in [(4, 3, 9, 9), (1, 3, 5, 5), (2, 3, 8, 8)]:
        net.blobs["data"].reshape(*shape)
        net.reshape()
    np.testing.assert_array_equal(net.forward(data=x)["prob"], want)


def test_a_failed_reshape_leaves_the_old_shapes_in_use(tmp_path):
    net = make(tmp_path, TEXT)
    x = np.ones((2, 3, 8, 8))
    want = net.forward(data=x)["prob"].copy()
    net.blobs["data"].reshape(2, 3, 9, 9)
    with pytest.raises(ShapeError, match='layer "ip"'):
        net.reshape()
    net.blobs["data"].reshape(2, 3, 8, 8)
    np.testing.assert_array_equal(net.forward(data=x)["prob"], want)


def test_an_empty_batch_runs(tmp_path):
    net = make(tmp_path, TEXT, TRAIN)
    net.blobs["data"].reshape(0, 3, 8, 8)
    assert net.forward()["prob"].shape == (0, 5)


def test_losses_divide_by_the_total_count_over_ranks(tmp_path):
    net = make(tmp_path, LOSS, TRAIN, dtype="float64", engine="numpy")
    net.blobs["x"].data[...] = np.random.default_rng(0).standard_normal((4, 3))
    net.blobs["label"].data[...] = [0, 9, 2, 1]                 # three labels count
    alone = net.forward_backward()
    grad = net.params["ip"][0].diff.copy()
    seen = []

    def hook(counts):
        seen.append(counts.copy())
        return counts + 1, 2                                    # the other rank had one
    net.counts_hook = hook
    loss = net.forward_backward()
    assert seen[0].tolist() == [3] and loss == pytest.approx(alone * 3 / (4 / 2))
    np.testing.assert_allclose(net.params["ip"][0].diff, grad * 3 / 2)


def test_buckets_fire_in_order_and_each_once(tmp_path):
    net = make(tmp_path, LOSS, TRAIN)
    fired = []
    net.ready_hook = fired.append
    net.forward_backward()
    assert fired == list(range(len(net.arena.buckets)))


def test_the_run_ordinal_decides_what_random_layers_draw(tmp_path):
    text = ('layer { name: "d" type: "Input" top: "x" input_param { shape { dim: 40 } } } '
            'layer { name: "drop" type: "Dropout" bottom: "x" top: "y" }')
    net = make(tmp_path, text, TRAIN)
    first = net.forward(x=np.ones(40))["y"].copy()
    second = net.forward()["y"].copy()
    assert (first != second).any() and net.run_ordinal == 2
    net.run_ordinal = 0
    np.testing.assert_array_equal(net.forward()["y"], first)
    other = make(tmp_path, text, TRAIN, rank=1, ranks=2)
    assert (other.forward(x=np.ones(40))["y"] != first).any()


SEQUENCE = """
layer { name: "d" type: "Input" top: "x" top: "k" input_param { shape { dim: 2 dim: 3 dim: 2 } shape { dim: 2 dim: 3 } } }
layer { name: "l" type: "RNN" bottom: "x" bottom: "k" top: "y" recurrent_param { num_output: 3
  weight_filler { type: "gaussian" std: 1 } bias_filler { type: "gaussian" std: 1 } } }
"""


@pytest.mark.parametrize("optimised", [False, True])
def test_what_a_layer_keeps_lasts_until_its_shape_changes(tmp_path, optimised):
    net = make(tmp_path, SEQUENCE, optimised=optimised)
    x = np.random.default_rng(1).standard_normal((2, 3, 2))

    def run(steps, streams):
        net.blobs["x"].reshape(steps, streams, 2)
        net.blobs["k"].reshape(steps, streams)
        return net.forward(x=x[:steps, :streams], k=np.ones((steps, streams)))["y"].copy()
    first, second = run(2, 3), run(2, 3)
    assert not np.allclose(first, second)
    np.testing.assert_allclose(run(2, 2), first[:, :2], rtol=1e-5)        # another batch starts from nothing
    np.testing.assert_allclose(run(1, 2), second[:1, :2], rtol=1e-5)      # other numbers of steps go on
    np.testing.assert_allclose(run(2, 3), first, rtol=1e-5)
    np.testing.assert_allclose(run(2, 3), second, rtol=1e-5)
    net.blobs["x"].reshape(2, 4, 2)
    with pytest.raises(ShapeError):
        net.reshape()
    assert not np.allclose(run(2, 3), first)                               # a reshape that failed changed nothing


def test_two_nets_keep_apart_what_their_layers_keep(tmp_path):
    net = make(tmp_path, SEQUENCE)
    other = make(tmp_path, SEQUENCE, params_of=net)
    x = np.ones((2, 3, 2))
    first = net.forward(x=x, k=np.ones((2, 3)))["y"].copy()
    net.forward()
    np.testing.assert_array_equal(other.forward(x=x, k=np.ones((2, 3)))["y"], first)


@pytest.mark.parametrize("engine", ["numpy", None])
@pytest.mark.parametrize("kind", ["Filter", "Python"])
def test_what_depends_on_data_reads_plain_arrays_whatever_the_engine_keeps(tmp_path, engine, kind):
    code = "import caffempi\nclass Keep(caffempi.Layer):\n    def setup(self, bottom, top):\n        top[0].reshape(*bottom[0].shape)\n" \
        "    def forward(self, bottom, top):\n        kept = bottom[0].data[bottom[1].data.reshape(-1) != 0]\n" \
        "        top[0].reshape(*kept.shape)\n        top[0].data[...] = kept\n"
    text = inputs(x=(4, 16, 6, 6), s=(4, 1, 3, 3)) + """
      layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 16 kernel_size: 3
        weight_filler { type: "xavier" } } }
      layer { name: "k" type: "Convolution" bottom: "s" top: "k" convolution_param { num_output: 1 kernel_size: 3
        weight_filler { type: "constant" value: 1 } } }
    """ + (layer("f", "Keep", "c", "k") if kind == "Python" else 'layer { name: "f" type: "Filter" bottom: "c" bottom: "k" top: "f" }') + """
      layer { name: "d" type: "Convolution" bottom: "f" top: "d" convolution_param { num_output: 16 kernel_size: 3
        weight_filler { type: "xavier" } } }"""
    path = write(tmp_path, code, text)
    nets = [Net(path, TEST, seed=3, engine="numpy"), Net(path, TEST, seed=3, engine=engine, optimised=True)]
    rng = np.random.default_rng(1)
    for kept in ([1, 0, 1, 1], [0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 1, 0]):
        x, s = rng.standard_normal((4, 16, 6, 6)), np.zeros((4, 1, 3, 3))
        s[:, 0, 1, 1] = kept
        want, got = (net.forward(x=x, s=s)["d"] for net in nets)
        assert want.shape[0] == sum(kept)
        np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)
