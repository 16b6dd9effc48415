"""Nets without their data."""
import numpy as np
import pytest

from caffempi.cli.inputs import fill_inputs, guess_shapes, label_classes, prepare
from caffempi.errors import DataError, UsageError
from caffempi.net import TEST, TRAIN, Net
from caffempi.proto.text import read_net
from tests.cli.conftest import FED

IMAGES = 'layer { name: "d" type: "%s" top: "data" top: "label" %s }\n'


def shapes_of(folder, text, shapes=None, phase=TRAIN, **kw):
    (folder / "n").write_text(text)
    p = prepare("n", phase, shapes=shapes, **kw)
    return [tuple(s.dim) for s in p.message.layer[0].input_param.shape], p


@pytest.mark.parametrize("text, expected", [
    (IMAGES % ("Data", 'data_param { source: "x" batch_size: 5 backend: LMDB } transform_param { crop_size: 9 }'), (5, 3, 9, 9)),
    (IMAGES % ("Data", '''data_param { source: "x" batch_size: 5 backend: LMDB }
                          transform_param { crop_size: 9 force_gray: true }'''), (5, 1, 9, 9)),
    (IMAGES % ("Data", '''data_param { source: "x" batch_size: 5 backend: LMDB }
                          transform_param { crop_size: 9 mean_value: 1 mean_value: 2 }'''), (5, 2, 9, 9)),
    (IMAGES % ("Data", '''data_param { source: "x" batch_size: 5 backend: LMDB }
                          transform_param { crop_size: 9 mean_value: 1 }'''), (5, 3, 9, 9)),
    (IMAGES % ("ImageData", 'image_data_param { source: "x" batch_size: 5 new_height: 7 new_width: 8 }'), (5, 3, 7, 8)),
    (IMAGES % ("WindowData", '''window_data_param { source: "x" batch_size: 5 } transform_param { crop_size: 9
                                mean_value: 1 }'''), (5, 3, 9, 9)),
    (IMAGES % ("ImageData", '''image_data_param { source: "x" batch_size: 5 new_height: 7 new_width: 8 is_color: false }
                               transform_param { crop_size: 6 }'''), (5, 1, 6, 6)),
])
def test_the_text_tells_shapes_where_the_source_is_missing(folder, text, expected):
    found, p = shapes_of(folder, text)
    assert found == [expected, expected[:1]]
    assert len(p.notes) == 1 and p.notes[0].startswith('layer "d"') and "(n:1)" in p.notes[0]
    assert Net(p.message, TRAIN, places=p.places).blobs["data"].shape == expected


def test_a_given_shape_counts_more_than_the_text(folder):
    text = IMAGES % ("Data", 'data_param { source: "x" batch_size: 5 backend: LMDB } transform_param { crop_size: 9 }')
    assert shapes_of(folder, text, {"data": (2, 3, 4, 4)})[0] == [(2, 3, 4, 4), (2,)]
    assert shapes_of(folder, text, {"data": (2, 3, 4, 4), "label": (7,)})[0] == [(2, 3, 4, 4), (7,)]


def test_input_layers_take_given_shapes_too(folder):
    p = prepare("tiny.prototxt", TEST, shapes={"data": (2, 3, 8, 8)})
    assert [tuple(s.dim) for s in p.message.layer[0].input_param.shape] == [(2, 3, 8, 8), (4,)]


def test_data_that_can_be_opened_stays_on_request(folder):
    assert prepare("fed.prototxt", TRAIN, keep_data=True).message.layer[0].type == "DummyData"
    assert prepare("fed.prototxt", TRAIN).message.layer[0].type == "Input"
    assert shapes_of(folder, FED)[0] == [(4, 3, 6, 6), (4,)]


def test_memory_data_is_never_there_to_stay(folder):
    text = IMAGES % ("MemoryData", "memory_data_param { batch_size: 5 channels: 2 height: 7 width: 8 }")
    assert shapes_of(folder, text, keep_data=True)[0] == [(5, 2, 7, 8), (5,)]


@pytest.mark.parametrize("text, words", [
    (IMAGES % ("Data", 'data_param { source: "x" batch_size: 5 backend: LMDB }'), "give shapes: --shape data=... --shape label=..."),
    ('layer { name: "d" type: "HDF5Data" top: "a" top: "b" hdf5_data_param { source: "x" batch_size: 2 } }',
     "--shape a=... --shape b=..."),
    (IMAGES % ("Data", 'data_param { source: "x" batch_size: 0 backend: LMDB } transform_param { crop_size: 9 }'),
     "batch_size = 0.*must be at least 1"),
])
def test_a_shape_that_nobody_knows_and_a_fault_of_the_text_are_errors(folder, text, words):
    with pytest.raises(DataError, match=words):
        shapes_of(folder, text)


def test_a_shape_of_no_input_is_an_error(folder):
    with pytest.raises(UsageError, match=r'--shape dta: "dta" is no input of the net; did you mean data\?'):
        prepare("tiny.prototxt", TEST, shapes={"dta": (1,)})


def test_a_guess_has_the_batch_of_the_text(folder):
    (folder / "n").write_text(IMAGES % ("Data", 'data_param { source: "x" batch_size: 5 backend: LMDB }'))
    message, _ = read_net("n")
    guess_shapes(message, 0)
    assert [tuple(s.dim) for s in message.layer[0].input_param.shape] == [(5, 3, 224, 224), (5,)]


LABELS = '''layer { name: "d" type: "Input" top: "x" top: "a" top: "b" input_param { shape { dim: 4 dim: 6 } shape { dim: 4 }
  shape { dim: 4 dim: 6 } } }
layer { name: "s" type: "Split" bottom: "a" top: "a1" top: "a2" }
layer { name: "f" type: "Flatten" bottom: "a1" top: "f" flatten_param { axis: 0 } }
layer { name: "ip" type: "InnerProduct" bottom: "x" top: "ip" inner_product_param { num_output: 3 } }
layer { name: "l1" type: "SoftmaxWithLoss" bottom: "x" bottom: "f" top: "l1" }
layer { name: "l2" type: "SoftmaxWithLoss" bottom: "ip" bottom: "a2" top: "l2" }
layer { name: "e" type: "Eltwise" bottom: "x" bottom: "b" top: "e" }
'''


def test_indices_of_rows_are_in_range(folder):
    (folder / "n").write_text('layer { name: "d" type: "Input" top: "i" input_param { shape { dim: 50 } } } '
                              'layer { name: "e" type: "Embed" bottom: "i" top: "e" embed_param { input_dim: 7 num_output: 2 } }')
    net = Net("n", TEST, seed=0)
    assert label_classes(net.graph) == {"i": 7}
    fill_inputs(net, 1)
    assert net.forward()["e"].shape == (50, 2) and net.blobs["i"].data.max() <= 6


def test_labels_are_found_behind_splits_and_get_classes_of_their_readers(folder):
    (folder / "n").write_text(LABELS)
    net = Net("n", TEST, seed=0)
    assert label_classes(net.graph) == {"a": 3}
    fill_inputs(net, 3)
    labels = net.blobs["a"].data.copy()
    assert set(labels) <= {0, 1, 2} and net.blobs["b"].data.std() > 0.5
    x = net.blobs["x"].data.copy()
    net.forward()
    fill_inputs(net, 4)
    assert not np.array_equal(net.blobs["x"].data, x)
    fill_inputs(net, 3)
    assert np.array_equal(net.blobs["x"].data, x) and np.array_equal(net.blobs["a"].data, labels)
