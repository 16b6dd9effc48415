"""Warm-up, ramp-up, floors, momentum and decay over time, against plain transcriptions; and what is refused."""
from __future__ import annotations

import pytest
from google.protobuf import text_format

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.schedule import Schedule


def make(text: str) -> Schedule:
    return Schedule(text_format.Parse(text, SolverParameter()))


FIXED = 'base_lr: 0.5 lr_policy: "fixed" '


@pytest.mark.parametrize("text, rates", [
    (FIXED, [0.5] * 6),
    (FIXED + "warmup_iter: 4 warmup_start_lr: 0.1", [0.1, 0.2, 0.3, 0.4, 0.5, 0.5]),
    (FIXED + "warmup_iter: 4", [0, 0.125, 0.25, 0.375, 0.5, 0.5]),
    (FIXED + "warmup_iter: 2 warmup_start_lr: 1.5", [1.5, 1, 0.5, 0.5]),                  # down works as well
    (FIXED + "rampup_interval: 4", [0, 0.5 / 16, 0.5 / 4, 0.5 * 9 / 16, 0.5, 0.5]),
    (FIXED + "rampup_interval: 2 rampup_lr: 0.1", [0.1, 0.2, 0.5, 0.5]),
    (FIXED + "rampup_interval: 4 min_lr: 0.1", [0.1, 0.1, 0.125, 0.5 * 9 / 16, 0.5]),      # the floor holds there too
    ('base_lr: 1 lr_policy: "step" gamma: 0.5 stepsize: 2 warmup_iter: 3', [0, 1 / 3, 2 / 3, 0.5, 0.25, 0.25]),
    ('base_lr: 1 lr_policy: "step" gamma: 0.5 stepsize: 1 min_lr: 0.3', [1, 0.5, 0.3, 0.3]),
    ('base_lr: 1 lr_policy: "poly" power: 1 max_iter: 4 min_lr: 0.2', [1, 0.8, 0.6, 0.4, 0.2, 0.2]),
    ('base_lr: -1 lr_policy: "fixed"', [-1, -1]),                                         # no min_lr: no floor
    ('base_lr: 1 lr_policy: "multifixed" stagelr: 2 stageiter: 9 warmup_iter: 2', [0, 0.5, 2, 2]),
])
def test_rates(text, rates):
    schedule = make(text)
    for i, rate in enumerate(rates):
        assert schedule.rate(i) == pytest.approx(rate, rel=1e-6)
        assert schedule.advance(i).rate == schedule.rate(i)


def test_a_policy_with_memory_rests_during_the_warm_up_and_then_catches_up():
    schedule = make('base_lr: 1 lr_policy: "multistep" gamma: 0.5 stepvalue: 1 stepvalue: 2 warmup_iter: 4')
    assert [schedule.advance(i).rate for i in range(7)] == [0, 0.25, 0.5, 0.75, 0.5, 0.25, 0.25]


def test_plateau_does_not_look_at_losses_of_the_warm_up():
    schedule = make('base_lr: 1 lr_policy: "plateau" gamma: 0.5 plateau_winsize: 2 warmup_iter: 3')
    rates = [schedule.advance(i, loss).rate for i, loss in enumerate([1, 1, 1, 5, 5, 5, 5])]
    assert rates[3:] == [1, 1, 0.5, 0.5] and schedule.policy.minimum_loss == 5


@pytest.mark.parametrize("text, values", [
    ("momentum: 0.5", [0.5] * 4),
    ('momentum: 0.5 momentum_policy: "poly" max_momentum: 0.9', [0.5, 0.6, 0.7, 0.8, 0.9, 0.9]),
    ('momentum: 0.5 momentum_policy: "poly" max_momentum: 0.9 momentum_power: 2', [0.5, 0.525, 0.6, 0.725, 0.9, 0.9]),
    ('momentum_policy: "poly"', [0, 0.99 / 4]),
    ('momentum_policy: "opt"', [(1 - 0.5 ** 0.5 / 2) ** 2] * 2),
    ('momentum_policy: "opt" max_momentum: 0.25', [0.25] * 2),
])
@pytest.mark.parametrize("rule", ["SGD", "Nesterov"])
def test_momentum(text, values, rule):
    schedule = make(FIXED + f'max_iter: 4 type: "{rule}" ' + text)
    assert [schedule.advance(i).momentum for i in range(len(values))] == pytest.approx(values, rel=1e-6)


def test_opt_follows_the_rate_of_the_moment():
    schedule = make('base_lr: 1 lr_policy: "step" gamma: 0.25 stepsize: 1 momentum_policy: "opt"')
    assert [schedule.advance(i).momentum for i in range(3)] == pytest.approx([0.25, 0.5625, 0.875 ** 2], rel=1e-6)


@pytest.mark.parametrize("rule, corrected", [("SGD", True), ("Nesterov", True), ("Adam", False), ("AdaDelta", False)])
def test_momentum_is_corrected_where_the_memory_holds_rates_and_only_in_the_warm_up(rule, corrected):
    schedule = make(FIXED + f'type: "{rule}" momentum: 0.5 warmup_iter: 4 warmup_start_lr: 0.1')
    factors = [1, 2, 3 / 2, 4 / 3, 1, 1] if corrected else [1] * 6
    assert [schedule.advance(i).momentum for i in range(6)] == pytest.approx([0.5 * f for f in factors], rel=1e-6)


def test_a_warm_up_from_0_has_nothing_to_correct_at_first():
    schedule = make(FIXED + "momentum: 0.5 warmup_iter: 4")
    assert [schedule.advance(i).momentum for i in range(4)] == pytest.approx([0.5, 0.5, 1, 0.75], rel=1e-6)


@pytest.mark.parametrize("text, values", [
    ("weight_decay: 0.125", [0.125] * 3),
    ('weight_decay: 0.1 weight_decay_policy: "poly" max_weight_decay: 0.5', [0.1, 0.2, 0.3, 0.4, 0.5, 0.5]),
    ('weight_decay: 0.5 weight_decay_policy: "poly" weight_decay_power: 2', [0.5, 0.5 * 15 / 16, 0.375, 0.5 * 7 / 16, 0]),
])
def test_weight_decay(text, values):
    schedule = make(FIXED + "max_iter: 4 " + text)
    assert [schedule.advance(i).weight_decay for i in range(len(values))] == pytest.approx(values, rel=1e-6)


@pytest.mark.parametrize("text, field, words", [
    ("warmup_iter: 5 rampup_interval: 5", "rampup_interval", "both"),
    ("warmup_start_lr: 0.1", "warmup_start_lr", "warmup_iter is missing"),
    ("rampup_lr: 0.1", "rampup_lr", "rampup_interval is missing"),
    ('momentum_policy: "step"', "momentum_policy", "opt"),
    ('weight_decay_policy: "opt"', "weight_decay_policy", "fixed, poly"),
    ('momentum_policy: "poly"', "max_iter", "needs it"),
    ('weight_decay_policy: "poly"', "max_iter", "needs it"),
    ('type: "Adam" momentum_policy: "poly" max_iter: 5', "momentum_policy", "SGD or Nesterov"),
    ('type: "AdaGrad" momentum_policy: "opt"', "momentum_policy", "SGD or Nesterov"),
])
def test_what_cannot_be_obeyed_is_refused(text, field, words):
    with pytest.raises(SolverError, match=words) as e:
        make(FIXED + text)
    assert e.value.field == field and e.value.fix


@pytest.mark.parametrize("text, field", [
    ('base_lr: 0.1 min_lr: 0.2 lr_policy: "poly" power: 1 max_iter: 5', "min_lr"),
    ('warmup_iter: 5 lr_policy: "multifixed" stagelr: 2 stageiter: 9', "base_lr"),
    ('rampup_interval: 5 lr_policy: "multifixed" stagelr: 2 stageiter: 9', "base_lr"),
    ('base_lr: 1 lr_policy: "steep"', "lr_policy"),
])
def test_settings_that_contradict_each_other_are_refused(text, field):
    with pytest.raises(SolverError) as e:
        make(text)
    assert e.value.field == field
