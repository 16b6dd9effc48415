"""The engine's host code over the stand-in for CuPy: numbers, memory, streams, capture, and errors that name the fix."""
import sys

import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Call, Operands, resolve
from caffempi.engines.choose import make_engine
from caffempi.engines.cuda.engine import CudaEngine
from caffempi.errors import EngineError
from caffempi.ops import Spec
from caffempi.ops.relu import ReluAttrs
from caffempi.ops.softmax import SoftmaxAttrs
from tests.helpers.cuda.fakecupy import make_cupy
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.enginecheck import call_of
from tests.helpers.enginecheck import reference as of_call

CASES = [("relu", ReluAttrs(), (3, 5, 7)), ("relu", ReluAttrs(0.25), (700,)), ("relu", ReluAttrs(), (0, 3)),
         ("relu_dx", ReluAttrs(), (3, 5, 7)), ("relu_dx", ReluAttrs(0.25), (4, 300)),
         ("softmax", SoftmaxAttrs(1), (6, 10)), ("softmax", SoftmaxAttrs(1), (3, 400)),
         ("softmax", SoftmaxAttrs(-1), (2, 3, 4, 5)), ("softmax", SoftmaxAttrs(0), (5, 9)),
         ("softmax", SoftmaxAttrs(1), (4, 0))]


def reference(op, attrs, ins):
    """The op's out by its definition."""
    return of_call(call_of(op, attrs, ins), ins)[0][0]


@pytest.fixture(params=range(2))
def engine(request, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(request.param))
    return make_engine("cuda")


def draw(op, shape):
    rand = np.random.default_rng(7)
    return [rand.standard_normal(shape).astype(np.float32) for _ in range(2 if op == "relu_dx" else 1)]


def on_device(engine, host):
    array = engine.alloc(host.nbytes).view("float32").reshape(host.shape)
    array.set(host, stream=engine.stream("compute"))
    return array


@needs_compiler
@pytest.mark.parametrize(("op", "attrs", "shape"), CASES)
def test_compiled_and_bound_kernels_give_the_numbers_of_the_op(engine, op, attrs, shape):
    ins = draw(op, shape)
    call, want = call_of(op, attrs, ins), reference(op, attrs, ins)
    (offer,) = engine.offers(call)
    assert offer.ins == (PLAIN,) * len(ins) and offer.outs == (PLAIN,)
    kernel = engine.compile(call, offer)
    for pair in (None, *offer.inplace):
        arrays = [on_device(engine, a) for a in ins]
        out = arrays[pair[0]] if pair else on_device(engine, np.full(shape, np.nan, np.float32))
        step = kernel.bind(Operands(tuple(arrays), (out,)))
        step()
        np.testing.assert_allclose(out.get(stream=engine.stream("compute")), want, rtol=5e-6, atol=1e-7)


@needs_compiler
def test_a_bound_chain_can_be_captured_as_its_offers_say(engine):
    (x,) = draw("relu", (5, 100))
    relu, soft = call_of("relu", ReluAttrs(0.1), [x]), call_of("softmax", SoftmaxAttrs(1), [x])
    a, b, c = (on_device(engine, x) for _ in range(3))
    steps = []
    for call, src, dst in ((relu, a, b), (soft, b, c)):
        (offer,) = engine.offers(call)
        assert offer.capturable
        steps.append(engine.compile(call, offer).bind(Operands((src,), (dst,))))
    compute = engine.stream("compute")
    compute.begin_capture()
    for step in steps:
        step()
    graph = compute.end_capture()
    for factor in np.float32([1, 3]):
        a.set(x * factor, stream=compute)
        graph.launch(compute)
        want = reference("softmax", SoftmaxAttrs(1), [reference("relu", ReluAttrs(0.1), [x * factor])])
        np.testing.assert_allclose(c.get(stream=compute), want, rtol=5e-6, atol=1e-7)


@needs_compiler
def test_events_order_the_copy_stream_before_the_compute_stream(engine):
    (x,) = draw("relu", (5, 100))
    call = call_of("relu", ReluAttrs(), [x])
    a, b = (on_device(engine, np.zeros_like(x)) for _ in range(2))
    step = engine.compile(call, engine.offers(call)[0]).bind(Operands((a,), (b,)))
    copy, copied, computed = engine.stream("copy"), engine.event(), engine.event()
    assert engine.stream("copy") is copy and copy is not engine.stream("compute")
    assert copied.done()
    for k in range(8):
        a.set(x + np.float32(k), stream=copy)
        copied.record(copy)
        copied.wait()
        step()
        computed.record()
        assert not computed.done()
        computed.sync()
        assert computed.done() and copied.done()
        np.testing.assert_array_equal(b.get(stream=engine.stream("compute")), np.maximum(x + np.float32(k), 0))
        computed.wait(copy)


@pytest.mark.parametrize("nbytes", [0, 1, 1000])
def test_alloc_gives_zeroed_aligned_bytes(engine, nbytes):
    memory = engine.alloc(nbytes)
    assert memory.shape == (nbytes,) and memory.dtype == np.uint8
    assert memory.data.ptr % 256 == 0
    assert not memory.get().any()


def test_what_the_engine_lacks_has_a_reason(engine):
    f4, f8 = Spec((2, 3)), Spec((2, 3), "float64")
    strange = Call("no_such_op", None, (f4,), (f4,))
    double = Call("relu", ReluAttrs(), (f8,), (f8,))
    assert engine.offers(strange) == [] and engine.offers(double) == []
    assert engine.why_not(strange) == 'engine cuda has no kernel for op "no_such_op"'
    assert engine.why_not(double) == 'engine cuda runs op "relu" in float32, not float64'
    with pytest.raises(EngineError, match="no kernel for op"):
        resolve(engine, strange)
    with pytest.raises(EngineError, match="not float64"):
        make_engine("cuda", "float64")


def test_without_cupy_the_error_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(EngineError, match=r'needs CuPy.*pip install "caffempi\[cuda12\]" or "caffempi\[cuda13\]"'):
        make_engine("cuda")


def test_without_a_device_the_error_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(available=False))
    with pytest.raises(EngineError, match=r"no CUDA device.*nvidia-smi"):
        CudaEngine()
