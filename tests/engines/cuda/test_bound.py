"""What a bound kernel is handed: nulls for what is not saved, the flag of adding, words of random numbers, scratch; and products."""
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda import blas
from caffempi.engines.cuda.blas import Product
from caffempi.engines.cuda.bound import CudaKernel
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.rule import ADD, FAULT, IN, NULL, OUT, RNG, SAVED, Given, Job, Part
from caffempi.ops.philox import Rng
from tests.helpers.cuda.fakeblas import FakeBlas
from tests.helpers.cuda.fakecupy import make_cupy


@pytest.fixture
def gpu(monkeypatch):
    module = make_cupy(3)
    monkeypatch.setitem(sys.modules, "cupy", module)
    return Device(module)


def array(gpu, shape, values=None):
    made = gpu.alloc(4 * int(np.prod(shape))).view("float32").reshape(shape)
    if values is not None:
        made.set(values, stream=gpu.compute)
    return made


def test_arguments_of_all_kinds(gpu):
    job, got = Job("some.cu"), []
    job.take(1)
    room = job.take(5, "int32")
    job.start("f", 2, 32, 7, IN(1), OUT(), SAVED(), ADD, RNG, FAULT, room, Part(IN(0), 1, 4), Part(room, 2, 2),
              Given.of([3, 1], "int32"))
    job.start("g", 1, 32, RNG, FAULT)
    functions = {name: lambda *args, name=name, stream: got.append((name, *args)) for name in "fg"}
    rng = Rng(1, "purpose", "layer")
    rng.run = 2**33 + 5
    a, b, y, scratch = array(gpu, (2, 3)), array(gpu, 3), array(gpu, 3), gpu.alloc(job.scratch)
    run = CudaKernel(gpu, job, functions, "op").bind(Operands((a, b), (y,), (), (), scratch, rng, True))
    for ordinal in (2**33 + 5, 6):
        rng.run = ordinal
        gpu.renew_words()
        got.clear()
        run()
        (f, grid, block, (n, x, out, saved, add, words, fault, part, some, inner, given)), (_, _, _, (same, also)) = got
        assert (f, grid, block, n) == ("f", (2,), (32,), 7)
        assert x is b and out is y and saved is NULL
        assert add == 1 and type(add) is np.int32
        assert words is same and fault is also
        np.testing.assert_array_equal(words.get(stream=gpu.compute), [*rng.key, ordinal & 0xFFFFFFFF, ordinal >> 32])
        assert fault.get(stream=gpu.compute)[0] == 0
        assert part.shape == (5,) and part.dtype == np.int32 and part.data.ptr == scratch.data.ptr + 256
        np.testing.assert_array_equal(given.get(stream=gpu.compute), [3, 1])
        assert some.shape == (4,) and some.data.ptr == a.data.ptr + 4
        assert inner.shape == (2,) and inner.data.ptr == part.data.ptr + 8


def test_no_work_does_nothing(gpu):
    assert CudaKernel(gpu, Job("some.cu"), {}, "op").bind(Operands((), ()))() is None


@pytest.mark.parametrize("tf32", [False, True])
@pytest.mark.parametrize("add", [False, True])
def test_products_run_on_the_compute_stream_and_add_where_the_call_does(gpu, monkeypatch, add, tf32):
    library = FakeBlas(gpu.cupy.fake)
    monkeypatch.setattr(blas, "load", lambda: library)
    rand = np.random.default_rng(0)
    x, w, y = (rand.standard_normal(shape).astype(np.float32) for shape in ((4, 3), (5, 3), (4, 5)))
    job = Job("some.cu")
    job.multiply(Product(4, 5, 3, turn_b=True), IN(0), Part(IN(1), 0, 15), OUT(), add=True)
    ins, out = (array(gpu, x.shape, x), array(gpu, w.shape, w)), array(gpu, y.shape, y)
    CudaKernel(gpu, job, {}, "op", tf32).bind(Operands(ins, (out,), add=add))()
    np.testing.assert_allclose(out.get(stream=gpu.compute), x @ w.T + y * add, rtol=1e-5, atol=1e-6)
    assert library.error is None and library.products[0]["compute"] == (77 if tf32 else 68)
    assert list(library.streams.values()) == [gpu.compute.ptr]


def test_arrays_of_a_product_live_as_long_as_its_call(gpu, monkeypatch):
    monkeypatch.setattr(blas, "load", lambda: FakeBlas(gpu.cupy.fake))
    job = Job("some.cu")
    job.multiply(Product(1, 1, 1), IN(0), IN(1), OUT())
    run = CudaKernel(gpu, job, SimpleNamespace(), "op").bind(Operands((array(gpu, 1), array(gpu, 1)), (array(gpu, 1),)))
    run()
    gpu.compute.synchronize()                                   # the stand-in refuses memory that has been freed
