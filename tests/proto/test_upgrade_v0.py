"""The notation of 2013: where each field goes, and paddings that fold into their readers."""
from __future__ import annotations

import pytest

from caffempi.errors import NetError
from caffempi.proto.caffe_pb2 import NetParameter, PoolingParameter, V0LayerParameter, V1LayerParameter
from caffempi.proto.parse import parse
from caffempi.proto.places import Places
from caffempi.proto.upgrade_v0 import _PARAM, upgrade_v0


def upgraded(text: str) -> tuple[NetParameter, Places, list[str]]:
    net = NetParameter()
    places = parse(text, net, "f")
    return net, places, upgrade_v0(net, places)


@pytest.mark.parametrize(("type_", "old", "new"), [
    ("conv", "num_output: 3 kernelsize: 5 stride: 2 pad: 1 group: 4 biasterm: false",
     "convolution_param { num_output: 3 kernel_size: 5 stride: 2 pad: 1 group: 4 bias_term: false }"),
    ("conv", 'weight_filler { type: "xavier" } bias_filler { value: 2 } blobs_lr: 1 blobs_lr: 2 weight_decay: 0',
     'convolution_param { weight_filler { type: "xavier" } bias_filler { value: 2 } } '
     'blobs_lr: [1, 2] weight_decay: 0'),
    ("innerproduct", 'num_output: 3 biasterm: true weight_filler { std: 1 } bias_filler { }',
     "inner_product_param { num_output: 3 bias_term: true weight_filler { std: 1 } bias_filler { } }"),
    ("pool", "pool: AVE kernelsize: 3 stride: 2 pad: 1",
     "pooling_param { pool: AVE kernel_size: 3 stride: 2 pad: 1 }"),
    ("lrn", "local_size: 3 alpha: 2 beta: .5 k: 3", "lrn_param { local_size: 3 alpha: 2 beta: .5 k: 3 }"),
    ("dropout", "dropout_ratio: .3", "dropout_param { dropout_ratio: .3 }"),
    ("concat", "concat_dim: 2", "concat_param { concat_dim: 2 }"),
    ("data", 'source: "s" batchsize: 2 rand_skip: 3 scale: 2 meanfile: "m" cropsize: 4 mirror: true',
     'data_param { source: "s" batch_size: 2 rand_skip: 3 } '
     'transform_param { scale: 2 mean_file: "m" crop_size: 4 mirror: true }'),
    ("images", 'source: "s" batchsize: 2 rand_skip: 3 shuffle_images: true new_height: 5 new_width: 6',
     'image_data_param { source: "s" batch_size: 2 rand_skip: 3 shuffle: true new_height: 5 new_width: 6 }'),
    ("window_data", 'source: "s" batchsize: 2 det_fg_threshold: .1 det_bg_threshold: .2 det_fg_fraction: .3 '
     'det_context_pad: 4 det_crop_mode: "square"',
     'window_data_param { source: "s" batch_size: 2 fg_threshold: .1 bg_threshold: .2 fg_fraction: .3 '
     'context_pad: 4 crop_mode: "square" }'),
    ("hdf5_data", 'source: "s" batchsize: 2', 'hdf5_data_param { source: "s" batch_size: 2 }'),
    ("hdf5_output", 'hdf5_output_param { file_name: "o" }', 'hdf5_output_param { file_name: "o" }'),
    ("infogain_loss", 'source: "s"', 'infogain_loss_param { source: "s" }'),
    ("relu", "blobs { data: [1, 2] }", "blobs { data: [1, 2] }"),
])
def test_fields_move_to_the_message_of_the_type(type_: str, old: str, new: str) -> None:
    net, _, notes = upgraded(f'layers {{ layer {{ name: "x" type: "{type_}" {old} }} top: "t" }}')
    expected = NetParameter()
    parse(f'layers {{ name: "x" type: {_PARAM[type_][0]} {new} top: "t" }}', expected, "f")
    assert net == expected and len(notes) == 1


@pytest.mark.parametrize("type_", _PARAM)
def test_every_type_is_a_type_of_v1(type_: str) -> None:
    net, _, _ = upgraded(f'layers {{ layer {{ type: "{type_}" }} }}')
    kind, param = _PARAM[type_]
    assert net.layers[0].type == V1LayerParameter.LayerType.Value(kind)
    assert param == "" or param in V1LayerParameter.DESCRIPTOR.fields_by_name


@pytest.mark.parametrize("method", V0LayerParameter.PoolMethod.keys())
def test_pool_methods(method: str) -> None:
    net, _, _ = upgraded(f'layers {{ layer {{ type: "pool" pool: {method} }} }}')
    assert net.layers[0].pooling_param.pool == PoolingParameter.PoolMethod.Value(method)


def test_fields_without_meaning_for_the_type_are_dropped_with_a_note() -> None:
    net, _, notes = upgraded('layers { layer { name: "r" type: "relu" num_output: 3 new_num: 1 } }')
    assert net == NetParameter(layers=[V1LayerParameter(name="r", type="RELU")])
    assert [note for note in notes if '"r"' in note and ("num_output" in note or "new_num" in note)] == notes[1:]
    assert len(notes) == 3


PADDED = """layers { layer { name: "data" type: "data" } top: "data" }
layers { layer { name: "p" type: "padding" pad: 2 } bottom: "data" top: "padded" }
layers { layer { name: "c" type: "%s"
  kernelsize: 3 } bottom: "padded" top: "c" }
"""


@pytest.mark.parametrize(("type_", "param"), [("conv", "convolution_param"), ("pool", "pooling_param")])
def test_paddings_fold_into_their_readers(type_: str, param: str) -> None:
    net, places, _ = upgraded(PADDED % type_)
    assert [layer.name for layer in net.layers] == ["data", "c"]
    reader = net.layers[1]
    pad = getattr(reader, param).pad
    assert (pad if type_ == "pool" else list(pad)) == (2 if type_ == "pool" else [2])
    assert list(reader.bottom) == ["data"]
    assert places.at("layers", 1) == "f:3" and places.at("layers", 1, param, "kernel_size") == "f:4"


@pytest.mark.parametrize(("text", "words", "line"), [
    (PADDED % "relu", "only a conv or pool layer", 3),
    (PADDED.replace('bottom: "padded"', 'bottom: "padded" bottom: "data"') % "conv", "one bottom each", 3),
    (PADDED.replace('"padded" }', '"padded" top: "more" }') % "conv", "one bottom each", 3),
    ('input: "x"\nlayers { layer { name: "r" type: "relu" } bottom: "xx" }', 'bottom "xx"', 2),
    ('\nlayers { layer { name: "r" type: "conw" } }', 'unknown layer type "conw"', 2),
    ('\nlayers { layer { name: "r" } }', 'unknown layer type ""', 2),
])
def test_what_cannot_be_upgraded(text: str, words: str, line: int) -> None:
    with pytest.raises(NetError) as caught:
        upgraded(text)
    assert words in str(caught.value) and caught.value.where == f"f:{line}"
    net = NetParameter()
    parse(text, net, "f")
    with pytest.raises(NetError):
        upgrade_v0(net, None)


def test_inputs_can_be_read() -> None:
    net, _, _ = upgraded('input: "x" layers { layer { type: "relu" } bottom: "x" top: "x" }')
    assert list(net.layers[0].bottom) == ["x"] and list(net.input) == ["x"]


def test_layers_of_2014_among_them_stay() -> None:
    text = 'layers { name: "a" type: TANH top: "t" } layers { layer { name: "b" type: "relu" } bottom: "t" }'
    net, _, _ = upgraded(text)
    assert [(layer.name, layer.type) for layer in net.layers] == [
        ("a", V1LayerParameter.TANH), ("b", V1LayerParameter.RELU)]


def test_other_nets_are_left_alone() -> None:
    assert upgraded('layers { name: "a" type: TANH }')[2] == [] and upgraded('layer { name: "a" }')[2] == []


def test_messages_that_a_fork_put_into_the_old_notation() -> None:
    net, places, notes = upgraded("""layers { layer { name: "c" type: "conv"
  conv_param { num_output: 3
    pad: 1 } lrn_param { alpha: 1 } } }""")
    assert net.layers[0].convolution_param.num_output == 3 and list(net.layers[0].convolution_param.pad) == [1]
    assert places.at("layers", 0, "convolution_param", "pad") == "f:3"
    assert [note for note in notes if "lrn_param has no meaning" in note] and len(notes) == 2
