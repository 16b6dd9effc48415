"""Products by cuBLAS: the numbers that the C interface gives for row-major operands, types, and errors of one line."""
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from caffempi.engines.cuda import blas
from caffempi.engines.cuda.blas import PROTOTYPES, Blas, Product
from caffempi.errors import EngineError
from tests.helpers.cuda.fakeblas import GEMM, FakeBlas
from tests.helpers.cuda.hostrun import storage

PLACE = 0x500000, 1 << 20


def made(shape, dtype, seed):
    return np.random.default_rng(seed).standard_normal(shape).astype(storage(dtype))


def run(p, a, b, c, library=None):
    library = library or FakeBlas()
    Blas(library, 77, PLACE).bind(p, a.ctypes.data, b.ctypes.data, c.ctypes.data)()
    assert library.error is None, library.error
    return library.products


@pytest.mark.parametrize("turn_a", [False, True])
@pytest.mark.parametrize("turn_b", [False, True])
@pytest.mark.parametrize(("alpha", "beta"), [(1, 0), (0.5, 1), (2, -0.25)])
def test_row_major_products(turn_a, turn_b, alpha, beta):
    m, n, k = 3, 5, 7
    a, b = made((k, m) if turn_a else (m, k), "float64", 1), made((n, k) if turn_b else (k, n), "float64", 2)
    c = np.full((m, n), np.nan) if beta == 0 else made((m, n), "float64", 3)
    want = alpha * ((a.T if turn_a else a) @ (b.T if turn_b else b)) + (beta * c if beta else 0)
    run(Product(m, n, k, turn_a, turn_b, alpha, beta, dtype="float64"), a, b, c)
    np.testing.assert_allclose(c, want, rtol=1e-12)


@pytest.mark.parametrize("shared", ["", "a", "b"])
def test_batches_with_strides_and_shared_operands(shared):
    m, n, k, count = 4, 3, 2, 5
    a, b = made((1 if shared == "a" else count, m, k), "float32", 1), made((1 if shared == "b" else count, k, n), "float32", 2)
    c = np.full((count, m, n), np.nan, np.float32)
    run(Product(m, n, k, batch=count, a_stride=0 if shared == "a" else m * k, b_stride=0 if shared == "b" else k * n,
                c_stride=m * n), a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


@pytest.mark.parametrize(("dtype", "out", "tf32", "codes"), [
    ("float32", "", False, ((0, 0), 68)), ("float32", "", True, ((0, 0), 77)), ("float16", "", False, ((2, 2), 68)),
    ("bfloat16", "", True, ((14, 14), 68)), ("float16", "float32", False, ((2, 0), 68)),
    ("bfloat16", "float32", False, ((14, 0), 68)), ("float64", "", True, ((1, 1), 70))])
def test_types_and_what_sums_are_made_in(dtype, out, tf32, codes):
    a, b = made((6, 40), dtype, 1), made((40, 8), dtype, 2)
    c = np.full((6, 8), np.nan, storage(out or dtype))
    (asked,) = run(Product(6, 8, 40, dtype=dtype, out=out, tf32=tf32), a, b, c)
    assert (asked["types"], asked["compute"]) == codes
    want = (a.astype(np.float64) @ b.astype(np.float64))
    np.testing.assert_allclose(c.astype(np.float64), want, atol={"float16": 0.02, "bfloat16": 0.2}.get(out or dtype, 1e-5))


def test_empty_products_touch_nothing_and_an_empty_sum_is_zero():
    c = np.full((2, 3), np.nan, np.float32)
    assert run(Product(0, 3, 4), c, c, c) == [] == run(Product(2, 0, 4), c, c, c) == run(Product(2, 3, 4, batch=0), c, c, c)
    assert np.isnan(c).all()
    run(Product(2, 3, 0), made((2, 0), "float32", 1), made((0, 3), "float32", 1), c)
    assert not c.any()


def test_the_declared_prototype_is_that_of_the_library():
    assert PROTOTYPES["cublasGemmStridedBatchedEx_64"] == GEMM[1:]


def test_a_handle_gets_its_stream_and_workspace_once_and_is_freed():
    library = FakeBlas()
    products = Blas(library, 77, PLACE)
    (handle,) = library.streams
    assert library.streams == {handle: 77} and library.workspaces == {handle: PLACE}
    products.close()
    products.close()
    assert library.streams == {}


def test_faults_are_one_line():
    with pytest.raises(EngineError, match=r"cublasCreate failed with status 1: not initialised") as e:
        Blas(FakeBlas(status=1), 1, PLACE)
    assert "\n" not in str(e.value)
    with pytest.raises(EngineError, match="older than CUDA 12"):
        Blas(SimpleNamespace(), 1, PLACE)
    library = FakeBlas()
    products, c = Blas(library, 1, PLACE), np.zeros(1, np.float32)
    library.status = 15
    with pytest.raises(EngineError, match=r"cublasGemmStridedBatchedEx failed with status 15: not supported"):
        products.bind(Product(1, 1, 1), c.ctypes.data, c.ctypes.data, c.ctypes.data)()


def test_a_library_that_is_nowhere_is_named_with_the_fix(monkeypatch):
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", None)
    monkeypatch.setattr(blas.ctypes, "CDLL", lambda name: (_ for _ in ()).throw(OSError(name)))
    with pytest.raises(EngineError, match=r"libcublas.so.13, libcublas.so.12 can be loaded.*caffempi\[cuda13\]"):
        blas.load()


def test_the_path_that_pip_installed_comes_first(monkeypatch):
    found = SimpleNamespace(load_nvidia_dynamic_lib=lambda name: SimpleNamespace(abs_path=f"/wheels/{name}"))
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", found)
    monkeypatch.setattr(blas.ctypes, "CDLL", lambda name: name)
    assert blas.load() == "/wheels/cublas"
