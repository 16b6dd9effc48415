"""What a net is computed in: the argument, else the text's wish where the engine can, else fp32."""
import pytest
from google.protobuf import text_format

import caffempi
import caffempi.engines.choose as choose
from caffempi.engines.base import Engine
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import EngineError
from caffempi.net.precision import engine_of
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
