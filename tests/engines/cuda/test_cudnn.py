"""Convolutions by cuDNN over a stand-in for its frontend: the graph's life, tensors by strides, numbers, reasons."""
import sys

import numpy as np
import pytest

from caffempi.engines.base import Call
from caffempi.engines.cuda import cudnn
from caffempi.engines.cuda.conv import Conv, conv_of
from caffempi.engines.cuda.cudnn import BIAS, Cudnn, W, X, Y
from caffempi.errors import EngineError
from caffempi.ops import Spec, get_op
from caffempi.ops.conv import ConvAttrs
from tests.helpers.cuda.fakecudnn import WORKSPACE, FakeCudnn
from tests.helpers.cuda.hostrun import storage

CASES = [ConvAttrs((3, 3), (1, 1), (1, 1), (1, 1)), ConvAttrs((3, 2), (2, 1), (1, 0), (1, 2), 2),
         ConvAttrs((1, 1), (2, 2), (0, 0), (1, 1)), ConvAttrs((3, 3), (1, 1), (1, 1), (2, 2), 6),
         ConvAttrs((3,), (2,), (1,), (1,)), ConvAttrs((2, 2, 2), (1, 2, 1), (1, 0, 1), (1, 1, 1))]


def aligned(shape, dtype):
    """An array whose memory starts at a multiple of 64, all NaN."""
    dtype = storage(dtype)
    raw = np.zeros(int(np.prod(shape)) * dtype.itemsize + 64, np.uint8)
    start = -raw.ctypes.data % 64
    array = raw[start:start + int(np.prod(shape)) * dtype.itemsize].view(dtype).reshape(shape)
    array[...] = np.nan
    return array


def put(values, dtype, last):
    """As it lies in memory: the channels innermost where last."""
    lies = np.moveaxis(values, 1, -1) if last else values
    array = aligned(lies.shape, dtype)
    array[...] = lies
    return array


def products(attrs, rng):
    x = Spec((2, 6, *(7, 8, 5)[:len(attrs.kernel)]))
    w = Spec((12, 6 // attrs.group, *attrs.kernel))
    b = Spec((12,))
    (y,) = get_op("conv").infer(attrs, [x, w, b])
    arrays = {k: rng.standard_normal(s.shape).astype(np.float32) for k, s in ((X, x), (W, w), (Y, y), (BIAS, b))}
    return arrays, [(Call("conv", attrs, (x, w, b), (y,)), (X, W, BIAS), Y), (Call("conv", attrs, (x, w), (y,)), (X, W), Y),
                    (Call("conv_dx", attrs, (w, y), (x,)), (W, Y), X), (Call("conv_dw", attrs, (x, y), (w,)), (X, Y), W)]


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("attrs", CASES)
def test_each_product_gives_the_numbers_of_its_op(attrs, dtype, last):
    module = FakeCudnn()
    library = Cudnn.on(module, 99)
    assert list(module.streams.values()) == [99] and library.version == 92801
    arrays, calls = products(attrs, np.random.default_rng(3))
    for call, ins, out in calls:
        want = np.zeros(call.outs[0].shape, np.float32)
        stored = {k: arrays[k].astype(storage(dtype)) for k in ins}
        get_op(call.op).forward(attrs, [stored[k].astype(np.float32) for k in ins], [want], (), (), None)
        held = {k: put(stored[k], dtype, last and k != BIAS) for k in ins}
        held[out] = put(np.full_like(want, np.nan), dtype, last)
        plan = library.plan(conv_of(call, dtype, last))
        assert plan is library.plan(conv_of(call, dtype, last)) and plan.workspace == WORKSPACE
        plan.bind({k: a.ctypes.data for k, a in held.items()}, 0)()
        got = np.moveaxis(held[out], -1, 1) if last else held[out]
        off = {"float32": 1e-5, "float16": 0.02, "bfloat16": 0.15}[dtype]
        np.testing.assert_allclose(got.astype(np.float32), want, atol=off * max(1, np.abs(want).max()))


def test_unlike_padding_of_both_sides_and_relu():
    rng, library = np.random.default_rng(1), Cudnn.on(FakeCudnn(), 1)
    c = Conv("forward", (1, 1, 4, 4), (1, 1, 3, 3), (1, 1, 4, 4), (1, 1), (1, 1), (0, 1), (2, 1), relu=True)
    x, w = put(rng.standard_normal(c.x), "float32", False), put(rng.standard_normal(c.w), "float32", False)
    y = aligned(c.y, "float32")
    library.plan(c).bind({X: x.ctypes.data, W: w.ctypes.data, Y: y.ctypes.data}, 0)()
    padded = np.pad(x[0, 0], [(0, 2), (1, 1)])
    want = [[np.vdot(padded[i:i + 3, j:j + 3], w[0, 0]) for j in range(4)] for i in range(4)]
    np.testing.assert_allclose(y[0, 0], np.maximum(want, 0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("dtype", "tf32", "strict"), [
    ("float32", False, True), ("float32", True, False), ("float16", False, False), ("bfloat16", False, False)])
def test_plans_repeat_their_bits_and_float32_is_strict_unless_tf32(dtype, tf32, strict):
    module = FakeCudnn()
    _, calls = products(CASES[0], np.random.default_rng(0))
    Cudnn.on(module, 1).plan(conv_of(calls[0][0], dtype, tf32=tf32))
    assert module.graphs[0].notes == ["NONDETERMINISTIC"] + ["TENSOR_CORE"] * strict


def test_what_it_has_no_plan_for_has_a_reason_of_one_line():
    library = Cudnn.on(FakeCudnn(refuse=lambda op, kind: kind.name == "BFLOAT16"), 1)
    _, calls = products(CASES[0], np.random.default_rng(0))
    for _ in range(2):
        with pytest.raises(EngineError, match=r"cuDNN has no plan for it in bfloat16: No valid engine configs for Conv_$"):
            library.plan(conv_of(calls[0][0], "bfloat16"))
    flat = ConvAttrs((2,) * 4, (1,) * 4, (0,) * 4, (1,) * 4)
    x, w = Spec((1, 2, 3, 3, 3, 3)), Spec((4, 2, 2, 2, 2, 2))
    with pytest.raises(EngineError, match="no plan for 4 spatial axes"):
        library.plan(conv_of(Call("conv", flat, (x, w), tuple(get_op("conv").infer(flat, [x, w])))))


def test_a_missing_frontend_or_library_is_named_with_the_price_and_the_fix(monkeypatch):
    monkeypatch.setitem(sys.modules, "cudnn", None)
    with pytest.raises(EngineError, match=r"cuDNN cannot be used .*unfolding and cuBLAS.*caffempi\[cuda13\]"):
        cudnn.load()
    lacking = FakeCudnn()
    lacking.backend_version = lambda: (_ for _ in ()).throw(RuntimeError("Unable to find symbol cudnnGetVersion\nmore"))
    monkeypatch.setitem(sys.modules, "cudnn", lacking)
    with pytest.raises(EngineError, match=r"\(Unable to find symbol cudnnGetVersion\)"):
        cudnn.load()
    monkeypatch.setitem(sys.modules, "cudnn", FakeCudnn())
    assert cudnn.load().backend_version() == 92801


def test_a_cudnn_that_does_not_get_on_with_the_device_is_a_reason_too():
    """As cuDNN is where its wheels are installed and no driver works: the handle cannot be made."""
    class Broken:
        def create_handle(self):
            raise RuntimeError("cudnnHandle Create failed\ncudaGetDeviceCount")
    with pytest.raises(EngineError, match=r"cuDNN cannot be used \(cudnnHandle Create failed\).*unfolding"):
        Cudnn.on(Broken(), 0)
