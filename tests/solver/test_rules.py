"""Update rules against plain transcriptions in double precision, one element at a time."""
from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.rules import RULES, Terms, make_rule


def sgd(g, h, rate, m, i, p):
    h[0] = rate * g + m * h[0]
    return h[0]


def nesterov(g, h, rate, m, i, p):
    old = h[0]
    h[0] = rate * g + m * old
    return (1 + m) * h[0] - m * old


def adagrad(g, h, rate, m, i, p):
    h[0] += g * g
    return rate * g / (math.sqrt(h[0]) + p.delta)


def rmsprop(g, h, rate, m, i, p):
    h[0] = p.rms_decay * h[0] + (1 - p.rms_decay) * g * g
    return rate * g / (math.sqrt(h[0]) + p.delta)


def adadelta(g, h, rate, m, i, p):
    h[0] = m * h[0] + (1 - m) * g * g
    u = g * math.sqrt((h[1] + p.delta) / (h[0] + p.delta))
    h[1] = m * h[1] + (1 - m) * u * u
    return rate * u


def adam(g, h, rate, m, i, p):
    h[0] = m * h[0] + (1 - m) * g
    h[1] = p.momentum2 * h[1] + (1 - p.momentum2) * g * g
    return rate * math.sqrt(1 - p.momentum2 ** (i + 1)) / (1 - m ** (i + 1)) * h[0] / (math.sqrt(h[1]) + p.delta)


PLAIN = {"SGD": sgd, "Nesterov": nesterov, "AdaGrad": adagrad, "RMSProp": rmsprop, "AdaDelta": adadelta, "Adam": adam}
CASES = [("SGD", {}), ("SGD", {"momentum": 0.9}), ("Nesterov", {}), ("Nesterov", {"momentum": 0.9}), ("AdaGrad", {}),
         ("AdaGrad", {"delta": 1e-3}), ("RMSProp", {}), ("RMSProp", {"rms_decay": 0.5, "delta": 0.1}),
         ("RMSProp", {"rms_decay": 0.0}), ("AdaDelta", {"momentum": 0.95, "delta": 1e-6}), ("AdaDelta", {"delta": 0.5}),
         ("Adam", {"momentum": 0.9}), ("Adam", {}), ("Adam", {"momentum": 0.5, "momentum2": 0.9, "delta": 0.01})]


@pytest.mark.parametrize("dtype, tol", [("float64", 1e-11), ("float32", 2e-5)])
@pytest.mark.parametrize("name, fields", CASES)
def test_updates_and_memories_follow_the_formula(name, fields, dtype, tol):
    p = SolverParameter(type=name, **fields)
    rule = make_rule(p)
    rng = np.random.default_rng(0)
    plain = [[0.0] * rule.memories for _ in range(9)]
    memory = [np.zeros(9, dtype) for _ in range(rule.memories)]
    for i, rate in enumerate([0.1, 0.1, 0.01, 0.0, 0.5]):
        g = rng.standard_normal(9).astype(dtype) * (np.arange(9) != 4)           # element 4: never a gradient
        want = [PLAIN[name](float(x), h, rate, p.momentum, i, p) for x, h in zip(g, plain, strict=True)]
        value = rule.update(g.copy(), memory, rate, Terms(i, 1.0, p.momentum), np.empty(9, dtype))
        np.testing.assert_allclose(value, want, rtol=tol, atol=tol * 1e-2)
        np.testing.assert_allclose(memory, np.array(plain).T, rtol=tol, atol=tol * 1e-2)
        assert value.dtype == dtype and value[4] == 0


def test_every_rule_is_tested_here():
    assert sorted(PLAIN) == RULES.names() and {name for name, _ in CASES} == set(PLAIN)


@pytest.mark.parametrize("name", RULES.names())
def test_no_rule_allocates(name):
    rule = make_rule(SolverParameter(type=name))
    g, scratch, *memory = (np.ones(1 << 16, np.float32) for _ in range(2 + rule.memories))
    rule.update(g, memory, 0.1, Terms(0, 0.1), scratch)
    tracemalloc.start()
    rule.update(g, memory, 0.1, Terms(1, 0.1), scratch)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < g.nbytes / 16


@pytest.mark.parametrize("name, memories, rate_inside", [
    ("SGD", 1, True), ("Nesterov", 1, True), ("AdaGrad", 1, False), ("RMSProp", 1, False), ("AdaDelta", 2, False),
    ("Adam", 2, False)])
def test_memories_are_caffes(name, memories, rate_inside):
    assert (RULES.get(name).memories, RULES.get(name).rate_inside) == (memories, rate_inside)


def test_an_unknown_type_says_which_there_are():
    with pytest.raises(SolverError, match=r"known: .*SGD") as e:
        make_rule(SolverParameter(type="Adamm"))
    assert e.value.field == "type"


@pytest.mark.parametrize("name, field, value, words", [
    ("AdaGrad", "momentum", 0.9, "no momentum"), ("RMSProp", "momentum", 0.5, "no momentum"),
    *((name, "delta", 0.0, "above 0") for name in ("AdaGrad", "RMSProp", "AdaDelta", "Adam"))])
def test_what_a_rule_cannot_use_is_refused_with_a_way_out(name, field, value, words):
    with pytest.raises(SolverError, match=words) as e:
        make_rule(SolverParameter(type=name, **{field: value}))
    assert e.value.field == field and e.value.fix


@pytest.mark.parametrize("name", ["SGD", "Nesterov"])
def test_delta_does_not_matter_where_nothing_is_divided(name):
    assert make_rule(SolverParameter(type=name, delta=0, momentum=0.9)).memories == 1
