"""What a net is computed in: the argument, else the text's wish where the engine can, else fp32."""
import pytest
from google.protobuf import text_format

import caffempi
import caffempi.engines.choose as choose
from caffempi.engines.base import Engine
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import EngineError, NetError, UsageError
from caffempi.net.precision import LossScale, engine_of, loss_scale_of
from caffempi.proto import caffe_pb2

TEXT = 'layer { name: "in" type: "Input" top: "x" input_param { shape { dim: 1 } } }'


def message(more=""):
    return text_format.Parse(TEXT + more, caffe_pb2.NetParameter())


class Halves(Engine):
    name, precisions, base = "halves", ("fp32", "fp16"), NumpyEngine()


@pytest.fixture
def halves(monkeypatch):
    monkeypatch.setattr(choose, "_class", lambda name: Halves)


@pytest.mark.parametrize("asked, text, used", [
    (None, "", "fp32"), ("fp16", "", "fp16"), (None, "default_forward_type: FLOAT16", "fp16"),
    ("fp32", "default_forward_type: FLOAT16", "fp32"), (None, "default_forward_type: FLOAT", "fp32"),
    (None, "default_forward_math: FLOAT16", "fp32")])
def test_the_argument_wins_over_the_text(halves, asked, text, used):
    engine, notes = engine_of("halves", "float32", asked, message(text))
    assert engine.precision == used
    assert notes == (["default_forward_type: FLOAT16 of NVCaffe, Caffe-MPI asks for blobs of 16 bits: the net is computed in "
                      "fp16"] if asked is None and used == "fp16" else [])


def test_a_wish_that_the_engine_cannot_fulfil_is_told_once():
    net = caffempi.Net(message("default_forward_type: FLOAT16"), caffempi.TEST, engine="numpy")
    assert net.plan.engine.precision == "fp32"
    assert [note for note in net.notes if "FLOAT16" in note or "default_forward_type" in note] == [
        "default_forward_type: FLOAT16 of NVCaffe, Caffe-MPI asks for blobs of 16 bits, which engine numpy does not compute in: "
        "the net is computed in fp32"]
    wide = caffempi.Net(message("default_forward_type: FLOAT16"), caffempi.TEST, dtype="float64")
    assert not any("FLOAT16" in note for note in wide.notes)


def test_an_argument_that_the_engine_cannot_fulfil_is_an_error():
    with pytest.raises(EngineError, match="engine numpy computes in fp32, not bf16; leave the precision out"):
        caffempi.Net(message(), caffempi.TEST, engine="numpy", precision="bf16")


@pytest.mark.parametrize("precision, text, wish, want", [
    ("fp32", "", "auto", None), ("fp32", "global_grad_scale: 128", "auto", None), ("fp16", "", "auto", LossScale(65536, True)),
    ("fp16", "global_grad_scale: 128", "auto", LossScale(128, False)), ("fp16", "", "none", None),
    ("fp16", "global_grad_scale: 128 global_grad_scale_adaptive: true", "auto", LossScale(128, True)),
    ("fp16", "global_grad_scale_adaptive: true", "auto", LossScale(65536, True)),
    ("fp16", "global_grad_scale: 128", 64, LossScale(64, False)), ("fp32", "global_grad_scale: 4", "dynamic", LossScale(4, True)),
    ("fp32", "", 8.0, LossScale(8, False))])
def test_the_loss_scale_is_the_wish_else_the_texts_in_fp16(precision, text, wish, want):
    found, notes = loss_scale_of(wish, Halves(precision), message(text), "float32")
    assert found == want
    told = text and precision == "fp32" and wish == "auto"
    assert notes == (["global_grad_scale of NVCaffe: losses are scaled in fp16, or with --loss-scale; this net is computed in "
                      "fp32"] if told else [])


@pytest.mark.parametrize("text", ["0", "-1", "inf", "nan", "1e-40"])
def test_a_scale_that_is_none_is_refused(text):
    with pytest.raises(NetError, match="global_grad_scale.*must be a number above 0"):
        loss_scale_of("auto", Halves("fp16"), message(f"global_grad_scale: {text}"), "float32")


def test_a_loss_scale_in_words():
    assert (str(LossScale(8.0, False)), str(LossScale(65536.0, True))) == ("8", "65536, follows the gradients")


@pytest.mark.parametrize("wish", [0, -2.0, float("inf"), float("nan"), 1e39, 1e-60, "often"])
def test_a_wish_that_means_nothing_is_refused(wish):
    with pytest.raises(UsageError, match="loss scale"):
        loss_scale_of(wish, Halves(), message(), "float32")
