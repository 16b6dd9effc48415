"""The notation of 2014: types, and the options of parameters."""
from __future__ import annotations

import pytest

from caffempi.errors import NetError
from caffempi.proto.caffe_pb2 import LayerParameter, NetParameter, V1LayerParameter
from caffempi.proto.parse import parse
from caffempi.proto.places import Places
from caffempi.proto.upgrade_v1 import _TYPES, upgrade_v1


def upgraded(text: str) -> tuple[NetParameter, Places, list[str]]:
    net = NetParameter()
    places = parse(text, net, "f")
    return net, places, upgrade_v1(net, places)


def test_every_type_has_its_name_of_today() -> None:
    assert set(_TYPES) == set(V1LayerParameter.LayerType.keys())
    assert len(set(_TYPES.values())) == len(_TYPES) == 40 + 28


@pytest.mark.parametrize(("old", "new"), [
    ("CONVOLUTION", "Convolution"), ("SOFTMAX_LOSS", "SoftmaxWithLoss"), ("RELU", "ReLU"), ("LRN", "LRN"),
    ("TANH", "TanH"),
    ("BNLL", "BNLL"), ("MVN", "MVN"), ("HDF5_DATA", "HDF5Data"), ("HDF5_OUTPUT", "HDF5Output"), ("ABSVAL", "AbsVal"),
    ("ARGMAX", "ArgMax"), ("IM2COL", "Im2col"), ("SIGMOID_CROSS_ENTROPY_LOSS", "SigmoidCrossEntropyLoss"), ("NONE", ""),
    ("14", "InnerProduct"), ("CONVOLUTION3D", "Convolution3D"), ("INTERP", "Interp"), ("BN", "BN"), ("RELU6", "ReLU6"),
])
def test_types(old: str, new: str) -> None:
    net, _, notes = upgraded(f"layers {{ type: {old} }}")
    assert net == NetParameter(layer=[LayerParameter(type=new)]) and len(notes) == 1


def test_messages_of_layer_types_are_the_same_in_both() -> None:
    """Every message field of V1 (but V0's) is copied by its name: today's layer has it, with the same type."""
    today = LayerParameter.DESCRIPTOR.fields_by_name
    for field in V1LayerParameter.DESCRIPTOR.fields:
        if field.message_type and field.name != "layer":
            assert today[field.name].message_type is field.message_type


def test_fields_of_forks_are_carried_over() -> None:
    """strict_dim is the one field that is no message."""
    net, places, _ = upgraded("layers { type: UNPOOLING\n strict_dim: false\n unpooling_param { unpool: TILE } bn_param { } }")
    expected = LayerParameter(type="Unpooling", strict_dim=False, unpooling_param={"unpool": "TILE"}, bn_param={})
    assert list(net.layer) == [expected] and places.at("layer", 0, "strict_dim") == "f:2"
    assert {f.name for f in V1LayerParameter.DESCRIPTOR.fields if f.number >= 2000 and not f.message_type} == {"strict_dim"}


def test_all_is_carried_over() -> None:
    net, places, _ = upgraded("""name: "n" debug_info: true
layers {
  name: "c" type: CONVOLUTION bottom: "a" bottom: "b" top: "t" loss_weight: [1, 2]
  include { phase: TRAIN } exclude { stage: "s" } blobs { data: 1 } blobs { data: 2 }
  param: "w"
  blobs_lr: 1
  blobs_lr: 2 weight_decay: 3
  blob_share_mode: [PERMISSIVE, STRICT, PERMISSIVE]
  convolution_param { num_output: 3
    kernel_size: 5 }
}""")
    expected = NetParameter()
    parse("""name: "n" debug_info: true layer {
  name: "c" type: "Convolution" bottom: "a" bottom: "b" top: "t" loss_weight: [1, 2]
  include { phase: TRAIN } exclude { stage: "s" } blobs { data: 1 } blobs { data: 2 }
  param { name: "w" lr_mult: 1 decay_mult: 3 share_mode: PERMISSIVE }
  param { lr_mult: 2 share_mode: STRICT } param { share_mode: PERMISSIVE }
  convolution_param { num_output: 3 kernel_size: 5 } }""", expected, "f")
    assert net == expected
    lines = {("param", 0, "name"): 5, ("param", 0, "lr_mult"): 6, ("param", 1, "lr_mult"): 7,
             ("param", 0, "decay_mult"): 7,
             ("param", 2, "share_mode"): 8, ("convolution_param", "kernel_size"): 10, ("name",): 3, ("bottom", 1): 3}
    for path, line in lines.items():
        assert places.at("layer", 0, *path) == f"f:{line}", path


def test_both_notations_in_one_net_are_refused() -> None:
    with pytest.raises(NetError, match="not both") as caught:
        upgraded('layer { name: "a" }\nlayers { name: "b" }')
    assert caught.value.where == "f:2"


def test_nets_of_today_are_left_alone() -> None:
    net, _, notes = upgraded('layer { name: "a" }')
    assert notes == [] and net == NetParameter(layer=[LayerParameter(name="a")])
