"""One update of the arena against a plain transcription of Caffe's order, param by param."""
from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import SolverError
from caffempi.layers.plugins import check_registered
from caffempi.ops import OPS
from caffempi.ops.graph import Param, Spec
from caffempi.ops.update import CHUNK
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.rules import RULES, Terms, make_rule
from caffempi.solver.update import Updater, check_finite
from tests.helpers.mpirun import ROOT


def make(dtype="float64", shapes=((3, 4), (3,), (70, 1000), (5,)), mults=((1, 1), (2, 0), (0, 1), (1, 0.5)), **fields):
    params = [Param(f"l{k}", 0, Spec(s, dtype), lr_mult=a, decay_mult=b)
              for k, (s, (a, b)) in enumerate(zip(shapes, mults, strict=True))]
    arena = ParamArena(params, params[::-1], dtype, first_bucket=64, bucket=1 << 18)
    p = SolverParameter(type="SGD", **fields)
    rng = np.random.default_rng(1)
    for q in params:
        arena.view(q)[...] = rng.standard_normal(q.spec.shape)
    exchange = LocalExchange()
    exchange.start(arena, {})
    return arena, p, exchange, rng


def terms(p, rate, iteration):
    return Terms(iteration, rate, p.momentum, p.weight_decay)


def reference(params, grads, memories, p, rate):
    """Caffe's ApplyUpdate, one param at a time: clip, normalise, regularise, rule."""
    grads = {q: g.astype(np.float64) for q, g in grads.items()}
    if p.clip_gradients >= 0:
        norm = np.sqrt(sum((g ** 2).sum() for g in grads.values()))
        if norm > p.clip_gradients:
            grads = {q: g * (p.clip_gradients / norm) for q, g in grads.items()}
    values = {}
    for q, w in params.items():
        g = grads[q] / p.iter_size
        decay = p.weight_decay * q.decay_mult
        g = g + decay * (np.sign(w) if p.regularization_type == "L1" else w)
        memories[q] = rate * q.lr_mult * g + p.momentum * memories[q]
        values[q] = memories[q]
        params[q] = w - memories[q]
    return values


@pytest.mark.parametrize("dtype, tol", [("float64", 1e-12), ("float32", 2e-5)])
@pytest.mark.parametrize("fields", [
    {}, {"momentum": 0.9}, {"weight_decay": 0.1, "momentum": 0.5}, {"weight_decay": 0.1, "regularization_type": "L1"},
    {"clip_gradients": 5.0, "weight_decay": 0.1, "momentum": 0.9, "iter_size": 3}, {"clip_gradients": 0.0, "weight_decay": 0.1},
    {"clip_gradients": 1e9, "iter_size": 2, "regularization_type": "L1", "weight_decay": 0.01},
])
def test_update_follows_caffes_order(dtype, tol, fields):
    arena, p, exchange, rng = make(dtype, **fields)
    updater = Updater(arena, NumpyEngine(), make_rule(p), p)
    params = {q: arena.view(q).astype(np.float64) for q in arena.params}
    memories = {q: np.zeros(q.spec.shape) for q in arena.params}
    for iteration, rate in enumerate([0.1, 0.1, 0.02]):
        grads = {q: rng.standard_normal(q.spec.shape).astype(dtype) for q in arena.params}
        for q, g in grads.items():
            arena.view(q, arena.grad)[...] = g
        values = reference(params, grads, memories, p, rate)
        updater.apply(exchange, terms(p, rate, iteration))
        for q in arena.params:
            np.testing.assert_allclose(arena.view(q), params[q], rtol=tol, atol=tol)
            np.testing.assert_allclose(arena.view(q, arena.hist[0]), memories[q], rtol=tol, atol=tol)
            np.testing.assert_allclose(arena.view(q, arena.grad), values[q], rtol=tol, atol=tol)   # as Caffe's diff


def test_gaps_of_the_arena_stay_zero():
    arena, p, exchange, _ = make(weight_decay=0.1, momentum=0.9)
    arena.grad[...] = 1
    used = np.zeros(arena.data.size, bool)
    for lo, hi in arena.slots.values():
        used[lo:hi] = True
    arena.grad[~used] = 0
    Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, terms(p, 0.1, 0))
    assert not arena.data[~used].any() and not arena.hist[0][~used].any()


def test_clipping_reports_norm_and_scale_and_is_silent_below():
    arena, p, exchange, _ = make(clip_gradients=2.0)
    arena.grad[...] = 0
    arena.grad[:1] = 8
    assert Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, terms(p, 0.1, 0)) == (8.0, 0.25)
    arena.grad[...] = 0
    assert Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, terms(p, 0.1, 0)) is None


def test_norm_of_huge_finite_gradients_does_not_overflow():
    arena, p, exchange, _ = make("float32", clip_gradients=1.0)
    arena.grad[...] = 0
    arena.grad[:1] = 1e30
    norm, scale = Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, terms(p, 0.1, 0))
    assert norm == pytest.approx(1e30) and scale == pytest.approx(1e-30)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("clip", [-1.0, 1.0])
def test_a_gradient_that_is_not_finite_names_its_param(bad, clip):
    arena, p, exchange, _ = make(clip_gradients=clip)
    before = arena.data.copy()
    arena.grad[...] = 0
    arena.view(arena.net_order[2], arena.grad)[60, 7] = bad
    with pytest.raises(SolverError, match=r"l2/0.*iteration 12.*lower base_lr"):
        Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, terms(p, 0.1, 12))
    if clip >= 0:
        np.testing.assert_array_equal(arena.data, before)


def test_slices_are_updated_as_they_arrive_and_none_twice():
    arena, p, *_ = make(momentum=0.5, weight_decay=0.1)
    arena.grad[...] = 1
    whole = arena.data.copy()
    seen = []

    class Pieces(LocalExchange):
        def reduced(self):
            yield from [(40000, arena.data.size), (0, 17), (17, 40000)]

        def updated(self, lo, hi):
            seen.append((lo, hi))
    Updater(arena, NumpyEngine(), make_rule(p), p).apply(Pieces(), terms(p, 0.1, 0))
    in_pieces, arena.data[...] = arena.data.copy(), whole
    arena.grad[...] = 1
    exchange = LocalExchange()
    exchange.start(arena, {})
    Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, terms(p, 0.1, 0))
    np.testing.assert_array_equal(in_pieces, arena.data)
    assert seen == [(40000, arena.data.size), (0, 17), (17, 40000)]


def test_an_update_allocates_no_more_than_a_chunk():
    arena, p, exchange, _ = make("float32", shapes=((CHUNK * 3 + 5,),), mults=((1, 1),), weight_decay=0.1, clip_gradients=1.0,
                                 momentum=0.9, iter_size=2)
    updater = Updater(arena, NumpyEngine(), make_rule(p), p)
    arena.grad[...] = 1
    updater.apply(exchange, terms(p, 0.1, 0))
    tracemalloc.start()
    updater.apply(exchange, terms(p, 0.1, 1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < CHUNK * 4 + 16384


def test_without_keep_params_move_alike():
    results = []
    for keep in (True, False):
        arena, p, exchange, _ = make(momentum=0.9, weight_decay=0.1)
        arena.grad[...] = 0.25
        Updater(arena, NumpyEngine(), make_rule(p), p, keep).apply(exchange, terms(p, 0.1, 0))
        results.append(arena.data.copy())
    np.testing.assert_array_equal(*results)


def test_check_finite_names_the_first_param_in_net_order():
    arena, *_ = make()
    check_finite(arena, 3)
    arena.view(arena.net_order[3])[1] = np.inf
    arena.view(arena.net_order[1])[1] = np.nan
    with pytest.raises(SolverError, match=r"l1/0 is not finite at iteration 3"):
        check_finite(arena, 3)


def test_a_rule_from_outside_works_as_the_documents_say(monkeypatch):
    """The example of docs/extending.md, run as it stands."""
    monkeypatch.setattr(OPS, "_items", dict(OPS._items))
    monkeypatch.setattr(RULES, "_items", dict(RULES._items))
    text = (ROOT / "docs" / "extending.md").read_text()
    code = text[text.index("# my_rule.py"):]
    exec(code[:code.index("```")], {})
    check_registered("my_rule.py")
    arena, p, exchange, _ = make(momentum=0.5, weight_decay=0.1, iter_size=2)
    p.type = "Sign"
    updater = Updater(arena, NumpyEngine(), make_rule(p), p)
    before = {q: arena.view(q).copy() for q in arena.params}
    arena.grad[...] = 1
    updater.apply(exchange, terms(p, 0.1, 0))
    for q, w in before.items():
        h = 0.5 + 0.1 * q.decay_mult * w
        np.testing.assert_allclose(arena.view(q, arena.hist[0]), h, rtol=1e-6)
        np.testing.assert_allclose(arena.view(q), w - 0.1 * q.lr_mult * np.sign(h), rtol=1e-6, atol=1e-6)
