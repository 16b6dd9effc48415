"""Convolutions by cuDNN in whole nets over the stand-ins: offers by precision, layouts, fusion with ReLU, no images."""
from dataclasses import replace

import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.engines.base import PLAIN, Call
from caffempi.engines.choose import make_engine
from caffempi.engines.cuda.convolve import is_convolution
from caffempi.ops import Spec
from caffempi.ops.conv import ConvAttrs
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install

ATTRS = ConvAttrs((3, 3), (1, 1), (1, 1), (1, 1))
X, W, B, Y = Spec((4, 8, 9, 9)), Spec((6, 8, 3, 3)), Spec((6,)), Spec((4, 6, 9, 9))
CALL = Call("conv", ATTRS, (X, W, B), (Y,))
NET = """name: "n" input: "x" input_shape { dim: 4 dim: 2 dim: 9 dim: 9 } input: "l" input_shape { dim: 4 }
layer { name: "c1" type: "Convolution" bottom: "x" top: "c1" convolution_param { %(bias)s num_output: 6 kernel_size: 3 pad: 1
  weight_filler { type: "xavier" } } }
layer { name: "r" type: "ReLU" bottom: "c1" top: "c1" }
layer { name: "p" type: "Pooling" bottom: "c1" top: "p" pooling_param { kernel_size: 2 stride: 2 } }
layer { name: "c2" type: "Convolution" bottom: "p" top: "c2" convolution_param { %(bias)s num_output: 4 kernel_size: 3 group: 2
  weight_filler { type: "xavier" } } }
layer { name: "r2" type: "ReLU" bottom: "c2" top: "c2" }
layer { name: "ip" type: "InnerProduct" bottom: "c2" top: "ip" inner_product_param { bias_term: false num_output: 4
  weight_filler { type: "xavier" } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "l" top: "loss" }
"""
OFF = {"fp32": 1e-5, "tf32": 1e-5, "fp16": 5e-3, "bf16": 4e-2}


def best(offers):
    return min(offers, key=lambda o: o.cost).payload.conv


@pytest.mark.parametrize(("precision", "dtype", "last"), [
    ("fp32", "float32", False), ("tf32", "float32", True), ("fp16", "float16", True), ("bf16", "bfloat16", True)])
def test_each_precision_has_its_own_best_way(monkeypatch, precision, dtype, last):
    install(monkeypatch)
    offers = [o for o in make_engine("cuda", precision=precision).offers(CALL) if o.impl == "cudnn"]
    conv = best(offers)
    assert (conv.dtype, conv.last, conv.tf32) == (dtype, last, precision == "tf32")
    assert any({*o.ins, *o.outs} == {PLAIN} for o in offers)
    assert all(o.scratch % 256 == 0 and o.scratch >= 131 for o in offers)


def test_without_cudnn_the_engine_says_so_and_unfolds_images(monkeypatch):
    install(monkeypatch, with_cudnn=False)
    engine = make_engine("cuda")
    assert "no cuDNN" in engine.notes[0]
    assert engine.offers(CALL) and not any(o.impl == "cudnn" for o in engine.offers(CALL))
    assert ("conv", "relu") in {p.ops for p in engine.patterns}


def test_with_cudnn_depthwise_convolutions_of_float32_keep_to_their_own_kernels(monkeypatch):
    install(monkeypatch)
    w, y = Spec((8, 1, 3, 3)), Spec((4, 8, 9, 9))
    call = Call("conv", replace(ATTRS, group=8), (X, w), (y,))
    assert not any(o.impl == "cudnn" for o in make_engine("cuda").offers(call))
    assert all(o.impl == "cudnn" for o in make_engine("cuda", precision="bf16").offers(call))
    ops = [p.ops for p in make_engine("cuda").patterns]
    assert ops.count(("conv", "relu")) == 1 and ("sum", "relu") in ops


WISHES = NET.replace("convolution_param {", "convolution_param { engine: %(wish)s").replace(
    "pooling_param {", "pooling_param { engine: %(wish)s").replace('"ReLU" bottom: "c1" top: "c1"',
    '"ReLU" bottom: "c1" top: "c1" relu_param { engine: %(wish)s }')


@needs_compiler
@pytest.mark.parametrize("optimised", [True, False])
@pytest.mark.parametrize(("wish", "cudnn"), [("CAFFE", False), ("CUDNN", True), ("DEFAULT", True), ("MKLDNN", True)])
def test_what_the_text_asks_for_runs_and_changes_no_result(monkeypatch, tmp_path, wish, cudnn, optimised):
    install(monkeypatch)
    path = tmp_path / "n.prototxt"
    path.write_text(WISHES % {"bias": "", "wish": wish})
    nets = [Net(str(path), TRAIN, seed=1, engine=engine, optimised=optimised) for engine in ("numpy", "cuda")]
    rng = np.random.default_rng(1)
    x, labels = rng.standard_normal((4, 2, 9, 9)), rng.integers(0, 4, 4)
    for net in nets:
        net.blobs["x"].data[...], net.blobs["l"].data[...] = x, labels
    losses = [net.forward_backward() for net in nets]
    assert losses[1] == pytest.approx(losses[0], rel=1e-5)
    for a, b in zip(*([net.engine.get(net.arena.view(p, net.arena.grad)) for p in net.arena.net_order] for net in nets),
                    strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-5)
    steps = [s for p in (nets[1].binding.forward, nets[1].binding.backward) for s in p.steps
             if s.does is not None and is_convolution(s.does)]
    assert steps and {s.impl == "cudnn" for s in steps} == {cudnn}
    told = ["engine: CUDNN of layer r and 1 more is without effect: cuDNN serves convolutions alone here"]
    if optimised:                                              # the ReLU runs with the convolution
        told = ["engine: CUDNN of layer p is without effect: cuDNN serves convolutions alone here"]
    assert [n for n in nets[1].notes if "engine:" in n] == (told if wish == "CUDNN" else [])
    assert not any("engine:" in n for n in nets[0].notes)


@needs_compiler
def test_without_cudnn_layers_that_ask_for_it_are_told(monkeypatch, tmp_path):
    install(monkeypatch, with_cudnn=False)
    path = tmp_path / "n.prototxt"
    path.write_text(WISHES % {"bias": "", "wish": "CUDNN"})
    net = Net(str(path), TRAIN, seed=1, engine="cuda")
    assert "engine: CUDNN of layer c1 and 1 more is without effect: cuDNN is missing" in net.notes


def test_depthwise_convolutions_go_where_the_text_asks(monkeypatch):
    install(monkeypatch)
    call = Call("conv", replace(ATTRS, group=8), (X, Spec((8, 1, 3, 3))), (Spec((4, 8, 9, 9)),), wish="CUDNN")
    engine = make_engine("cuda")
    assert all(o.impl == "cudnn" for o in engine.offers(call))
    assert not any(o.impl == "cudnn" for o in engine.offers(call._replace(wish="CAFFE")))


@pytest.mark.parametrize(("op", "yes"), [("conv", True), ("conv_dx", True), ("conv_dw", True), ("conv_db", False)])
def test_what_is_a_convolution(op, yes):
    assert is_convolution(Call(op, ATTRS, (X, W), (Y,))) == yes


@needs_compiler
@pytest.mark.parametrize("with_cudnn", [True, False])
@pytest.mark.parametrize("precision", OFF)
def test_a_net_learns_the_same_gradients(tmp_path, monkeypatch, precision, with_cudnn):
    (tmp_path / "n").write_text(NET % {"bias": "bias_term: false"})
    install(monkeypatch, 3, with_cudnn)
    a, b = (Net(tmp_path / "n", TRAIN, seed=1, optimised=True, **how) for how in
            ({"engine": "numpy"}, {"engine": "cuda", "precision": precision}))
    rand = np.random.default_rng(0)
    for _ in range(3):                                          # one by one, recorded, replayed
        for name, values in (("x", rand.standard_normal((4, 2, 9, 9))), ("l", rand.integers(0, 4, 4))):
            for net in (a, b):
                net.blobs[name].data[...] = values
        assert b.forward_backward() == pytest.approx(a.forward_backward(), rel=OFF[precision])
        for layer in ("c1", "c2", "ip"):
            want = a.params[layer][0].diff
            np.testing.assert_allclose(b.params[layer][0].diff, want, atol=5 * OFF[precision] * np.abs(want).max())


@needs_compiler
def test_bias_and_relu_are_one_plan_with_the_convolution(tmp_path, monkeypatch):
    (tmp_path / "n").write_text(NET % {"bias": ""})
    install(monkeypatch, 1)
    a, b = (Net(tmp_path / "n", TEST, seed=1, optimised=True, forward_only=True, engine=engine) for engine in ("numpy", "cuda"))
    steps = [s for s in b.binding.forward.steps if s.impl == "cudnn"]
    assert len(steps) == 2 and all(s.node.op == "fused" for s in steps)
    x = np.random.default_rng(0).standard_normal((4, 2, 9, 9))
    for net in (a, b):
        net.blobs["x"].data[...], net.blobs["l"].data[...] = x, 1
        net.forward()
    assert b.loss == pytest.approx(a.loss, rel=1e-5)


@needs_compiler
def test_no_images(tmp_path, monkeypatch):
    (tmp_path / "n").write_text(NET.replace("dim: 4 dim: 2", "dim: 0 dim: 2").replace("{ dim: 4 }", "{ dim: 0 }") % {
        "bias": "bias_term: false"})
    install(monkeypatch, 1)
    net = Net(tmp_path / "n", TRAIN, seed=1, optimised=True, engine="cuda")
    net.forward_backward()
    assert not net.params["c1"][0].diff.any()
