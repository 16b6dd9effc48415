"""Update rules: the numbers that they give their ops, against plain transcriptions in double precision."""
from __future__ import annotations

import math

import pytest

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.rules import RULES, Terms, make_rule

TERMS = Terms(iteration=4, rate=0.25, momentum=0.5, weight_decay=0.125)
CASES = [
    ("SGD", {}, 1, {"momentum": 0.5}),
    ("Nesterov", {}, 1, {"momentum": 0.5}),
    ("AdaGrad", {"delta": 0.01}, 1, {"delta": 0.01}),
    ("RMSProp", {"delta": 0.01, "rms_decay": 0.75}, 1, {"keep": 0.75, "take": 0.25, "delta": 0.01}),
    ("AdaDelta", {"delta": 0.01}, 1, {"keep": 0.5, "take": 0.5, "delta": 0.01}),
    ("Adam", {"momentum2": 0.75, "delta": 0.01}, math.sqrt(1 - 0.75 ** 5) / (1 - 0.5 ** 5),
     {"keep": 0.5, "take": 0.5, "keep2": 0.75, "take2": 0.25, "delta": 0.01}),
]


@pytest.mark.parametrize("name, fields, factor, more", CASES)
def test_the_numbers_of_an_update(name, fields, factor, more):
    rule = make_rule(SolverParameter(type=name, **fields))
    assert rule.factor(TERMS) == pytest.approx(factor, rel=1e-6)
    assert dict(zip(rule.update.more, rule.more(TERMS), strict=True)) == pytest.approx(more, rel=1e-5)


def test_every_rule_is_tested_here():
    assert sorted(case[0] for case in CASES) == RULES.names()


@pytest.mark.parametrize("name, memories, rate_inside", [
    ("SGD", 1, True), ("Nesterov", 1, True), ("AdaGrad", 1, False), ("RMSProp", 1, False), ("AdaDelta", 2, False),
    ("Adam", 2, False)])
def test_memories_are_caffes(name, memories, rate_inside):
    rule = make_rule(SolverParameter(type=name))
    assert (rule.update.memories, rule.rate_inside) == (memories, rate_inside)


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
    assert make_rule(SolverParameter(type=name, delta=0, momentum=0.9)).op.endswith("_update")
