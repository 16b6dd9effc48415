"""Engines: layouts compare by value, overlays resolve with their reasons, defaults of the base hold."""
import pytest

from caffempi.engines.base import ENGINES, PLAIN, Call, Engine, Event, Layout, Offer, Pattern, resolve
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import EngineError
from caffempi.ops import Spec
from caffempi.ops.relu import ReluAttrs

RELU = Call("relu", ReluAttrs(), (Spec((2, 3)),), (Spec((2, 3)),))


class Over(Engine):
    name, base = "over", NumpyEngine()

    def why_not(self, call):
        return None if call.ins[0].shape[0] > 2 else "over takes no batch below 3"


def test_layouts_are_equal_by_what_they_say():
    assert Layout() == PLAIN and Layout("b", 64, "k") == Layout("b", 64, "k") != Layout("b", 64, "j")


def test_an_overlay_runs_what_it_can_and_says_why_not_otherwise():
    engine = Over()
    assert resolve(engine, RELU) == (engine.base, ["over takes no batch below 3"])
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
