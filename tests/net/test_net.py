"""The pycaffe-like surface: names, running whole and in part, inputs, weights in and out, sharing, refusals."""
import numpy as np
import pytest

import caffempi
from caffempi import TEST, TRAIN, Net
from caffempi.errors import CaffempiError, NetError, ShapeError, UsageError, WeightsError
from caffempi.proto import caffe_pb2

TEXT = """
layer { name: "data" type: "Input" top: "data" input_param { shape { dim: 2 dim: 3 dim: 8 dim: 8 } } }
layer { name: "conv" type: "Convolution" bottom: "data" top: "conv" convolution_param { num_output: 4 kernel_size: 3
  weight_filler { type: "xavier" } bias_filler { type: "constant" value: 0.1 } } }
layer { name: "relu" type: "ReLU" bottom: "conv" top: "conv" }
layer { name: "ip" type: "InnerProduct" bottom: "conv" top: "ip" inner_product_param { num_output: 5 weight_filler { type: "gaussian" std: 0.1 } } }
layer { name: "prob" type: "Softmax" bottom: "ip" top: "prob" }
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "net.prototxt"
    file.write_text(TEXT)
    return str(file)


def test_names_as_pycaffe_has_them(path):
    net = Net(path, TEST, seed=1)
    assert list(net.blobs) == ["data", "conv", "ip", "prob"] and list(net.params) == ["conv", "ip"]
    assert net.inputs == ["data"] and net.outputs == ["prob"]
    assert [layer.type for layer in net.layers] == ["Input", "Convolution", "ReLU", "InnerProduct", "Softmax"]
    assert net._layer_names == ["data", "conv", "relu", "ip", "prob"] and net.layer_dict["ip"].blobs[0].shape == (5, 144)
    assert net.top_names["relu"] == ["conv"] and net.bottom_names["ip"] == ["conv"]
    assert set(caffempi.layer_type_list()) >= {"Convolution", "Softmax"}


@pytest.mark.parametrize("name", ["observe", "no_pass"])
def test_one_string_is_not_taken_for_its_letters(path, name):
    with pytest.raises(UsageError, match=f"{name} takes several names, not one string"):
        Net(path, TEST, **{name: "conv"})


def test_forward_takes_inputs_by_name_and_returns_outputs_and_more(path):
    net = Net(path, TEST, seed=1)
    x = np.random.default_rng(0).standard_normal((2, 3, 8, 8))
    out = net.forward(blobs=["conv"], data=x)
    assert set(out) == {"prob", "conv"} and out["prob"].sum() == pytest.approx(2) and (out["conv"] >= 0).all()
    np.testing.assert_array_equal(net.blobs["data"].data, x.astype(np.float32))


def test_partial_runs_go_from_start_to_end_inclusive(path):
    net = Net(path, TEST, seed=1)
    net.blobs["data"].data[...] = np.random.default_rng(0).standard_normal((2, 3, 8, 8))
    raw = net.forward(end="conv")["conv"].copy()
    assert (raw < 0).any()
    net.forward(start="relu", end="relu")
    np.testing.assert_array_equal(net.blobs["conv"].data, np.maximum(raw, 0))
    net.blobs["ip"].data[...] = 0
    assert net.forward(start="prob")["prob"] == pytest.approx(0.2)


def test_backward_adds_param_gradients_until_cleared(path):
    net = Net(path, TRAIN, seed=1)
    net.blobs["prob"].diff[...] = 1
    assert net.backward(prob=np.ones((2, 5))).keys() == {"data"}
    text = TEXT.replace('top: "prob" }', 'top: "prob" loss_weight: 1 }')
    file = path.replace("net.", "loss.")
    with open(file, "w") as f:
        f.write(text)
    net = Net(file, TRAIN, seed=1)
    net.forward(data=np.random.default_rng(0).standard_normal((2, 3, 8, 8)))
    net.backward(prob=np.arange(10.0).reshape(2, 5))
    once = net.params["ip"][0].diff.copy()
    net.backward()
    np.testing.assert_allclose(net.params["ip"][0].diff, 2 * once, rtol=1e-5)
    net.clear_param_diffs()
    assert not net.params["ip"][0].diff.any()


def test_the_same_seed_fills_alike_and_different_layers_differ(path):
    a, b, c = Net(path, TEST, seed=1), Net(path, TEST, seed=1), Net(path, TEST, seed=2)
    np.testing.assert_array_equal(a.params["ip"][0].data, b.params["ip"][0].data)
    assert (a.params["ip"][0].data != c.params["ip"][0].data).any()


@pytest.mark.parametrize("form", ["binary", "hdf5"])
def test_weights_round_trip_bit_for_bit(path, tmp_path, form):
    net = Net(path, TEST, seed=3)
    file = str(tmp_path / ("w.caffemodel" + (".h5" if form == "hdf5" else "")))
    (net.save_hdf5 if form == "hdf5" else net.save)(file)
    for other in (Net(path, TEST, weights=file, seed=4), Net(path, file, TEST)):
        for layer, blobs in net.params.items():
            for k, blob in enumerate(blobs):
                np.testing.assert_array_equal(other.params[layer][k].data, blob.data)
    message = caffe_pb2.NetParameter()
    if form == "binary":
        message.ParseFromString((tmp_path / "w.caffemodel").read_bytes())
        assert [lp.name for lp in message.layer] == net._layer_names and message.layer[1].convolution_param.num_output == 4


def test_weights_of_other_shapes_are_refused_and_nothing_is_copied(path, tmp_path):
    net = Net(path, TEST, seed=3)
    file = str(tmp_path / "w.caffemodel")
    net.save(file)
    wide = str(tmp_path / "wide.prototxt")
    with open(wide, "w") as f:
        f.write(TEXT.replace("num_output: 5", "num_output: 6"))
    other = Net(wide, TEST, seed=9)
    before = other.params["conv"][0].data.copy()
    with pytest.raises(WeightsError, match='layer "ip".*5x144.*6x144'):
        other.copy_from(file)
    np.testing.assert_array_equal(other.params["conv"][0].data, before)


def test_layers_that_do_not_fit_can_be_left_out(path, tmp_path):
    net, file = Net(path, TEST, seed=3), str(tmp_path / "w.caffemodel")
    net.save(file)
    wide = str(tmp_path / "wide.prototxt")
    with open(wide, "w") as f:
        f.write(TEXT.replace("num_output: 5", "num_output: 6"))
    other = Net(wide, TEST, seed=9)
    before = other.params["ip"][0].data.copy()
    notes = other.copy_from(file, "skip")
    np.testing.assert_array_equal(other.params["conv"][0].data, net.params["conv"][0].data)
    np.testing.assert_array_equal(other.params["ip"][0].data, before)
    assert len(notes) == 1 and 'layer "ip" is left as it is' in notes[0]


def test_what_copying_had_to_say_is_among_the_notes(path, tmp_path):
    net, file = Net(path, TEST, seed=3), str(tmp_path / "w.caffemodel")
    net.save(file)
    text = str(tmp_path / "renamed.prototxt")
    with open(text, "w") as f:
        f.write(TEXT.replace('name: "ip"', 'name: "ip2"'))
    assert Net(text, TEST, weights=file).notes[-2:] == [
        "layers that only the weights file has: ip", "layers that only the net has, which stay as they are: ip2"]


def test_nvcaffes_batch_norm_gives_what_its_two_layers_give(tmp_path):
    """One layer with scale_bias, loaded from five blobs in DIGITS' order, does what BatchNorm and Scale do."""
    head = 'layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 4 dim: 3 dim: 2 dim: 2 } } }\n'
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text(head + 'layer { name: "b" type: "BatchNorm" bottom: "x" top: "y" batch_norm_param { scale_bias: true } }')
    two.write_text(head + 'layer { name: "b" type: "BatchNorm" bottom: "x" top: "b" }\n'
                   'layer { name: "s" type: "Scale" bottom: "b" top: "y" scale_param { bias_term: true } }')
    scale, bias, mean, var = (np.arange(k, k + 3, dtype=np.float32) for k in (1, 4, 7, 9))
    digits, plain = caffe_pb2.NetParameter(), caffe_pb2.NetParameter()
    digits.layer.add(name="b", blobs=[blob(a) for a in (scale, bias, mean, var, np.zeros(1))])
    plain.layer.add(name="b", blobs=[blob(a) for a in (4 * mean, 4 * var, np.array([4.0]))])
    plain.layer.add(name="s", blobs=[blob(a) for a in (scale, bias)])
    x = np.random.default_rng(1).normal(size=(4, 3, 2, 2))
    results = []
    for text, message in ((one, digits), (two, plain)):
        (tmp_path / "w").write_bytes(message.SerializeToString())
        results.append(Net(str(text), TEST, weights=str(tmp_path / "w")).forward(x=x)["y"])
    np.testing.assert_allclose(*results, rtol=1e-6)


def blob(array):
    return caffe_pb2.BlobProto(shape={"dim": array.shape}, data=array.ravel().tolist())


def test_nets_share_params_by_layer_name(path):
    owner = Net(path, TRAIN, seed=1)
    guest = Net(path, TEST, seed=2, params_of=owner)
    owner.params["conv"][0].data[...] = 7
    assert (guest.params["conv"][0].data == 7).all()
    late = Net(path, TEST, seed=2)
    late.share_with(owner)
    late.forward(data=np.ones((2, 3, 8, 8)))
    owner.forward(data=np.ones((2, 3, 8, 8)))
    np.testing.assert_array_equal(late.blobs["prob"].data, owner.blobs["prob"].data)
    owner.params["ip"][0].data[...] = 0
    assert late.forward(data=np.ones((2, 3, 8, 8)))["prob"] == pytest.approx(0.2)


@pytest.mark.parametrize("order", [[(0, 0)], [(0, 1), (1, 0)], [(0, 1), (1, 2), (2, 0)], [(0, 1), (2, 0), (1, 2)]])
def test_sharing_takes_the_arrays_of_the_moment_whoever_has_them(path, order):
    """As where Caffe's blobs share: what the owner borrows later, back from its guest or of a third, is its own affair."""
    nets = [Net(path, TEST, seed=k) for k in range(3)]
    x = np.ones((2, 3, 8, 8))
    for guest, owner in order:
        before = [net.forward(data=x)["prob"].copy() for net in nets]
        nets[guest].share_with(nets[owner])
        after = [before[owner if k == guest else k] for k in range(3)]
        for net, want in zip(nets, after, strict=True):
            np.testing.assert_array_equal(net.forward(data=x)["prob"], want)
        assert np.shares_memory(nets[guest].params["ip"][0].data, nets[owner].params["ip"][0].data)


def test_what_a_guest_reads_or_writes_its_owner_computes_with(path, tmp_path):
    """Copies of params in other layouts are renewed in every net that shares them."""
    owner, guest, x = Net(path, TEST, seed=1), Net(path, TEST, seed=2), np.ones((2, 3, 8, 8))
    guest.save(tmp_path / "w.caffemodel")
    want = guest.forward(data=x)["prob"].copy()
    guest.share_with(owner)
    assert not np.array_equal(owner.forward(data=x)["prob"], want)
    guest.copy_from(tmp_path / "w.caffemodel")
    np.testing.assert_array_equal(owner.forward(data=x)["prob"], want)
    guest.params["ip"][0].data[...] = 0
    assert owner.forward(data=x)["prob"] == pytest.approx(0.2)


def test_params_of_another_dtype_are_not_shared(path):
    net, wide = Net(path, TEST, seed=1), Net(path, TEST, seed=2, dtype="float64", engine="numpy")
    before = net.params["conv"][0].data.copy()
    with pytest.raises(NetError, match=r'layer "conv".*: blob 0 cannot be shared: its dtype is float32 here and float64 in'):
        net.share_with(wide)
    np.testing.assert_array_equal(net.params["conv"][0].data, before)


def test_a_negative_seed_means_any(path):
    a, b = Net(path, TEST, seed=-1), Net(path, TEST, seed=-1)
    assert a.seed >= 0 and not np.array_equal(a.params["conv"][0].data, b.params["conv"][0].data)


def test_first_nonfinite_names_layer_and_blob(path):
    net = Net(path, TEST, seed=1)
    net.forward(data=np.ones((2, 3, 8, 8)))
    assert net.first_nonfinite() is None
    net.params["ip"][1].data[2] = np.inf
    net.forward()
    assert net.first_nonfinite() == 'layer "ip" (InnerProduct), blob "ip"'


def test_optimised_nets_show_inputs_and_outputs_only(path):
    net = Net(path, TEST, seed=1, optimised=True)
    net.forward(data=np.ones((2, 3, 8, 8)))
    with pytest.raises(UsageError, match='blob "conv" is not observed.*observe'):
        _ = net.blobs["conv"].data
    with pytest.raises(UsageError, match="part of the layers"):
        net.forward(end="conv")


@pytest.mark.parametrize("call, error, message", [
    (lambda n: n.forward(dta=0), UsageError, '"dta" is not an input.*data'),
    (lambda n: n.forward(data=np.ones((1, 3, 8, 8))), UsageError, r"shape \[2, 3, 8, 8\], the array given \[1, 3, 8, 8\]"),
    (lambda n: n.forward(start="nope"), UsageError, 'no layer "nope"'),
    (lambda n: n.forward(blobs=["nope"]), UsageError, 'no blob "nope"'),
    (lambda n: n.backward(data=np.ones((2, 3, 8, 8))), UsageError, "not an output"),
    (lambda n: n.params["conv"][0].reshape(1, 2), NetError, "keeps its shape"),
    (lambda n: n.blobs["data"].reshape(-1, 2), ShapeError, "negative"),
    (lambda n: n.copy_from("/nonexistent.caffemodel"), WeightsError, "nonexistent"),
], ids=range(8))
def test_refusals(path, call, error, message):
    with pytest.raises(error, match=message) as e:
        call(Net(path, TEST, seed=1))
    assert isinstance(e.value, CaffempiError)


def test_phase_must_be_one_of_two(path):
    with pytest.raises(UsageError, match="phase must be TRAIN"):
        Net(path, 5)


def test_a_net_is_freed_with_the_last_name_for_it(path):
    """Its memory must not wait for the cycle collector: loops over large nets would run out of it."""
    import gc
    import weakref
    gc.collect()
    gc.disable()
    try:
        net = Net(path, TRAIN, seed=1)
        net.forward(data=np.ones((2, 3, 8, 8)))
        net.backward()
        _ = net.params["conv"][0].data, net.blobs["conv"].diff
        storage, arena = weakref.ref(net._runner._storage), weakref.ref(net.arena)
        net.close()
        del net, _
        assert storage() is None and arena() is None
    finally:
        gc.enable()
