"""Binaries of nets: BVLC's as they are, those of forks by their own numbers, damaged ones refused."""
from __future__ import annotations

import random
from pathlib import Path

import pytest

from caffempi.errors import CaffempiError, WeightsError
from caffempi.proto.binary import guess_fork, parse_net_binary, read_net_binary
from caffempi.proto.caffe_pb2 import NetParameter
from caffempi.proto.parse import parse

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def f(number: int, value: int | bytes | float) -> bytes:
    """One field of a message: a number, a float (four bytes), or bytes."""
    if isinstance(value, float):
        import struct
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def layer(type_: str, *fields: bytes) -> bytes:
    return f(100, f(1, b"l") + f(2, type_.encode()) + b"".join(fields))


def read(data: bytes) -> tuple[NetParameter, list[str]]:
    return parse_net_binary(memoryview(data))


@pytest.mark.parametrize("text", [
    'name: "n" layer { name: "a" type: "Convolution" convolution_param { num_output: 3 pad: 1 pad: 2 engine: CUDNN } '
    'blobs { shape { dim: 2 } data: 1 data: 2 } }',
    'layer { type: "LSTM" recurrent_param { num_output: 3 } param { lr_mult: -1.5 } loss_weight: 2 }',
    'layer { type: "Clip" clip_param { min: -1 max: 1 } } state { phase: TRAIN level: -3 stage: "s" }',
    'layer { type: "Swish" swish_param { beta: 2 } } layer { type: "Parameter" parameter_param { shape { dim: 1 } } }',
    'layer { type: "X" yolov3_param { mask: 1 } lstm_param { } engine: "E" forward_type: FLOAT16 }',
    'layer { type: "BatchNorm" batch_norm_param { filler { value: 2 } use_weight_bias: false engine: MKLDNN } }',
])
def test_our_own_binaries_are_read_as_they_are(text: str) -> None:
    net = NetParameter()
    parse(text, net, "f")
    got, notes = read(net.SerializeToString())
    assert got == net and notes == []


@pytest.mark.parametrize(("data", "text"), [
    # by the wire type
    (layer("ReLU", f(145, 2), f(146, 0), f(149, 1), f(150, 3)),
     'type: "ReLU" forward_type: FLOAT16 backward_type: DOUBLE debug: true cudnn_math_override: 3'),
    (layer("ReLU", f(149, b"MKLDNN")), 'type: "ReLU" engine: "MKLDNN"'),
    (layer("Data", f(100, f(8, 1))), None), (layer("Data", f(100, f(8, f(3, 7)))), 'type: "Data" transform_param { resize_param { height: 7 } }'),
    (layer("Data", f(100, f(8, 0.5))), 'type: "Data" transform_param { scale_factors: 0.5 }'),
    (layer("BatchNorm", f(139, f(5, f(2, 2.0)))), 'type: "BatchNorm" batch_norm_param { scale_filler { value: 2 } }'),
    (layer("BatchNorm", f(139, f(7, 1))), 'type: "BatchNorm" batch_norm_param { scale_bias: true }'),
    # by the layer type
    (layer("LSTM", f(151, f(1, 5))), 'type: "LSTM" recurrent_param { num_output: 5 }'),
    (layer("SmoothL1Loss", f(148, f(1, 3.0))), 'type: "SmoothL1Loss" smooth_l1_loss_param { sigma: 3 }'),
    (layer("Interp", f(143, f(3, 8))), 'type: "Interp" interp_param { zoom_factor: 8 }'),
    (layer("Interp", f(153, f(3, 8))), 'type: "Interp" interp_param { zoom_factor: 8 }'),
    (layer("PSROIPooling", f(153, f(2, 8))), 'type: "PSROIPooling" psroi_pooling_param { output_dim: 8 }'),
    (layer("Upsample", f(137, f(1, 3))), 'type: "Upsample" upsample_param { scale: 3 }'),
    (layer("Embed", f(137, f(1, 3))), 'type: "Embed" embed_param { num_output: 3 }'),
    (layer("Scale", f(160, f(1, 3))), 'type: "Scale" scale_param { axis: 3 }'),
    (layer("BN", f(152, f(3, 0.5))), 'type: "BN" bn_param { momentum: 0.5 }'),
    (layer("BN", f(45, f(3, 1))), 'type: "BN" bn_param { bn_mode: INFERENCE }'),
    (layer("PriorBox", f(203, f(1, 3.0))), 'type: "PriorBox" prior_box_param { min_size: 3 }'),
    (layer("ROIPooling", f(8266711, f(1, 6))), 'type: "ROIPooling" roi_pooling_param { pooled_h: 6 }'),
    # by what the rest of the file shows
    (layer("ReLU", f(149, b"E")) + layer("Convolution", f(106, f(19, 1))), 'type: "Convolution" convolution_param { relu: true }'),
    (layer("ReLU", f(145, 2)) + layer("Convolution", f(106, f(19, 0))),
     'type: "Convolution" convolution_param { cudnn_convolution_algo_seeker: GET }'),
    (layer("ReLU", f(149, b"E")) + layer("SoftmaxWithLoss", f(101, f(3, 3) + f(4, 9.0))),
     'type: "SoftmaxWithLoss" loss_param { normalization: PRE_FIXED pre_fixed_normalizer: 9 }'),
    (layer("ReLU", f(145, 2)) + layer("SoftmaxWithLoss", f(101, f(3, 3) + f(4, 0.5))),
     'type: "SoftmaxWithLoss" loss_param { normalization: NONE label_smoothing: 0.5 }'),
    (layer("ReLU", f(145, 2)) + layer("Data", f(100, f(8, 1) + f(11, 9))),
     'type: "Data" transform_param { use_gpu_transform: true img_rand_resize_upper: 9 }'),
    (layer("PriorBox") + layer("Data", f(100, f(11, 9) + f(12, 8))), 'type: "Data" transform_param { crop_h: 9 crop_w: 8 }'),
    (layer("ReLU", f(149, b"E")) + layer("Pooling", f(121, f(13, 0))), 'type: "Pooling" pooling_param { avg_include_pad: false }'),
    (layer("Pooling", f(121, f(13, 1))), 'type: "Pooling" pooling_param { round_mode: FLOOR }'),
])
def test_numbers_of_forks(data: bytes, text: str | None) -> None:
    net, notes = read(data)
    if text is None:                                                        # nothing shows which fork: dropped, with a note
        assert not net.layer[-1].transform_param.ListFields() and "several forks have it" in notes[0]
        return
    expected = NetParameter()
    parse(f'layer {{ name: "l" {text} }}', expected, "f")
    assert net.layer[-1] == expected.layer[0] and not any("dropped" in note for note in notes)


@pytest.mark.parametrize(("data", "fork"), [
    (layer("ReLU"), "BVLC"), (layer("ReLU", f(145, 1)), "NVCaffe"), (layer("ReLU", f(149, b"x")), "Intel"),
    (layer("OPData", f(149, b"")), "OpenPose"), (f(9, b"MKL") + layer("ReLU"), "Intel"), (f(12, 1) + layer("ReLU"), "NVCaffe"),
    (layer("PriorBox", f(203, b"")), "SSD"), (layer("BN", f(45, b"")), "SegNet"), (layer("Interp"), "DeepLab"),
    (layer("X", f(10001, b"")), "R-FCN"), (layer("InnerDistance"), "caffe-windows"), (layer("Correlation"), "FlowNet")])
def test_forks_are_told(data: bytes, fork: str) -> None:
    assert guess_fork(memoryview(data)) == fork


def test_what_nobody_knows_is_dropped_with_a_note() -> None:
    net, notes = read(layer("ReLU", f(999, 1), f(123, f(77, b"x"))) + f(2, f(4, b"old") + f(5, 40)) * 0)
    assert net.layer[0].HasField("relu_param") and len(notes) == 2 and all("of no fork that is known" in n for n in notes)
    net, notes = read(f(2, f(4, b"old") + f(5, 99)))                        # a type of 2014 that only a fork has
    assert net.layer[0].name == "old" and net.layer[0].type == "" and "number 5 of V1LayerParameter" in notes[0]


def test_old_notations_are_upgraded_and_weights_kept() -> None:
    blob = f(5, b"\0\0\x80\x3f" * 3) + f(10, 2)
    net, notes = read(f(2, f(4, b"c") + f(5, 4) + f(6, blob) + f(10, f(1, 3))))
    assert net.layer[0].type == "Convolution" and list(net.layer[0].blobs[0].data) == [1, 1, 1] and len(notes) == 1
    assert net.layer[0].blobs[0].raw_data_type == 2


@pytest.mark.parametrize(("data", "words"), [
    (b"", "no layers"), (b"\x08\x01", "no layers"), (b"layer { }", "damaged|cut off|no layers"), (b"\xff" * 40, "cut off|damaged"),
    (layer("ReLU")[:-3], "cut off"), (f(100, b"\x0a\xff\xff\xff\xff\x0f"), "cut off"), (f(100, b"\x0b"), "damaged"),
    (f(100, f(100, b"")) + b"\0", "damaged"), (layer("Clip", f(148, f(1, 0.5))), "lacks fields that must be there"),
    (layer("ReLU", f(10, 1) * 200_001), "made to waste time")])
def test_damage_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(WeightsError, match=words):
        read(data)


def test_files(tmp_path: Path) -> None:
    net, notes = read_net_binary(GOLDEN / "sgd.caffemodel")
    assert len(net.layer) > 1 and any(lp.blobs for lp in net.layer) and notes == []
    again = tmp_path / "again"
    again.write_bytes(net.SerializeToString())
    assert read_net_binary(again)[0] == net
    (tmp_path / "empty").touch()
    for name, words in (("empty", "is empty"), ("none", "cannot be read: No such file"), (".", "cannot be read"), ("a\0b", "null")):
        with pytest.raises(WeightsError, match=words):
            read_net_binary(tmp_path / name if "\0" not in name else name)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_give_nets_or_errors_of_ours(seed: int) -> None:
    whole, rng = bytearray(layer("ReLU", f(149, b"E")) + layer("Data", f(100, f(8, f(3, 7)) + f(11, 5)))), random.Random(seed)
    whole += layer("Convolution", f(106, f(1, 3) + f(7, f(1, b"xavier") + f(3, 0.5))), f(7, f(5, b"\0" * 16)))
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 5])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        del data[rng.choice([len(data), rng.randrange(len(data))]):]
        try:
            read(bytes(data))
        except CaffempiError as err:
            assert "\n" not in str(err)
