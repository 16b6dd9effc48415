"""LARC and LARS against plain transcriptions, param by param, through whole updates; alike on all ranks; what is refused."""
from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import SolverError
from caffempi.ops.graph import Param, Spec
from caffempi.ops.update import CHUNK
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.local_rates import wanted
from caffempi.solver.rules import Terms, make_rule
from caffempi.solver.update import Updater
from tests.helpers.loopback import all_good

# of the last but one W is 0, of the last g; a bucket holds several params, one param several chunks
SHAPES = [(3, 4), (3,), (CHUNK + 7,), (5,), (4,), (6,)]
MULTS = [(1, 1), (2, 0), (0, 1), (1, 0.5), (0.5, 1), (3, 1)]


def make(dtype="float64", shapes=SHAPES, **fields):
    params = [Param(f"l{k}", 0, Spec(s, dtype), lr_mult=a, decay_mult=b)
              for k, (s, (a, b)) in enumerate(zip(shapes, MULTS, strict=False))]
    arena = ParamArena(params, params[::-1], dtype, first_bucket=64, bucket=1 << 12)
    rng = np.random.default_rng(1)
    for q in params:
        arena.view(q)[...] = rng.standard_normal(q.spec.shape)
    if len(params) > 4:
        arena.view(params[4])[...] = 0
    return arena, SolverParameter(**fields), rng


def gradients(arena, rng):
    grads = {q: rng.standard_normal(q.spec.shape).astype(arena.dtype) for q in arena.params}
    for q in arena.params:
        if q.name.startswith("l5"):
            grads[q][...] = 0
        arena.view(q, arena.grad)[...] = grads[q]
    return grads


def plain_rates(weights, grads, hist, corr, p, terms, scale):
    """The rate of each param, from the formulas."""
    rates = {}
    for q, w in weights.items():
        g = scale * grads[q].astype("f8")
        wn, gn = np.linalg.norm(w), np.linalg.norm(g)
        if p.larc:
            local = (1 - terms.momentum) * p.larc_eta * wn / gn if wn > 0 and gn > 0 else 1.0
        else:
            local = p.local_gw_ratio * wn / (gn + terms.weight_decay * wn) if wn > 0 and gn > 0 else 1.0
        if p.larc_turbo:
            hn = np.linalg.norm(hist[q])
            corr[q] = 0.95 * corr[q] + 0.05 * (float((g * hist[q]).sum()) / (gn * hn) if gn > 0 and hn > 0 else 0.0)
            local -= 0.9 * corr[q]
        own = min(terms.rate, local) if p.larc and p.larc_policy == "clip" else terms.rate * local
        rates[q] = q.lr_mult * own
    return rates


CASES = [
    {"larc": True}, {"larc": True, "larc_policy": "clip"}, {"larc": True, "larc_policy": "clip", "larc_eta": 0.5},
    {"larc": True, "larc_eta": 0.02, "momentum": 0.9, "weight_decay": 0.1, "iter_size": 3},
    {"larc": True, "larc_eta": 0.02, "momentum": 0.5, "clip_gradients": 2.0, "iter_size": 2},
    {"larc": True, "larc_turbo": True, "momentum": 0.9, "larc_eta": 0.1},
    {"larc": True, "larc_turbo": True, "momentum": 0.9, "larc_policy": "clip", "larc_eta": 0.1, "iter_size": 2},
    {"local_lr_auto": True}, {"local_lr_auto": True, "weight_decay": 0.25, "momentum": 0.9, "local_gw_ratio": 0.1},
    {"local_lr_auto": True, "clip_gradients": 1.0, "weight_decay": 0.1, "iter_size": 4},
]


@pytest.mark.parametrize("dtype, tol", [("float64", 1e-11), ("float32", 1e-4)])
@pytest.mark.parametrize("fields", CASES, ids=lambda f: "-".join(f"{k}={v}" for k, v in f.items()))
def test_updates_follow_the_formulas(fields, dtype, tol):
    arena, p, rng = make(dtype, **fields)
    updater, exchange = Updater(arena, NumpyEngine(), make_rule(p), p), LocalExchange()
    exchange.start(arena, {})
    weights = {q: arena.view(q).astype("f8") for q in arena.params}
    hist = {q: np.zeros(q.spec.shape) for q in arena.params}
    corr = dict.fromkeys(arena.params, 0.0)
    for iteration, rate in enumerate([0.5, 0.5, 0.1]):
        grads, terms = gradients(arena, rng), Terms(iteration, rate, p.momentum, p.weight_decay)
        norm = np.sqrt(sum((g.astype("f8") ** 2).sum() for g in grads.values()))
        scale = min(1.0, p.clip_gradients / norm if p.clip_gradients >= 0 else 1.0) / p.iter_size
        for q, own in plain_rates(weights, grads, hist, corr, p, terms, scale).items():
            g = scale * grads[q] + p.weight_decay * q.decay_mult * weights[q]
            hist[q] = own * g + p.momentum * hist[q]
            weights[q] = weights[q] - hist[q]
        updater.apply(exchange, terms)
        for q in arena.params:
            np.testing.assert_allclose(arena.view(q), weights[q], rtol=tol, atol=tol, err_msg=q.name)


@pytest.mark.parametrize("rule", ["Nesterov", "Adam", "AdaGrad"])
def test_other_rules_get_the_same_rates(rule):
    """A rule is handed rate * l of each param: as if each were trained alone at that rate."""
    arena, p, rng = make(larc=True, larc_eta=0.1, type=rule)
    grads = gradients(arena, rng)
    before = {q: arena.view(q).copy() for q in arena.params}
    terms, exchange = Terms(0, 0.5, p.momentum, p.weight_decay), LocalExchange()
    exchange.start(arena, {})
    rates = plain_rates(before, grads, None, None, p, terms, 1.0)
    Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, terms)
    rule = make_rule(p)
    for q in arena.params:
        memory = [np.zeros(q.spec.count) for _ in range(rule.update.memories)]
        value = rule.update.value(grads[q].reshape(-1).copy(), memory, np.empty(q.spec.count), rates[q] * rule.factor(terms),
                                  *rule.more(terms))
        np.testing.assert_allclose(arena.view(q).reshape(-1), before[q].reshape(-1) - value, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("fields", [{"larc": True, "larc_turbo": True, "momentum": 0.9}, {"local_lr_auto": True},
                                    {"clip_gradients": 0.5}])
def test_all_ranks_end_with_the_bits_of_one(fields):
    def work(exchange):
        arena, p, rng = make("float32", **fields)
        updater = Updater(arena, NumpyEngine(), make_rule(p), p)
        exchange.start(arena, {"digest": {}, "values": {}})
        for i in range(3):
            gradients(arena, rng)
            updater.apply(exchange, Terms(i, 0.5, p.momentum, p.weight_decay))
        return arena.data.tobytes()
    alone = LocalExchange()
    assert set(all_good(4, work)) == {work(alone)}


def test_correlation_is_kept_in_net_order_for_states():
    arena, p, _ = make(larc=True, larc_turbo=True, momentum=0.9)
    updater = Updater(arena, NumpyEngine(), make_rule(p), p)
    assert [arena.params[k] for k in updater.local.net_order] == arena.net_order


def test_an_update_allocates_no_arrays_as_large_as_a_param():
    arena, p, rng = make("float32", shapes=[(CHUNK * 3 + 5,), (9,)], larc=True, larc_turbo=True, momentum=0.9)
    updater, exchange = Updater(arena, NumpyEngine(), make_rule(p), p), LocalExchange()
    exchange.start(arena, {})
    gradients(arena, rng)
    updater.apply(exchange, Terms(0, 0.1, 0.9))
    tracemalloc.start()
    updater.apply(exchange, Terms(1, 0.1, 0.9))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < CHUNK * 4 + 16384


@pytest.mark.parametrize("array, words", [("grad", "the gradient of param l3/0 is not finite at iteration 7"),
                                          ("data", "param l3/0 is not finite at iteration 7")])
def test_what_is_not_finite_names_its_param_before_anything_has_changed(array, words):
    arena, p, rng = make(larc=True)
    gradients(arena, rng)
    arena.view(arena.net_order[3], getattr(arena, array))[1] = np.nan
    before, exchange = arena.data.copy(), LocalExchange()
    exchange.start(arena, {})
    with pytest.raises(SolverError, match=f"^[^(]*{words}"):
        Updater(arena, NumpyEngine(), make_rule(p), p).apply(exchange, Terms(7, 0.1))
    np.testing.assert_array_equal(arena.data, before)


@pytest.mark.parametrize("fields, result", [({}, False), ({"larc": True}, True), ({"local_lr_auto": True}, True),
                                            ({"larc_policy": "clip"}, False)])
def test_when_they_are_on(fields, result):
    assert wanted(SolverParameter(**fields)) is result


@pytest.mark.parametrize("fields, field", [
    ({"larc": True, "local_lr_auto": True}, "local_lr_auto"), ({"larc": True, "larc_policy": "cut"}, "larc_policy"),
    ({"larc_turbo": True}, "larc_turbo")])
def test_settings_that_contradict_each_other_are_refused(fields, field):
    with pytest.raises(SolverError) as e:
        wanted(SolverParameter(**fields))
    assert e.value.field == field and e.value.fix
