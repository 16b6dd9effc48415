"""What is to be shown first on a GPU: convolutions in all ways, replayed graphs, results that repeat. Over the stand-ins too.

Kernels of our own are held to the definitions by the tests in `rules`, which `pytest -m gpu` runs next.
"""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from caffempi.engines.base import PLAIN, Operands
from caffempi.engines.choose import make_engine
from caffempi.engines.cuda.convolve import Chosen
from caffempi.engines.cuda.engine import CudaEngine
from caffempi.engines.cuda.kernels import plan_job
from caffempi.engines.cuda.rule import RULES, TYPES
from caffempi.ops.conv import ConvAttrs
from tests.engines.cuda.rules import test_conv, test_inner_product, test_softmax
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.devicerun import run_job
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import ULP, guarded, plain, store
from tests.helpers.cuda.standin import install

pytestmark = [needs_compiler, pytest.mark.gpu]
CONVS = {"3x3": ((2, 8, 9, 9), (16, 8, 3, 3), ConvAttrs((3, 3), (1, 1), (1, 1), (1, 1))),
         "strided": ((1, 3, 23, 19), (8, 3, 11, 11), ConvAttrs((11, 11), (4, 4), (0, 0), (1, 1))),
         "groups": ((2, 8, 7, 7), (6, 4, 5, 5), ConvAttrs((5, 5), (1, 1), (2, 2), (1, 1), 2)),
         "dilated": ((2, 4, 9, 9), (8, 4, 3, 3), ConvAttrs((3, 3), (1, 1), (2, 2), (2, 2))),
         "depthwise": ((2, 8, 8, 8), (8, 1, 3, 3), ConvAttrs((3, 3), (1, 1), (1, 1), (1, 1), 8)),
         "odd": ((3, 7, 5, 6), (13, 7, 1, 1), ConvAttrs((1, 1), (2, 2), (0, 0), (1, 1)))}
OFF = {"fp32": 2e-5, "tf32": 4e-3, "fp16": 4e-3, "bf16": 3e-2}
NET = """name: "n" layer { name: "d" type: "DummyData" top: "x" top: "l" dummy_data_param { shape { dim: 4 dim: 3 dim: 12 dim: 12 }
  shape { dim: 4 } data_filler { type: "gaussian" std: 1 } data_filler { type: "constant" value: 2 } } }
layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 8 kernel_size: 3 pad: 1
  weight_filler { type: "xavier" } } }
layer { name: "r" type: "ReLU" bottom: "c" top: "c" }
layer { name: "n" type: "LRN" bottom: "c" top: "n" }
layer { name: "p" type: "Pooling" bottom: "n" top: "p" pooling_param { kernel_size: 3 stride: 2 } }
layer { name: "bn" type: "BatchNorm" bottom: "p" top: "bn" }
layer { name: "ip" type: "InnerProduct" bottom: "bn" top: "ip" inner_product_param { num_output: 5 weight_filler { type: "xavier" } } }
layer { name: "drop" type: "Dropout" bottom: "ip" top: "ip" }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "l" top: "loss" }
"""


def by_offer(engine, r, offer):
    """The out of a call, as plain float32, by one of the engine's offers."""
    (spec,), (lies,) = r.call.outs, offer.outs

    def empty(s, layout):
        raw = engine.alloc(layout.nbytes or 4 * s.count)
        return raw.view("float32").reshape(s.shape) if layout == PLAIN else raw

    def moved(array, s, src, dst):
        if src == dst:
            return array
        made = empty(s, dst)
        engine.reorder(s, src, dst).bind(Operands((array,), (made,)))()
        return made
    ins = tuple(moved(engine.gpu.given(a), s, PLAIN, layout) for a, s, layout in zip(r.ins, r.call.ins, offer.ins, strict=True))
    out, scratch = empty(spec, lies), engine.alloc(offer.scratch) if offer.scratch else None
    engine.compile(r.call, offer).bind(Operands(ins, (out,), scratch=scratch))()
    return engine.get(moved(out, spec, lies, PLAIN))           # waits: until then all arrays are held


@pytest.mark.parametrize("conv", CONVS)
@pytest.mark.parametrize("precision", OFF)
def test_convolutions_are_right_by_cudnn_and_by_kernels_of_our_own_in_all_layouts(monkeypatch, precision, conv):
    """Forward and both gradients by raw addresses; every way that the engine offers, twice with the same bits."""
    install(monkeypatch, 3)
    x, w, attrs = CONVS[conv]
    ways = set()
    for engine in (make_engine("cuda", precision=precision), without_cudnn(monkeypatch, precision)):
        for r in record(Case("conv", attrs, [x, w], scale=0.5)):
            want = next(plain(store(a, "float32", False), False) for a in definition(r))
            for offer in engine.offers(r.call):
                got = by_offer(engine, r, offer)
                np.testing.assert_allclose(got, want, atol=OFF[precision] * max(1, np.abs(want).max()), rtol=OFF[precision])
                assert by_offer(engine, r, offer).tobytes() == got.tobytes()
                ways.add((r.call.op, isinstance(offer.payload, Chosen), any(a.tag == "nhwc" for a in (*offer.ins, *offer.outs))))
    assert {op for op, *_ in ways} >= {"conv", "conv_dx", "conv_dw"} and {by for _, by, _ in ways} >= {False}


def without_cudnn(monkeypatch, precision):
    """An engine that unfolds images."""
    install(monkeypatch, 4, with_cudnn=False)
    return make_engine("cuda", precision=precision)


def definition(r):
    """The outs of a recorded call by NumPy."""
    from tests.helpers.enginecheck import reference
    return reference(r.call, r.ins)[0]


def gradients(path, precision, steps=4):
    """Losses of some passes, and the params' gradients in the last one."""
    net = Net(path, TRAIN, seed=1, optimised=True, engine="cuda", precision=precision)
    losses = [net.forward_backward(add=False) for _ in range(steps)]
    return losses, b"".join(net.engine.get(net.arena.view(p, net.arena.grad)).tobytes() for p in net.graph.params if not p.stat)


@pytest.mark.parametrize("precision", OFF)
def test_replayed_graphs_give_the_bits_of_steps_one_by_one_and_two_runs_are_equal(tmp_path, monkeypatch, precision):
    (tmp_path / "n").write_text(NET)
    install(monkeypatch, 5)
    replayed = gradients(str(tmp_path / "n"), precision)
    assert gradients(str(tmp_path / "n"), precision) == replayed
    monkeypatch.setattr(CudaEngine, "captures", False)
    assert gradients(str(tmp_path / "n"), precision) == replayed


@pytest.mark.parametrize("dtype", TYPES)
def test_jobs_run_on_copies_of_host_arrays(monkeypatch, dtype):
    """The way by which kernels' own tests reach a GPU."""
    install(monkeypatch, 6)
    gpu = make_engine("cuda").gpu
    for module in (test_softmax, test_conv, test_inner_product):
        r = next(r for case in module.CASES for r in record(case)[:1] if r.call.outs[0].count)
        rule = RULES.get(r.call.op)
        form = rule.forms(r.call, (dtype,))[0]
        ins = tuple(store(a, rule.dtype("ins", i, s, form), False) for i, (a, s) in enumerate(zip(r.ins, r.call.ins, strict=True)))
        outs = tuple(guarded(s.shape, np.dtype(rule.dtype("outs", i, s, form))) for i, s in enumerate(r.call.outs))
        saved = tuple(guarded(s.shape, np.dtype(rule.dtype("saved", i, s, form))) for i, s in enumerate(r.call.saved))
        assert run_job(gpu, plan_job(r.call, form), Operands(ins, outs, saved, (), None, r.rng), 2) == 0
        for got, want in zip(outs, definition(r), strict=True):
            np.testing.assert_allclose(got.astype(np.float32), want, rtol=8 * ULP[dtype], atol=8 * ULP[dtype] * np.abs(want).max())
