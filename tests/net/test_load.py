"""Loading: the state filters layers, data sources give shapes, faults name file and line, messages work as files do."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TEST, TRAIN
from caffempi.errors import DataError, NetError, TextError, WeightsError
from caffempi.net.load import Sharding, load_net
from caffempi.proto import caffe_pb2
from caffempi.proto.text import read_net

TEXT = """layer { name: "d" type: "DummyData" top: "x" dummy_data_param { shape { dim: 4 dim: 2 } } include { phase: TRAIN } }
layer { name: "i" type: "Input" top: "x" input_param { shape { dim: 1 dim: 2 } } include { phase: TEST } }
layer { name: "a" type: "Power" bottom: "x" top: "a" include { stage: "extra" } }
layer { name: "b" type: "Power" bottom: "x" top: "b" exclude { min_level: 3 } }
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "n.prototxt"
    file.write_text(TEXT)
    return str(file)


@pytest.mark.parametrize("phase, level, stages, names, shape", [
    (TRAIN, 0, (), ["d", "b"], (4, 2)), (TEST, 0, (), ["i", "b"], (1, 2)),
    (TEST, 3, (), ["i"], (1, 2)), (TEST, 0, ("extra",), ["i", "a", "b"], (1, 2)),
])
def test_state_filters_layers(path, phase, level, stages, names, shape):
    loaded = load_net(path, phase, level, stages)
    assert [lp.name for lp in loaded.message.layer] == names
    assert loaded.graph.blobs["x"][0].spec.shape == shape
    assert list(loaded.sources) == (["d"] if phase == TRAIN else [])


def test_hints_of_forks_and_the_dialect_are_noted(path):
    with open(path, "a") as f:
        f.write('layer { name: "n" type: "BatchNorm" bottom: "b" top: "n" forward_type: FLOAT16 cudnn_math_override: 1\n'
                '        batch_norm_param { use_global_stats: false } }\neltwise_mem_sharing: false\n')
    loaded = load_net(path, TEST)
    assert loaded.notes == [
        "dialect nvcaffe, which eltwise_mem_sharing proves: batch_norm_param.use_global_stats: false is as if unset in 1 layer(s)",
        "eltwise_mem_sharing of NVCaffe is without effect here (in the net)",
        "forward_type of NVCaffe, Caffe-MPI is without effect here (in layer n)",
        "cudnn_math_override of NVCaffe is without effect here (in layer n)"]
    assert [n.op for n in loaded.graph.nodes][-1] == "batch_norm_global"
    assert [n.op for n in load_net(path, TEST, dialect="bvlc").graph.nodes][-1] == "batch_norm"
    assert not read_net(path)[0].layer[-1].batch_norm_param.use_global_stats


@pytest.mark.parametrize("line, words", [
    ("bn_stats_batch_size: 4", "field bn_stats_batch_size = 4"),
    ('layer { name: "p" type: "Permute" bottom: "x" top: "p" }', 'layer type "Permute" is one of SSD, NVCaffe, Intel Caffe')])
def test_settings_and_types_that_only_forks_have_are_refused(path, line, words):
    with open(path, "a") as f:
        f.write(line)
    with pytest.raises(NetError) as caught:
        load_net(path, TRAIN)
    assert words in str(caught.value) and path in str(caught.value)


def test_a_message_builds_as_its_file_does(path):
    message = text_format.Parse(TEXT, caffe_pb2.NetParameter())
    assert load_net(message, TRAIN).graph.digest() == load_net(path, TRAIN).graph.digest()


def test_batch_overrides_what_the_layer_says(path):
    assert load_net(path, TRAIN, sharding=Sharding(batch=2)).graph.blobs["x"][0].spec.shape == (2, 2)


def test_feeds_open_and_close(path):
    feeds = load_net(path, TRAIN).open_feeds()
    assert feeds["d"].shapes() == [(4, 2)]
    feeds["d"].close()


@pytest.mark.parametrize("text, error, message", [
    ('layer { name: "d" type: "Data" top: "x"\n data_param { source: "nowhere" batch_size: 2 backend: LMDB } }', DataError, "n.prototxt:"),
    ('layer { name: "d" type: "Input" top: "x" input_param { shape { dim: 2 } } }\n\nlayer { name: "r" type: "ReLu" bottom: "x" top: "r" }',
     NetError, "n.prototxt:3.*did you mean ReLU"),
    ('layer { name: "d" type: "Input" top: "x"\n input_parm { } }', TextError, "n.prototxt:2:2.*input_param"),
    ('name: "empty"', NetError, "no layers in this phase"),
], ids=range(4))
def test_faults_name_file_and_line(tmp_path, text, error, message):
    file = tmp_path / "n.prototxt"
    file.write_text(text)
    with pytest.raises(error, match=message):
        load_net(str(file), TRAIN)


def test_the_state_is_the_nets_own_completed_by_phase_level_and_stages():
    from caffempi.net.load import net_state
    from caffempi.proto import caffe_pb2
    message = caffe_pb2.NetParameter()
    message.state.stage.append("a")
    message.state.level = 3
    state = net_state(message, caffe_pb2.TEST, 0, ["b", "a"])
    assert (state.phase, state.level, list(state.stage)) == (caffe_pb2.TEST, 3, ["a", "b"])
    assert net_state(message, caffe_pb2.TRAIN, 5).level == 5
    assert list(message.state.stage) == ["a"]


def test_blobs_that_layers_read_are_found_from_the_base_folder(tmp_path, monkeypatch):
    proto = caffe_pb2.BlobProto(data=[1.0, 0, 0, 1])
    proto.shape.dim.extend([2, 2])
    (tmp_path / "h.binaryproto").write_bytes(proto.SerializeToString())
    text = ('layer { name: "i" type: "Input" top: "x" top: "label" input_param { shape { dim: 3 dim: 2 } shape { dim: 3 } } }\n'
            'layer { name: "l" type: "InfogainLoss" bottom: "x" bottom: "label" infogain_loss_param { source: "h.binaryproto" } }')
    message = text_format.Parse(text, caffe_pb2.NetParameter())
    with pytest.raises(WeightsError, match=r"h\.binaryproto"):
        load_net(message, TRAIN)
    assert load_net(message, TRAIN, sharding=Sharding(base=str(tmp_path))).graph.nodes[0].op == "constant"
    monkeypatch.chdir(tmp_path)
    assert load_net(message, TRAIN).graph.nodes[0].op == "constant"


def test_faults_of_data_layers_name_the_fields_own_line(tmp_path):
    file = tmp_path / "n.prototxt"
    file.write_text('layer { name: "d" type: "DummyData" top: "x"\n dummy_data_param {\n  shape { dim: 2 } } }\n'
                    'layer { name: "h" type: "HDF5Data" top: "y"\n  hdf5_data_param {\n    source: "none.txt"\n    batch_size: 0 } }\n')
    with pytest.raises(DataError, match=r"batch_size = 0 \(.*n.prototxt:7\)|source = .*n.prototxt:6\)"):
        load_net(str(file), TRAIN)


def test_first_values_are_the_same_whether_threads_draw_them_or_not(tmp_path, monkeypatch):
    text = "".join(f'layer {{ name: "l{k}" type: "InnerProduct" bottom: "x" top: "y{k}" inner_product_param {{ num_output: {n} '
                   f'weight_filler {{ type: "{kind}" }} }} }}\n' for k, (n, kind) in enumerate([(7, "gaussian"), (900, "xavier"), (3, "msra")]))
    message = text_format.Parse('layer { name: "i" type: "Input" top: "x" input_param { shape { dim: 1 dim: 9 } } }\n' + text,
                                caffe_pb2.NetParameter())
    loaded = load_net(message, TRAIN)
    alone = {p.name: values.copy() for p, values in loaded.first_values(loaded.graph.params, 5)}
    monkeypatch.setattr("caffempi.net.load._MANY", 1)
    together = dict(loaded.first_values(loaded.graph.params, 5))
    assert [p.name for p in together] == list(alone) and len(alone) == 6
    for p, values in together.items():
        np.testing.assert_array_equal(values, alone[p.name])
    assert alone["l0/0"].std() > 0.5
