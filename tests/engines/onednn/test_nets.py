"""Whole nets: layouts travel between steps, packs follow the params, chains are fused, and the numbers are numpy's."""
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import text_format

import caffempi
from caffempi.plan.binding import Binding
from caffempi.plan.packs import Pack
from caffempi.proto import caffe_pb2

FILL = 'weight_filler { type: "gaussian" std: 0.2 } bias_filler { type: "uniform" min: -0.1 max: 0.1 }'


def conv(name, bottom, filters, more="kernel_size: 3 pad: 1"):
    return (f'layer {{ name: "{name}" type: "Convolution" bottom: "{bottom}" top: "{name}" '
            f'convolution_param {{ num_output: {filters} {more} {FILL} }} }}')


def relu(blob, slope=0.0):
    return f'layer {{ name: "relu_{blob}" type: "ReLU" bottom: "{blob}" top: "{blob}" relu_param {{ negative_slope: {slope} }} }}'


def pool(name, bottom, how="MAX"):
    return (f'layer {{ name: "{name}" type: "Pooling" bottom: "{bottom}" top: "{name}" '
            f'pooling_param {{ pool: {how} kernel_size: 3 stride: 2 }} }}')


def ip(name, bottom, filters):
    return (f'layer {{ name: "{name}" type: "InnerProduct" bottom: "{bottom}" top: "{name}" '
            f'inner_product_param {{ num_output: {filters} {FILL} }} }}')


INPUT = """layer { name: "in" type: "Input" top: "data" top: "label"
  input_param { shape { dim: 4 dim: 3 dim: 17 dim: 15 } shape { dim: 4 } } }"""
LOSS = 'layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip2" bottom: "label" top: "loss" }'
CHAIN = [INPUT, conv("c1", "data", 16), relu("c1"), pool("p1", "c1"), conv("c2", "p1", 24), relu("c2"), pool("p2", "c2", "AVE"),
         ip("ip1", "p2", 20), relu("ip1"), ip("ip2", "ip1", 10), LOSS]
FORK = [INPUT, conv("c1", "data", 16), relu("c1", 0.1), conv("a", "c1", 16), conv("b", "c1", 16, "kernel_size: 1"),
        'layer { name: "sum" type: "Eltwise" bottom: "a" bottom: "b" top: "sum" }', relu("sum"), pool("p1", "sum"),
        'layer { name: "norm" type: "LRN" bottom: "p1" top: "norm" }', conv("c2", "norm", 12, "kernel_size: 3 group: 2 stride: 2"),
        ip("ip2", "c2", 10), LOSS]


def build(layers, **how):
    message = text_format.Parse("\n".join(layers), caffe_pb2.NetParameter())
    net = caffempi.Net(message, caffempi.TRAIN, seed=11, **how)
    feed(net)
    return net


def feed(net, seed=0):
    rng = np.random.default_rng(seed)
    net.blobs["data"].data[...] = rng.standard_normal(net.blobs["data"].shape)
    net.blobs["label"].data[...] = rng.integers(0, 10, net.blobs["label"].shape)


def steps(net, program="forward"):
    binding = net._runner.binding
    assert isinstance(binding, Binding)
    return getattr(binding, program).steps


def gradients(net):
    return np.concatenate([net.arena.view(p, net.arena.grad).ravel() for p in net.graph.params])


@pytest.mark.parametrize("layers", [CHAIN, FORK])
@pytest.mark.parametrize("how", [{}, {"optimised": True}, {"observe": {"c1", "c2"}}, {"optimised": True, "no_pass": ["layout"]},
                                 {"optimised": True, "no_pass": ["fuse"]}, {"optimised": True, "no_pass": ["alias", "accumulate"]}])
def test_numbers_are_those_of_numpy_observed(engine, layers, how):
    want, net = build(layers, engine="numpy"), build(layers, engine="onednn", **how)
    for add in (False, True):
        loss = want.forward_backward(add)
        assert abs(net.forward_backward(add) - loss) < 1e-4 * max(1, abs(loss))
        a, b = gradients(net), gradients(want)
        assert np.abs(a - b).max() < 1e-4 * np.abs(b).max()


def test_blocked_layouts_travel_between_steps(engine):
    net = build(CHAIN, engine="onednn", optimised=True)
    kinds = Counter(s.phase for s in steps(net))
    assert kinds["F"] == len(CHAIN) - 1 - 3                   # no input, three ReLUs within other steps
    assert kinds["reorder"] <= 2 and kinds["pack"] >= 2
    assert [s.node.op for s in steps(net) if s.phase == "F"].count("fused") == 3
    assert any(layout.tag != "plain" for layout in net._runner.binding.blueprint.layouts.values())
    back = Counter(s.phase for s in steps(net, "backward"))
    assert back["reorder"] <= 6


def test_observed_nets_have_no_fusion_and_only_plain_blobs(engine):
    net = build(CHAIN, engine="onednn")
    assert "fused" not in {s.node.op for s in steps(net) if s.node}
    blobs = {net.plan.groups.of(v) for versions in net.graph.blobs.values() for v in versions}
    assert not blobs & set(net._runner.binding.blueprint.layouts)


def test_packs_run_only_when_a_param_has_changed(engine, monkeypatch):
    runs = Counter()
    real = Pack.done
    monkeypatch.setattr(Pack, "done", lambda pack: (runs.update([pack.key[1].name]), real(pack)))
    net = build(CHAIN, engine="onednn", optimised=True)

    def packed():
        runs.clear()
        net.run_forward()
        return dict(runs)
    first = packed()
    assert first["c1/0"] == first["c2/0"] == 1
    assert packed() == {}
    net.param_state.touch([p for p in net.graph.params if p.name == "c2/0"])
    assert packed() == {"c2/0": 1}
    net.param_state.touch()
    assert packed() == first
    view = net.params["c1"][0].data                            # a user may write through it at any time
    assert packed() == {"c1/0": 1} == packed()
    before = net.run_forward()
    view[...] = 0
    assert net.run_forward() != before
    del view
    packed()
    assert packed() == {}


def test_packs_stay_right_when_a_net_changes_its_shape_there_and_back(engine):
    net, want = build(CHAIN, engine="onednn", optimised=True), build(CHAIN, engine="numpy")
    for batch in (4, 6, 4, 1, 6):
        for n in (net, want):
            n.blobs["data"].reshape(batch, 3, 17, 15)
            n.blobs["label"].reshape(batch)
            n.reshape()
            feed(n, batch)
            for p in n.graph.params:
                n.param_state.array(p)[...] *= 0.9
            n.param_state.touch()
        assert abs(net.run_forward() - want.run_forward()) < 1e-4


def test_a_net_that_is_only_run_forward_packs_its_inner_products(engine):
    deploy = ['layer { name: "in" type: "Input" top: "data" input_param { shape { dim: 16 dim: 256 } } }', ip("ip1", "data", 128)]
    net = caffempi.Net(text_format.Parse("\n".join(deploy), caffe_pb2.NetParameter()), caffempi.TEST, engine="onednn", seed=1)
    assert [s.phase for s in steps(net)] == ["pack", "F"]


def test_the_log_names_what_numpy_runs_and_why(engine):
    net = build(FORK, engine="onednn", optimised=True)
    assert any('loss: engine onednn has no kernel for op "softmax_nll"' in line for line in net._runner.binding.blueprint.log)


@pytest.mark.parametrize("isa", ["SSE41", "AVX2"])
def test_older_processors(engine, isa):
    done = subprocess.run([sys.executable, "-c", "from tests.engines.onednn.test_nets import old_processor; old_processor()"],
                          cwd=Path(__file__).parents[3], env={**os.environ, "DNNL_MAX_CPU_ISA": isa}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] in ("sse4.1", isa.lower())


def old_processor():
    """Both nets on both engines, in a process of its own; prints the instruction set in use."""
    for layers in (CHAIN, FORK):
        for how in ({}, {"optimised": True}):
            want, net = build(layers, engine="numpy"), build(layers, engine="onednn", **how)
            loss = want.forward_backward()
            assert abs(net.forward_backward() - loss) < 1e-4 * max(1, abs(loss))
            a, b = gradients(net), gradients(want)
            assert np.abs(a - b).max() < 1e-4 * np.abs(b).max()
            kernels = Counter(s.kernel for s in steps(net) if s.phase == "F")
            assert kernels["onednn"] > kernels["numpy"]
    print(net.plan.engine.library.isa)
