"""Layouts, reorders and packs around kernels, with an engine that keeps its arrays in reverse."""
from collections import Counter
from functools import partial

import numpy as np
import pytest
from google.protobuf import text_format

import caffempi
import caffempi.net.net as net_module
from caffempi.engines.base import PLAIN, Engine, Layout, Offer, Operands
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import EngineError
from caffempi.ops.op import get_op
from caffempi.proto import caffe_pb2

OPS = ("relu", "relu_dx", "sigmoid", "sigmoid_dx", "tanh", "tanh_dx")
FREE = {"optimised": True, "no_pass": ["alias"]}               # every value has a buffer of its own
NET = """
layer { name: "in" type: "Input" top: "x" input_param { shape { dim: 3 dim: 4 } } }
layer { name: "ip" type: "InnerProduct" bottom: "x" top: "a" inner_product_param { num_output: 5 weight_filler { type: "xavier" } } }
layer { name: "r1" type: "ReLU" bottom: "a" top: "a" }
layer { name: "s1" type: "Sigmoid" bottom: "a" top: "b" }
layer { name: "t1" type: "TanH" bottom: "a" top: "c" }
layer { name: "sum" type: "Eltwise" bottom: "b" bottom: "c" top: "d" eltwise_param { coeff: 1 coeff: 2 } }
layer { name: "s2" type: "Sigmoid" bottom: "d" top: "e" }
layer { name: "t2" type: "TanH" bottom: "e" top: "f" loss_weight: 1 }
"""


def mirror(spec):
    """The layout: all elements in reverse order, behind 64 bytes that nobody uses."""
    nbytes = spec.count * np.dtype(spec.dtype).itemsize
    return Layout("mirror", nbytes + 64, ("mirror", spec.shape))


def elements(a, layout):
    """A flat view in plain order of an array in either layout."""
    return a.reshape(-1) if layout == PLAIN else a[64:].view(np.float32)[::-1]


class Move:
    def __init__(self, src, dst):
        self.src, self.dst = src, dst

    def bind(self, ptrs):
        return partial(np.copyto, elements(ptrs.outs[0], self.dst), elements(ptrs.ins[0], self.src))


class Run:
    def __init__(self, call):
        self.call = call

    def bind(self, ptrs):
        ins, outs = ([a[64:].view(np.float32) for a in part] for part in (ptrs.ins, ptrs.outs))
        return partial(get_op(self.call.op).forward, self.call.attrs, ins, outs, (), (), None)


class MirrorEngine(Engine):
    """Runs some elementwise ops, on reversed arrays only, and inner products with reversed weights."""

    name = "mirror"

    def __init__(self):
        self.base = NumpyEngine()
        self.near = []

    def why_not(self, call):
        return None if call.op in (*OPS, "inner_product") else f"mirror has no {call.op}"

    def offers(self, call, near=None):
        if self.why_not(call) is not None:
            return []
        self.near.append((call.op, near))
        if call.op == "inner_product":
            return [Offer((PLAIN, mirror(call.ins[1]), PLAIN), (PLAIN,))]
        return [Offer(tuple(mirror(s) for s in call.ins), tuple(mirror(s) for s in call.outs), inplace=get_op(call.op).inplace)]

    def compile(self, call, offer):
        return InnerProduct(call) if call.op == "inner_product" else Run(call)

    def reorder(self, spec, src, dst):
        return Move(src, dst)


class InnerProduct:
    def __init__(self, call):
        self.call = call

    def bind(self, ptrs):
        x, w, b = ptrs.ins
        plain = elements(w, mirror(self.call.ins[1])).reshape(self.call.ins[1].shape)

        def run():
            get_op("inner_product").forward(self.call.attrs, [x, plain, b], ptrs.outs, (), (), None)
        assert isinstance(ptrs, Operands)
        return run


@pytest.fixture
def build(monkeypatch):
    def make(engine, text=NET, **how):
        monkeypatch.setattr(net_module, "engine_of", lambda *_: (engine, []))
        net = caffempi.Net(text_format.Parse(text, caffe_pb2.NetParameter()), caffempi.TRAIN, seed=2, **how)
        net.blobs["x"].data[...] = np.random.default_rng(1).standard_normal((3, 4))
        return net
    return make


def kinds(program):
    return Counter(s.phase for s in program.steps)


@pytest.mark.parametrize("how", [{}, {"optimised": True}, {"observe": {"a"}}, {"observe": {"d", "b"}},
                                 *({"optimised": True, "no_pass": [p]} for p in ("alias", "layout", "accumulate", "prune"))])
def test_numbers_do_not_depend_on_layouts(build, how):
    want, net = build(NumpyEngine()), build(MirrorEngine(), **how)
    for add in (False, True, True):
        assert np.isclose(net.forward_backward(add), want.forward_backward(add), rtol=1e-6)
        assert np.allclose(net.arena.grad, want.arena.grad, atol=1e-6)


def test_a_layout_travels_where_nobody_looks_and_never_where_somebody_does(build):
    seen, free = (build(MirrorEngine(), **how)._runner.binding for how in ({}, FREE))
    assert not seen.blueprint.layouts
    assert {layout.tag for layout in free.blueprint.layouts.values()} == {"plain", "mirror"}
    assert kinds(free.forward)["reorder"] < kinds(seen.forward)["reorder"]
    assert kinds(free.backward)["reorder"] < kinds(seen.backward)["reorder"]


def test_engines_are_shown_what_lies_around_a_call(build):
    engine = MirrorEngine()
    build(engine, **FREE)
    near = dict(engine.near)
    assert near["sigmoid"].ins[0] == PLAIN                     # d, which numpy has written
    assert near["tanh"].ins[0].tag == "mirror"                 # e, from a sigmoid
    assert near["inner_product"].outs == (None,)               # nobody has claimed the buffer yet
    engine.near.clear()
    build(engine)
    assert all(out == PLAIN for _, n in engine.near for out in n.outs)


def test_a_private_copy_of_a_param_follows_the_param(build):
    net, want = build(MirrorEngine(), optimised=True), build(NumpyEngine())
    assert kinds(net._runner.binding.forward)["pack"] == 1
    for _ in range(2):
        for n in (net, want):
            n.params["ip"][0].data[...] *= 1.5
        assert np.isclose(net.run_forward(), want.run_forward(), rtol=1e-6)


def test_copies_of_a_param_that_every_run_finds_changed_lie_among_the_others(build):
    """They are made anew for each run, in the arena; but not of a param that does not learn, or that several nodes read so."""
    frozen = NET.replace('top: "a" inner', 'top: "a" param { lr_mult: 0 } inner')
    twice = NET.replace('top: "a" inner', 'top: "a" param { name: "w" } inner') + """
        layer { name: "ip2" type: "InnerProduct" bottom: "x" top: "a2" param { name: "w" } inner_product_param { num_output: 5 } }
        layer { name: "t3" type: "TanH" bottom: "a2" top: "g" loss_weight: 1 }"""
    for text, packs in ((NET, 0), (frozen, 1), (twice, 2)):
        net, want = build(MirrorEngine(), text, optimised=True, updated=True), build(NumpyEngine(), text)
        assert kinds(net.binding.forward)["pack"] == packs
        kept = [key for key in net.binding.blueprint.owned if isinstance(key, tuple) and key[0] == "pack"]
        assert len(kept) == min(packs, 1)
        for _ in range(2):
            for n in (net, want):
                n.params["ip"][0].data[...] *= 1.5
            assert np.isclose(net.forward_backward(), want.forward_backward(), rtol=1e-6)
            assert np.allclose(net.arena.grad, want.arena.grad, atol=1e-6)


class HalfEngine(MirrorEngine):
    """Runs some elementwise ops on arrays stored as float16, and sums of those and of plain ones."""

    name, precisions, precision = "half", ("fp16",), "fp16"

    def why_not(self, call):
        return None if call.op in (*OPS, "sum") else f"half has no {call.op}"

    def offers(self, call, near=None):
        def offer(how, cost):
            return Offer(tuple(map(how, call.ins)), tuple(map(how, call.outs)), inplace=((0, 0),), cost=cost)
        if self.why_not(call) is not None:
            return []
        plain = [offer(lambda spec: PLAIN, 0.0)] if call.op == "sum" else []
        return [offer(lambda spec: Layout("plain", 2 * spec.count, dtype="float16"), -1e6), *plain]

    def compile(self, call, offer):
        return HalfRun(call)

    def reorder(self, spec, src, dst):
        return HalfMove(spec)


def halves(arrays, specs):
    """The arrays of a kernel, those of bytes as the float16 that they hold."""
    assert all(a.dtype == np.float32 or (a.dtype == np.uint8 and a.nbytes == 2 * s.count) for a, s in zip(arrays, specs, strict=True))
    return [a if a.dtype == np.float32 else a.view(np.float16).reshape(s.shape) for a, s in zip(arrays, specs, strict=True)]


class HalfMove:
    def __init__(self, spec):
        self.spec = spec

    def bind(self, ptrs):
        return partial(np.copyto, *halves(ptrs.outs, [self.spec]), *halves(ptrs.ins, [self.spec]), "same_kind")


class HalfRun:
    def __init__(self, call):
        self.call = call

    def bind(self, ptrs):
        ins, outs = halves(ptrs.ins, self.call.ins), halves(ptrs.outs, self.call.outs)

        def run():
            made = [np.empty(o.shape, np.float32) for o in outs]
            get_op(self.call.op).forward(self.call.attrs, [a.astype(np.float32) for a in ins], made, (), (), None)
            for o, m in zip(outs, made, strict=True):
                o[...] = m
        return run


@pytest.mark.parametrize("how", [{"optimised": True}, {"observe": {"a"}}, FREE, {}, {"optimised": True, "no_pass": ["accumulate"]}])
def test_layouts_that_store_other_numbers(build, how):
    """Reorders cast, gradients that meet are added as they are stored, buffers have their bytes, params stay as they were."""
    want, net = build(NumpyEngine()), build(HalfEngine(), **how)
    for add in (False, True):
        assert np.isclose(net.forward_backward(add), want.forward_backward(add), rtol=2e-3)
        assert np.allclose(net.arena.grad, want.arena.grad, rtol=5e-3, atol=5e-3) and net.arena.grad.dtype == np.float32
    binding = net.binding
    b = binding.blueprint
    half = {g for g, layout in b.layouts.items() if layout.dtype == "float16"}
    assert bool(half) == bool(how)
    for v in net.graph.values:
        g = net.plan.groups.of(v)
        if g in half and b.ref(v) is not None:
            assert b.ref(v).buffer.nbytes == 2 * b.specs[v.id].count and binding.array(v) is None
    steps = [s for s in (*binding.forward.steps, *binding.backward.steps) if s.phase in "FB" and s.node]
    assert all((s.stored == "float16") == (s.kernel == "half") for s in steps) and any(s.stored for s in steps)
    assert any(s.phase == "add" for s in binding.backward.steps) == (how.get("no_pass") != ["accumulate"] and bool(how))


def test_an_engine_that_cannot_add_what_it_stores_says_so(build):
    class NoSums(HalfEngine):
        def why_not(self, call):
            return None if call.op in OPS else f"half has no {call.op}"
    with pytest.raises(EngineError, match="engine numpy cannot add arrays of float16 in layout plain"):
        build(NoSums(), optimised=True)
