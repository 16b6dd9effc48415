"""MemoryData: arrays handed over, in batches, round and round, shared among ranks."""
import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.data.feed import open_feed, probe
from caffempi.data.memory_feed import MemoryFeed, memory_shapes
from caffempi.errors import DataError, UsageError
from caffempi.proto import caffe_pb2
from caffempi.proto.text import read_net

TEXT = """layer { name: "m" type: "MemoryData" top: "x" top: "label" memory_data_param { batch_size: 2 channels: 1 height: 2 width: 3 } EXTRA }
layer { name: "p" type: "Power" bottom: "x" top: "y" power_param { scale: 2 } }
layer { name: "q" type: "Power" bottom: "label" top: "z" }
"""


def lp(**fields):
    return caffe_pb2.LayerParameter(name="m", type="MemoryData", top=["x", "label"], memory_data_param=caffe_pb2.MemoryDataParameter(
        **{"batch_size": 2, "channels": 1, "height": 2, "width": 3, **fields}))


def data(n):
    return np.arange(n * 6, dtype=np.float32).reshape(n, 1, 2, 3), np.arange(n, dtype=np.float32)


def make(tmp_path, extra="", **options):
    (tmp_path / "n.prototxt").write_text(TEXT.replace("EXTRA", extra))
    return Net(tmp_path / "n.prototxt", TEST, **options)


@pytest.mark.parametrize("axes", [1, 2, 3, 4])
def test_batches_in_order_and_from_the_start_again(tmp_path, axes):
    net = make(tmp_path)
    x, labels = data(6)
    net.set_input_arrays(x, labels.reshape((6,) + (1,) * (axes - 1)))
    for k in (0, 1, 2, 0, 1):
        out = net.forward()
        np.testing.assert_array_equal(out["y"], 2 * x[2 * k:2 * k + 2])
        np.testing.assert_array_equal(out["z"], labels[2 * k:2 * k + 2])
    net.set_input_arrays(x[::-1][:2], labels[:2])
    np.testing.assert_array_equal(net.forward()["y"], 2 * x[::-1][:2]), "new arrays start at their first item"


def test_arrays_are_kept_as_they_are(tmp_path):
    net = make(tmp_path)
    x, labels = data(2)
    net.set_input_arrays(x, labels, layer="m")
    x[...] = 4
    assert (net.forward()["y"] == 8).all()


def test_forward_without_arrays(tmp_path):
    with pytest.raises(DataError, match=r'layer "m" \(MemoryData\).*call net.set_input_arrays'):
        make(tmp_path).forward()


@pytest.mark.parametrize("x, labels, said", [
    (np.zeros((3, 1, 2, 3)), np.zeros(3), "multiple of the batch size 2, not 3"), (np.zeros((0, 1, 2, 3)), np.zeros(0), "not 0"),
    (np.zeros((2, 6)), np.zeros(2), "N x 1 x 2 x 3"), (np.zeros((2, 1, 3, 2)), np.zeros(2), "N x 1 x 2 x 3"),
    (np.zeros((2, 1, 2, 3)), np.zeros(4), "one for each item"), (np.zeros((2, 1, 2, 3)), np.zeros((2, 2)), "one for each item"),
    (np.float32(3), np.zeros(1), "N x 1 x 2 x 3")])
def test_arrays_that_do_not_fit(tmp_path, x, labels, said):
    with pytest.raises(UsageError, match=said):
        make(tmp_path).set_input_arrays(x, labels)


def test_nets_without_the_layer(tmp_path):
    net = make(tmp_path)
    with pytest.raises(UsageError, match='no MemoryData layer "n"'):
        net.set_input_arrays(*data(2), layer="n")


@pytest.mark.parametrize("extra, said", [("transform_param { scale: 2 }", "transform_param"),
                                         ("memory_data_param { transpose: true }", "transpose")])
def test_fields_that_cannot_be_obeyed(tmp_path, extra, said):
    with pytest.raises(Exception, match=said) as caught:
        make(tmp_path, extra)
    assert "n.prototxt:1" in str(caught.value)


@pytest.mark.parametrize("field", ["batch_size", "channels", "height", "width"])
def test_sizes_must_be_given(field):
    layer = lp()
    layer.memory_data_param.ClearField(field)
    with pytest.raises(DataError, match=f"memory_data_param.{field} = 0: must be at least 1"):
        memory_shapes(layer)
    with pytest.raises(DataError, match="GiB"):
        memory_shapes(lp(batch_size=2**31, channels=2**20))


def test_ranks_take_turns_and_positions_are_kept():
    x, labels = data(8)
    feeds = [open_feed(lp(), TRAIN, tops=2, rank=r, ranks=2) for r in range(2)]
    assert all(isinstance(f, MemoryFeed) for f in feeds)
    outs = [np.empty(s, np.float32) for s in feeds[0].shapes()]
    seen = []
    for feed in feeds:
        feed.set(x, labels)
    for _ in range(2):
        for feed in feeds:
            feed.next(outs)
            seen.append(outs[1].tolist())
    assert seen == [[0, 1], [2, 3], [4, 5], [6, 7]] and feeds[1].position() == 8
    feeds[1].seek(4)
    feeds[1].next(outs)
    assert outs[1].tolist() == [6, 7]
    with pytest.raises(DataError):
        feeds[1].seek(3)
    feeds[0].close()


def test_probe_and_batch():
    assert probe(lp(), TRAIN, tops=2) == [(2, 1, 2, 3), (2,)]
    assert probe(lp(), TRAIN, tops=2, batch=5) == [(5, 1, 2, 3), (5,)]


def test_old_texts_are_read(tmp_path):
    (tmp_path / "v1.prototxt").write_text('layers { name: "m" type: MEMORY_DATA top: "x" top: "l" memory_data_param { batch_size: 1 '
                                          'channels: 1 height: 1 width: 1 } }')
    assert read_net(tmp_path / "v1.prototxt")[0].layer[0].type == "MemoryData"
