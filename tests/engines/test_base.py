"""Engines: layouts compare by value, overlays resolve with their reasons, defaults of the base hold."""
import pytest

from caffempi.engines.base import (
    ENGINES,
    PLAIN,
    PRECISIONS,
    Call,
    Engine,
    Event,
    Layout,
    Offer,
    Pattern,
    resolve,
    stored_bytes,
)
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import EngineError
from caffempi.ops import Spec
from caffempi.ops.relu import ReluAttrs

RELU = Call("relu", ReluAttrs(), (Spec((2, 3)),), (Spec((2, 3)),))


class Over(Engine):
    name, base = "over", NumpyEngine()

    def why_not(self, call):
        return None if call.ins[0].shape[0] > 2 else "over takes no batch below 3"

    def offers(self, call, near=None):
        return [] if self.why_not(call) else [Offer((PLAIN,), (PLAIN,))]


def test_layouts_are_equal_by_what_they_say():
    assert Layout() == PLAIN and Layout("b", 64, "k") == Layout("b", 64, "k") != Layout("b", 64, "j")


def test_a_layout_of_other_numbers_is_not_plain_and_has_its_size():
    half = Layout("plain", 12, dtype="float16")
    assert half != PLAIN and half != Layout("plain", 12, dtype="bfloat16")
    assert stored_bytes(Spec((2, 3)), PLAIN) == 24 and stored_bytes(Spec((2, 3), "float64"), PLAIN) == 48
    assert stored_bytes(Spec((2, 3)), half) == 12 == stored_bytes(Spec((2, 3)), Layout("blocked", 64, dtype="bfloat16"))


def test_an_engine_refuses_what_it_does_not_compute_in():
    assert Engine().precision == "fp32" and set(NumpyEngine.precisions) <= set(PRECISIONS)
    with pytest.raises(EngineError, match="engine numpy computes in fp32, not fp16; leave the precision out, or use another"):
        NumpyEngine("fp16")


def test_an_overlay_runs_what_it_can_and_says_why_not_otherwise():
    engine = Over()
    assert resolve(engine, RELU)[::2] == (engine.base, ["over takes no batch below 3"])
    assert resolve(engine, RELU._replace(ins=(Spec((3, 3)),)))[0] is engine


def test_an_op_that_nobody_has_names_all_reasons():
    with pytest.raises(EngineError, match='no kernel for op "nope".*over takes no.*there is no op "nope"'):
        resolve(Over(), RELU._replace(op="nope"))


def test_defaults():
    engine = Engine()
    assert "no kernel" in engine.why_not(RELU) and engine.offers(RELU) == [] and engine.capture([]) is None
    with pytest.raises(EngineError):
        engine.compile(RELU, Offer((PLAIN,), (PLAIN,)))
    with pytest.raises(EngineError):
        engine.reorder(Spec((1,)), PLAIN, Layout("x"))
    raw = engine.alloc(100)
    assert raw.size == 100 and raw.ctypes.data % 64 == 0 and not raw.any()
    event = Event()
    event.record()
    event.wait()
    event.sync()
    assert event.done() and engine.stream("compute") is None and isinstance(engine.event(), Event)
    assert Pattern(("a", "b")).allowed([]) and "numpy" in ENGINES
