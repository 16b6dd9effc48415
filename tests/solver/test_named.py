"""pycaffe's ways to a solver."""
from __future__ import annotations

import pytest

import caffempi
from caffempi.ops import get_op
from caffempi.solver.named import get_solver
from caffempi.solver.rules import RULES
from tests.helpers.task import make_task

CLASSES = {"SGD": "SGDSolver", "Nesterov": "NesterovSolver", "AdaGrad": "AdaGradSolver", "RMSProp": "RMSPropSolver",
           "AdaDelta": "AdaDeltaSolver", "Adam": "AdamSolver"}


@pytest.mark.parametrize("rule", CLASSES)
@pytest.mark.parametrize("text", ["", 'type: "Adam"', "solver_type: NESTEROV"])
def test_a_class_stands_for_its_rule_whatever_the_text_says(rule, text, tmp_path):
    solver = getattr(caffempi, CLASSES[rule])(make_task(tmp_path, text, drop="momentum"))
    assert solver.param.type == rule
    solver.step(1)
    assert solver.iter == 1 and len(solver.net.arena.hist) == get_op(RULES.get(rule).op).memories


def test_each_rule_of_caffe_has_its_class():
    assert set(CLASSES) == set(RULES.names())


@pytest.mark.parametrize("text, rule", [("", "SGD"), ('type: "RMSProp"', "RMSProp"), ("solver_type: ADADELTA", "AdaDelta"),
                                        ("solver_type: 5", "Adam")])
def test_get_solver_obeys_the_text(text, rule, tmp_path):
    assert get_solver(make_task(tmp_path, text, drop="momentum"), engine="numpy").param.type == rule


def test_options_are_passed_on(tmp_path):
    solver = caffempi.AdamSolver(make_task(tmp_path), engine="numpy", dtype="float64", seed=9)
    assert (solver.net.arena.dtype, solver.param.random_seed) == ("float64", 9)
