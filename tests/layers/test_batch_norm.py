"""BatchNorm layer: its blobs, which form runs when, and its fields' limits."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"


@pytest.mark.parametrize("case", ["BatchNorm_02", "BatchNorm_03", "BatchNorm_05"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


def net(param="", extra="", shape=(4, 3, 2)):
    return one_layer(f'type: "BatchNorm" bottom: "x" top: "y" batch_norm_param {{ {param} }} {extra}', x=shape)


@pytest.mark.parametrize("phase,param,op", [
    ("TRAIN", "", "batch_norm"), ("TEST", "", "batch_norm_global"), ("TEST", "use_global_stats: false", "batch_norm"),
    ("TRAIN", "use_global_stats: true", "batch_norm_global")])
def test_phase_and_use_global_stats_choose_the_form(phase, param, op):
    assert [n.op for n in build(net(param), phase).nodes] == [op]


@pytest.mark.parametrize("shape,channels", [((4, 3, 2), 3), ((4, 3), 3), ((6,), 1)])
def test_three_statistics_that_are_not_learned(shape, channels):
    graph = build(net(shape=shape))
    assert [(p.spec.shape, p.stat, p.lr_mult) for p in graph.params] == [((c,), True, 0) for c in (channels, channels, 1)]
    assert not graph.layers[-1].need_backward


def test_fraction_and_eps_are_obeyed():
    x = np.array([[0.0], [2]])
    blobs, (mean, var, factor) = run(net("moving_average_fraction: 0.5 eps: 3", shape=(2, 1)), {"x": x}, [[8], [6], [4]])
    np.testing.assert_allclose(blobs["y"], [[-0.5], [0.5]])
    assert (mean, var, factor) == (5, 5, 3)
    blobs, _ = run(net("eps: 1", shape=(2, 1)), {"x": x}, [[8], [6], [2]], phase="TEST")
    np.testing.assert_allclose(blobs["y"], [[-2], [-1]])


def test_param_entries_must_have_rate_zero():
    assert build(net(extra="param { lr_mult: 0 } param { lr_mult: 0 } param { lr_mult: 0 }")).params[0].lr_mult == 0
    assert "param[0].lr_mult" in refused(net(extra="param { lr_mult: 1 }"))
    assert "param[1].lr_mult" in refused(net(extra="param { lr_mult: 0 } param { }"))


@pytest.mark.parametrize("param,words", [
    ("eps: -1", "batch_norm_param.eps = -1.0: must be at least 0"),
    ("moving_average_fraction: 1.5", "batch_norm_param.moving_average_fraction = 1.5: must be between 0 and 1")])
def test_refusals(param, words):
    assert words in refused(net(param)).replace("):", ":")
    assert "this one is a scalar" in refused(one_layer('type: "BatchNorm" bottom: "x" top: "y"', x=()))


@pytest.mark.parametrize("param", ["scale_bias: true", "scale_filler { value: 1 }", "bias_filler { }"])
@pytest.mark.parametrize("shape,learned", [((4, 3, 2), (3,)), ((4, 3), (3,)), ((6,), ())])
def test_nvcaffes_scale_and_bias_are_two_blobs_more(param, shape, learned):
    graph = build(net(param, shape=shape))
    assert [n.op for n in graph.nodes] == ["batch_norm", "scale", "bias"]
    assert [(p.spec.shape, p.stat) for p in graph.params[3:]] == [(learned, False)] * 2
    assert len(build(net("filler { value: 1 } bias_filler { }", shape=shape)).params) == 3      # Intel's, beside a Scale layer


def test_scale_and_bias_are_applied_after_the_normalisation():
    x = np.array([[0.0], [2]])
    blobs, _ = run(net("scale_bias: true eps: 0", shape=(2, 1)), {"x": x}, [[0], [0], [0], [5], [7]])
    np.testing.assert_allclose(blobs["y"], [[2], [12]])
    graph = build(net("scale_filler { value: 2 } bias_filler { value: 1 }", shape=(2, 1)))
    assert [p.filler.value for p in graph.params[3:]] == [2, 1]
    assert [p.filler.value for p in build(net("scale_bias: true", shape=(2, 1))).params[3:]] == [1, 0]
