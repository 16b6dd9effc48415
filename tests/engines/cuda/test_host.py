"""Ops of the host on the GPU engine: their definitions run on copies, and what they make goes back."""
import sys

import numpy as np
import pytest

from caffempi.engines.base import Call, Operands
from caffempi.engines.choose import make_engine
from caffempi.engines.cuda.host import runs_on_host
from caffempi.ops import Spec
from caffempi.ops.python import PythonAttrs, PythonDxAttrs
from caffempi.ops.store import StoreAttrs
from tests.helpers.cuda.fakecupy import make_cupy


class Doubler:
    """A Python layer's object: the top is twice the bottom."""

    def forward(self, bottoms, blobs):
        self._top = bottoms[0] * 2
        return [Spec(self._top.shape)]

    def tops(self):
        return [self._top]

    def backward(self, bottoms, blobs, tops, douts, down):
        return [douts[0] * 2]


@pytest.fixture(params=range(3))
def engine(request, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(request.param))
    return make_engine("cuda")


def on_device(engine, host):
    array = engine.alloc(host.nbytes).view("float32").reshape(host.shape)
    array.set(host, stream=engine.stream("compute"))
    return array


def start(engine, call, ins, outs):
    (offer,) = engine.offers(call)
    assert not offer.capturable and engine.why_not(call) is None
    engine.compile(call, offer).bind(Operands(tuple(ins), tuple(outs)))()


def test_which_ops():
    assert runs_on_host("python") and runs_on_host("python_dx") and runs_on_host("store") and not runs_on_host("filter")


def test_a_python_layer_forward_and_backward(engine):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    host, spec = Doubler(), Spec((2, 3))
    attrs = PythonAttrs("module.Doubler", "", (False,), host)
    bottom, top, down = on_device(engine, x), on_device(engine, x * np.nan), on_device(engine, x * np.nan)
    host.forward([x], [])
    start(engine, Call("python", attrs, (spec,), (spec,)), [bottom], [top])
    np.testing.assert_array_equal(top.get(stream=engine.stream("compute")), 2 * x)
    call = Call("python_dx", PythonDxAttrs(attrs, (True,)), (spec,) * 3, (spec,))
    start(engine, call, [bottom, top, on_device(engine, x + 1)], [down])
    np.testing.assert_array_equal(down.get(stream=engine.stream("compute")), 2 * (x + 1))


def test_what_is_stored_is_what_the_gpu_has_made(engine):
    kept = []
    x = np.arange(4, dtype=np.float32)
    call = Call("store", StoreAttrs("a file", lambda arrays: kept.extend(a.copy() for a in arrays)), (Spec((4,)),) * 2, ())
    start(engine, call, [on_device(engine, x), on_device(engine, x + 1)], [])
    np.testing.assert_array_equal(kept, [x, x + 1])


def test_other_dtypes_have_a_reason(engine):
    spec = Spec((2,), "float64")
    assert "float64" in engine.why_not(Call("store", StoreAttrs("", print), (spec,), ()))
