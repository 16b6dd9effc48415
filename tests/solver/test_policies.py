"""Learning-rate policies against Caffe's formulas, and what they refuse."""
from __future__ import annotations

import math

import numpy as np
import pytest
from google.protobuf import text_format

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.policies import POLICIES, make_policy
from caffempi.solver.policy import NO_LOSS


def solver(text: str) -> SolverParameter:
    return text_format.Parse(text, SolverParameter())


FORMULAS = {
    'lr_policy: "fixed"': lambda i: 1.0,
    'lr_policy: "step" gamma: 0.5 stepsize: 3': lambda i: 0.5 ** (i // 3),
    'lr_policy: "exp" gamma: 0.75': lambda i: 0.75 ** i,
    'lr_policy: "inv" gamma: 0.5 power: 0.75': lambda i: (1 + 0.5 * i) ** -0.75,
    'lr_policy: "poly" power: 2 max_iter: 40': lambda i: (1 - i / 40) ** 2 if i < 40 else 0.0,
    'lr_policy: "poly" power: 0.5 max_iter: 8': lambda i: (1 - i / 8) ** 0.5 if i < 8 else 0.0,
    'lr_policy: "sigmoid" gamma: -0.25 stepsize: 10': lambda i: 1 / (1 + math.exp(0.25 * (i - 10))),
    'lr_policy: "sigmoid" gamma: 0.25 stepsize: 10': lambda i: 1 / (1 + math.exp(-0.25 * (i - 10))),
    'lr_policy: "multistep" gamma: 0.5 stepvalue: 3 stepvalue: 5': lambda i: 0.5 ** ((i >= 3) + (i >= 5)),
    'lr_policy: "poly" power: 2 max_iter: 40 min_lr: 0.25': lambda i: (1 - i / 40) ** 2 * 0.5 + 0.5 if i < 40 else 0.5,
    'lr_policy: "multifixed" stagelr: 0.5 stageiter: 3 stagelr: 2 stageiter: 9': lambda i: 1.0 if i <= 3 else 4.0,
    'lr_policy: "plateau" gamma: 0.5 plateau_winsize: 4 plateau_winsize: 8': lambda i: 0.5 ** ((i >= 4) + (i >= 12)),
}


@pytest.mark.parametrize("text", FORMULAS)
def test_rate_follows_the_formula_from_iteration_0_on(text):
    policy = make_policy(solver(f"base_lr: 0.5 {text}"))
    for i in range(60):
        expected = 0.5 * FORMULAS[text](i)
        assert policy.rate(i) == pytest.approx(expected, rel=1e-6, abs=1e-7), i
        assert policy.advance(i) == pytest.approx(expected, rel=1e-6, abs=1e-7), i


def test_every_policy_has_a_formula_here():
    assert {text.split('"')[1] for text in FORMULAS} == set(POLICIES.names())


def test_looking_at_the_rate_moves_nothing():
    policy = make_policy(solver('base_lr: 1 lr_policy: "multistep" gamma: 0.5 stepvalue: 2'))
    assert [policy.rate(2) for _ in range(3)] == [0.5] * 3
    assert policy.current_step == 0
    assert policy.advance(2) == 0.5
    assert policy.current_step == 1


def test_multistep_goes_down_one_step_an_iteration_as_caffe():
    policy = make_policy(solver('base_lr: 1 lr_policy: "multistep" gamma: 0.5 stepvalue: 2 stepvalue: 2 stepvalue: 3'))
    assert [policy.advance(i) for i in range(7)] == [1, 1, 0.5, 0.25, 0.125, 0.125, 0.125]


def test_multistep_catches_up_after_a_state_without_current_step():
    policy = make_policy(solver('base_lr: 1 lr_policy: "multistep" gamma: 0.5 stepvalue: 2 stepvalue: 3 stepvalue: 9'))
    assert [policy.advance(i) for i in range(5, 8)] == [0.5, 0.25, 0.25]


def losses(policy, values):
    return [policy.advance(i, loss) for i, loss in enumerate(values)]


def test_plateau_counts_from_the_last_minimum_and_from_its_last_step():
    policy = make_policy(solver('base_lr: 1 lr_policy: "plateau" gamma: 0.5 plateau_winsize: 3 plateau_winsize: 2'))
    assert losses(policy, [5, 4, 4, 4, 3, 3, 3, 9, 9, 9, 9, 9]) == [1, 1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.25, 0.25, 0.25]
    assert policy.memory == {"current_step": 2, "minimum_loss": 3, "iter_last_event": 9}


def test_plateau_remembers_its_minimum_in_single_precision_as_states_do():
    policy = make_policy(solver('base_lr: 1 lr_policy: "plateau" gamma: 0.5 plateau_winsize: 3'))
    losses(policy, [0.1, 0.1 - 1e-12])
    assert policy.iter_last_event == 0 and policy.minimum_loss == float(np.float32(0.1))


def test_plateau_takes_huge_losses():
    policy = make_policy(solver('base_lr: 1 lr_policy: "plateau" gamma: 0.5 plateau_winsize: 2'))
    assert losses(policy, [1e300] * 4) == [1, 1, 0.5, 0.5] and policy.minimum_loss == NO_LOSS


def test_multifixed_does_without_base_lr():
    assert make_policy(solver('lr_policy: "multifixed" stagelr: 0.25 stageiter: 3')).rate(100) == 0.25


def test_rates_have_the_bits_of_single_precision():
    """inv at iteration 3 as Caffe computes it: each of product, sum, power and product in float32."""
    f = np.float32
    want = f(0.03907) * f(float(f(1) + f(0.1) * f(3)) ** -0.75)
    assert make_policy(solver('base_lr: 0.03907 lr_policy: "inv" gamma: 0.1 power: 0.75')).rate(3) == float(want)


def test_sigmoid_does_not_overflow_far_out():
    policy = make_policy(solver('base_lr: 1 lr_policy: "sigmoid" gamma: -100 stepsize: 5'))
    assert policy.rate(0) == 1
    assert policy.rate(100000) == 0


@pytest.mark.parametrize("text, field, word", [
    ('lr_policy: "fixed"', "base_lr", "missing"),
    ("base_lr: 1", "lr_policy", "fixed"),
    ('base_lr: 1 lr_policy: "stp"', "lr_policy", "step"),
    ('base_lr: 1 lr_policy: "step" gamma: 0.1', "stepsize", "missing"),
    ('base_lr: 1 lr_policy: "step" gamma: 0.1 stepsize: 0', "stepsize", "above 0"),
    ('base_lr: 1 lr_policy: "step" stepsize: 10', "gamma", "missing"),
    ('base_lr: 1 lr_policy: "exp"', "gamma", "missing"),
    ('base_lr: 1 lr_policy: "inv" gamma: 1', "power", "missing"),
    ('base_lr: 1 lr_policy: "inv" power: 1', "gamma", "missing"),
    ('base_lr: 1 lr_policy: "poly" power: 1', "max_iter", "missing"),
    ('base_lr: 1 lr_policy: "poly" power: 1 max_iter: 0', "max_iter", "above 0"),
    ('base_lr: 1 lr_policy: "poly" max_iter: 5', "power", "missing"),
    ('base_lr: 1 lr_policy: "multistep" gamma: 1', "stepvalue", "missing"),
    ('base_lr: 1 lr_policy: "multistep" gamma: 1 stepvalue: 5 stepvalue: 4', "stepvalue", "ascending"),
    ('base_lr: 1 lr_policy: "multistep" gamma: 1 stepvalue: -5', "stepvalue", "ascending"),
    ('base_lr: 1 lr_policy: "multifixed" stageiter: 1', "stagelr", "missing"),
    ('base_lr: 1 lr_policy: "multifixed" stagelr: 1', "stageiter", "missing"),
    ('base_lr: 1 lr_policy: "multifixed" stagelr: 1 stageiter: 1 stageiter: 2', "stagelr", "1 rates for 2"),
    ('base_lr: 1 lr_policy: "multifixed" stagelr: nan stageiter: 1', "stagelr", "finite"),
    ('base_lr: 1 lr_policy: "multifixed" stagelr: 1 stagelr: 1 stageiter: 2 stageiter: 1', "stageiter", "ascending"),
    ('base_lr: 1 lr_policy: "plateau" gamma: 1', "plateau_winsize", "missing"),
    ('base_lr: 1 lr_policy: "plateau" plateau_winsize: 1', "gamma", "missing"),
    ('base_lr: 1 lr_policy: "plateau" gamma: 1 plateau_winsize: 0', "plateau_winsize", "above 0"),
    ('base_lr: 1 lr_policy: "sigmoid" gamma: 1', "stepsize", "missing"),
    ('base_lr: 1 lr_policy: "sigmoid" stepsize: 1', "gamma", "missing"),
])
def test_missing_and_bad_settings_are_named_with_a_way_out(text, field, word):
    with pytest.raises(SolverError) as e:
        make_policy(solver(text))
    assert e.value.field == field
    assert word in str(e.value)
    assert e.value.fix


def test_a_rate_that_grows_out_of_bounds_is_an_error():
    policy = make_policy(solver('base_lr: 1 lr_policy: "exp" gamma: 10'))
    with pytest.raises(SolverError, match="not finite"):
        policy.rate(100000)
