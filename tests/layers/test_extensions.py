"""Settings of forks at their layers: obeyed, noted, or refused with the fork's name. Over texts of four programs."""
from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from google.protobuf import text_format

from caffempi.errors import NetError
from caffempi.layers import LAYERS, BuildContext
from caffempi.layers.build import build_graph
from caffempi.layers.extensions import claims, hint_notes, layer_class, unused, wish_of
from caffempi.proto import caffe_pb2
from caffempi.proto.forks import FORK_TYPES, extensions
from caffempi.proto.parse import parse
from caffempi.proto.upgrade import upgrade_net
from tests.helpers.layercheck import build, one_layer, refused

TEXTS = Path(__file__).parents[1] / "golden" / "forks" / "texts.tar.xz"


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, str]]:
    """(name, text) of nets, solvers and label maps of BVLC Caffe, Caffe-MPI, NVCaffe and Intel Caffe; the folder is the message."""
    with tarfile.open(TEXTS) as archive:
        return [(m.name, archive.extractfile(m).read().decode("utf-8-sig", "surrogateescape")) for m in archive.getmembers()]


def test_every_text_is_read_with_no_unknown_field_and_each_setting_has_a_fate(texts: list[tuple[str, str]]) -> None:
    """Each setting of a fork is claimed, a hint, or gives the error; the lists below are all that these texts use."""
    refused_settings, hints, types = set(), set(), set()
    for name, text in texts:
        message = getattr(caffe_pb2, name.partition("/")[0])()
        parse(text, message, name)
        if not isinstance(message, caffe_pb2.NetParameter):
            continue
        upgrade_net(message)
        for lp in message.layer:
            if lp.type not in LAYERS:
                types.add(lp.type)
                continue
            for e in extensions(lp, claims(LAYERS.get(lp.type))):
                (hints if e.hint else refused_settings).add(e.path)
        hints |= {e.path for e in extensions(message) if e.hint}
    assert types <= {*FORK_TYPES, "Python", "WindowData"}
    assert {"transform_param.random_resize_param"} <= refused_settings <= {
        "transform_param.random_resize_param", "transform_param.random_aspect_ratio_param",
        *(f"transform_param.{name}_{end}" for name in ("img_rand_resize", "vertical_stretch", "horizontal_stretch")
          for end in ("lower", "upper")), "transform_param.allow_upscale", "loss_param.normalization",
        "loss_param.pre_fixed_normalizer"}
    assert {"engine", "quantization_param", "default_forward_type", "data_param.cache"} <= hints


def relu(extra: str) -> str:
    return one_layer(f'type: "ReLU" bottom: "x" top: "y" {extra}', x=(2, 3))


@pytest.mark.parametrize(("extra", "words"), [
    ("permute_param { order: 0 }", "field permute_param"), ("data_param { shuffle: true }", "field data_param.shuffle = true"),
    ("loss_param { normalization: PRE_FIXED }", "field loss_param.normalization = PRE_FIXED"),
    ('weights_compress: "Ternary"', "a setting of Quantitative-caffe, which has no meaning here; remove it")])
def test_a_setting_that_nobody_obeys_is_refused(extra: str, words: str) -> None:
    assert words in refused(relu(extra)) and 'layer "' in refused(relu(extra))


def test_an_enum_value_of_a_fork_is_refused_before_the_layer_sees_it() -> None:
    text = one_layer('type: "Reduction" bottom: "x" top: "y" reduction_param { operation: TOPK k: 2 }', x=(2, 3))
    assert "reduction_param.operation = TOPK" in refused(text) and "TSN" in refused(text)


def test_hints_become_one_note_each() -> None:
    net = caffe_pb2.NetParameter()
    parse('engine: "MKLDNN" layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 2 } } }' + "".join(
        f'layer {{ name: "r{k}" type: "ReLU" bottom: "x" top: "y{k}" engine: "CAFFE" {"forward_type: FLOAT16" if k else ""} }}'
        for k in range(2)), net, "f")
    notes = build_graph(net, BuildContext()).notes
    assert notes[0] == "engine of Intel Caffe is without effect here (in 3 places, the first is the net)"
    assert len(notes) == 2 and "forward_type of NVCaffe, Caffe-MPI is without effect here (in layer r1)" in notes


def test_settings_of_training_do_not_matter_in_testing() -> None:
    net = caffe_pb2.NetParameter(bn_stats_batch_size=4)
    assert unused(net, (), training=False) == [("bn_stats_batch_size", "Intel Caffe")]
    with pytest.raises(NetError, match="bn_stats_batch_size = 4"):
        unused(net, ())


def test_a_layers_own_message_and_what_it_names_are_claimed() -> None:
    assert "batch_norm_param.scale_bias" in claims(LAYERS.get("BatchNorm"))
    assert len(build(one_layer('type: "BatchNorm" bottom: "x" top: "y" batch_norm_param { scale_bias: true }', x=(2, 3))).params) == 5


@pytest.mark.parametrize(("type_", "words"), [("TRT", "one of NVCaffe; it does not exist here"), ("Yolov3", "MobileNet-YOLO"),
                                              ("Convolutoin", "did you mean")])
def test_unknown_types_name_their_fork(type_: str, words: str) -> None:
    with pytest.raises(NetError) as caught:
        layer_class(type_)
    assert words in str(caught.value)


def test_notes_say_where() -> None:
    assert hint_notes([("", "a", "F"), ("l", "b", "F"), ("l", "c", "G"), ("m", "c", "G")]) == [
        "a of F is without effect here (in the net)", "b of F is without effect here (in layer l)",
        "c of G is without effect here (in 2 places, the first is layer l)"]


@pytest.mark.parametrize(("text", "wish"), [
    ('type: "Convolution" convolution_param { engine: CUDNN }', "CUDNN"), ('type: "LRN" lrn_param { engine: CAFFE }', "CAFFE"),
    ('type: "Pooling" pooling_param { engine: DEFAULT }', ""), ('type: "ReLU" relu_param { engine: MKL2017 }', ""),
    ('type: "ReLU" relu_param { negative_slope: 1 }', ""), ('type: "Python" engine: "MKLDNN:CPU"', ""),
    ('type: "SoftmaxWithLoss" loss_param { normalize: true } softmax_param { engine: CUDNN }', "CUDNN"), ('type: "Split"', "")])
def test_the_wish_for_a_code_is_read_from_any_message(text, wish):
    assert wish_of(text_format.Parse(text, caffe_pb2.LayerParameter())) == wish
