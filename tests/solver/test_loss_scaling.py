"""Loss scaling: no bit changes where nothing overflows, what overflows is skipped, told and continued exactly."""
from __future__ import annotations

import logging
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import SolverError, UsageError, WeightsError
from caffempi.net.precision import LossScale
from caffempi.ops.graph import Param, Spec
from caffempi.ops.loss_scale import LossScaleAttrs
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter, SolverState
from caffempi.solver import loss_scaling
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.loss_scaling import LossScaling, Skipped
from caffempi.solver.rules import Terms, make_rule
from caffempi.solver.solver import Solver
from caffempi.solver.update import Updater
from tests.helpers.loopback import all_good
from tests.helpers.task import make_task


def limits(monkeypatch, **attrs):
    """Other attributes of the moving factor than a real training has."""
    monkeypatch.setattr(loss_scaling, "LossScaleAttrs", partial(LossScaleAttrs, **attrs))


def make(folder, text="", net="", **options):
    path = make_task(folder, text)
    own = (folder / "net.prototxt").read_text().replace('type: "SoftmaxWithLoss"', 'type: "SoftmaxWithLoss" loss_weight: 32')
    (folder / "net.prototxt").write_text(net + own)
    return Solver(path, **options)


def state(solver):
    a = solver.net.arena
    return [x.copy() for x in (a.data, *a.hist, a.stat)]


def skips(caplog):
    return [r.getMessage() for r in caplog.records if "skipped" in r.getMessage()]


@pytest.mark.parametrize("engine", ["numpy", "onednn"])
@pytest.mark.parametrize("text", ["", "iter_size: 2", "clip_gradients: 0.3", "larc: true larc_turbo: true",
                                  'type: "Adam" momentum2: 0.99'])
@pytest.mark.parametrize("optimised", [True, False])
def test_a_power_of_two_changes_no_bit(tmp_path, engine, text, optimised):
    runs = []
    for wish in ("none", "dynamic", 1024.0):
        solver = make(tmp_path, text, engine=engine, loss_scale=wish, optimised=optimised)
        solver.step(4)
        runs.append((state(solver), list(solver._loop.losses)))
    for other in runs[1:]:
        for a, b in zip(runs[0][0], other[0], strict=True):
            np.testing.assert_array_equal(a, b)
        assert other[1] == runs[0][1]


def test_nothing_is_looked_at_and_nothing_multiplied_without_a_wish(tmp_path):
    solver = make(tmp_path, engine="numpy")
    assert solver._loop.scaling is None and solver.net.plan.grads.factor is None
    assert not any(n.op == "scale_seed" for n in solver.net.plan.backward)


def test_a_scale_that_is_too_large_comes_down_and_nothing_else_moves_meanwhile(tmp_path, caplog):
    solver = make(tmp_path, net="global_grad_scale: 1e38 global_grad_scale_adaptive: true\n", engine="numpy", loss_scale="dynamic")
    before, seen = state(solver), []
    with caplog.at_level(logging.INFO, logger="caffempi"):
        while not seen or seen[-1] != solver._loop.scaling.scale:
            seen.append(solver._loop.scaling.scale)
            solver.step(1)
            if seen[-1] != solver._loop.scaling.scale:
                for a, b in zip(state(solver)[:2], before[:2], strict=True):
                    np.testing.assert_array_equal(a, b)
                assert not solver.net.arena.grad.any()         # the update values
    assert len(seen) > 2 and seen[0] == np.float32(1e38) and all(b == a / 2 for a, b in pairwise(seen))
    assert (state(solver)[0] != before[0]).any()
    assert skips(caplog)[0] == "Iteration 0: gradients are not finite, the update is skipped; loss scale 1e+38 -> 5e+37"
    assert len(skips(caplog)) == len(seen) - 1


@pytest.mark.parametrize("clip", ["", "clip_gradients: 0.3", "larc: true larc_turbo: true"])
def test_a_resumed_run_ends_with_the_same_bits(tmp_path, monkeypatch, clip):
    limits(monkeypatch, every=3)
    net = "global_grad_scale: 5e37 global_grad_scale_adaptive: true\n"
    whole = make(tmp_path / "a", f"{clip} snapshot: 5", net, engine="numpy", loss_scale="dynamic")
    whole.step(8)
    other = make(tmp_path / "b", clip, net, engine="numpy", loss_scale="dynamic")
    other.restore(f"{tmp_path}/a/snap_iter_5.solverstate")
    assert other._loop.scaling.scale < 5e37
    other.step(3)
    for a, b in zip(state(whole), state(other), strict=True):
        np.testing.assert_array_equal(a, b)
    assert (whole._loop.scaling.scale, whole._loop.scaling.good) == (other._loop.scaling.scale, other._loop.scaling.good)


def test_a_state_without_a_scale_starts_with_the_first_and_a_corrupt_one_is_refused(tmp_path):
    make(tmp_path / "a", "snapshot: 2", engine="numpy").step(2)
    other = make(tmp_path / "b", engine="numpy", loss_scale="dynamic")
    other.restore(f"{tmp_path}/a/snap_iter_2.solverstate")
    assert other._loop.scaling.scale == 65536
    bad = SolverState()
    bad.caffempi.loss_scale = -1
    with pytest.raises(WeightsError, match="loss scale of -1"):
        other._loop.take_from(bad)


def test_a_training_whose_every_update_is_skipped_is_one_error(tmp_path):
    wish = {"net": "global_grad_scale: 3e38 global_grad_scale_adaptive: true\n" , "engine": "numpy",
            "loss_scale": "dynamic"}
    short = make(tmp_path / "a", 'max_iter: 1', **wish)
    with pytest.raises(SolverError, match=r"nothing was learned: all 1 updates were skipped.*come down to 1.5e\+38"):
        short.solve()


def test_where_no_scale_does_the_error_names_the_iteration(tmp_path, monkeypatch):
    limits(monkeypatch, lowest=1e38)
    solver = make(tmp_path, net="global_grad_scale: 3e38 global_grad_scale_adaptive: true\n", engine="numpy", loss_scale="dynamic")
    with pytest.raises(SolverError, match="gradients are not finite at iteration 2, whatever the loss scale: the last 3 skipped"):
        solver.step(8)


@pytest.mark.parametrize("text", ["", "clip_gradients: 0.3"])
def test_a_fixed_scale_that_is_too_large_is_the_error_of_a_param_and_named_as_its_reason(tmp_path, text):
    solver = make(tmp_path, text, engine="numpy", loss_scale=3e38)
    with pytest.raises(SolverError, match=r"the gradient of param .* is not finite at iteration 0; lower the loss scale of 3e\+38"):
        solver.step(1)


def test_float64_takes_none(tmp_path):
    with pytest.raises(UsageError, match="losses are not scaled in float64"):
        make(tmp_path, engine="numpy", dtype="float64", loss_scale="dynamic")


def test_ranks_with_unlike_scales_do_not_start(tmp_path):
    def work(exchange):
        make(tmp_path / str(exchange.rank), exchange=exchange, engine="numpy", loss_scale=(8.0, "none")[exchange.rank]).step(1)

    with pytest.raises(AssertionError):                        # what a real exchange tells by name
        all_good(2, work)


def arena(grads):
    params = [Param(f"l{k}", 0, Spec((n,))) for k, n in enumerate((5, 40))]
    made = ParamArena(params, params, "float32", first_bucket=64, bucket=64, engine=NumpyEngine())
    made.data[...] = 1
    made.grad[...] = grads
    return made


@pytest.mark.parametrize("bad, told", [((1,), [1]), ((0, 2), [0, 2]), ((), [])])
def test_all_ranks_decide_alike_and_are_told_whose_gradients_are_at_fault(bad, told):
    def work(exchange):
        a = arena(8.0)
        exchange.start(a, {"digest": {}, "values": {}})
        p = SolverParameter(type="SGD", base_lr=1, momentum=0.5)
        factor = np.zeros((), np.float32)
        scaling = LossScaling(a, factor, LossScale(8, True))
        updater = Updater(a, a.engine, make_rule(p), p, True, scaling)
        if exchange.rank in bad:
            a.grad[-1] = np.inf if exchange.rank else np.nan
        for k, _ in enumerate(a.buckets):
            scaling.look(*a.buckets[k], own=True)
        updater.apply(exchange, Terms(0, 1, 0.5))
        assert scaling.settle(exchange, 1) == []
        return a.data[:5].copy(), float(factor), scaling.settle(exchange, 0)

    results = all_good(3, work)
    for data, factor, found in results:
        assert (data == (1 if bad else 0)).all()
        assert factor == (4 if bad else 8)
        assert found == ([Skipped(0, 8, 4, told)] if bad else [])


def test_settle_leaves_the_newest(tmp_path):
    a = arena(np.inf)
    scaling = LossScaling(a, np.zeros((), np.float32), LossScale(8, True))
    wanted, terms = np.ones((1, 4), np.float32), np.zeros((1, 4), np.float32)
    for iteration in range(3):
        list(scaling.watched([(0, a.size)]))
        scaling.decide(iteration, wanted, terms)
    assert [s.iteration for s in scaling.settle(LocalExchange(), 1)] == [0, 1]
    assert scaling.settle(LocalExchange(), 0) == [Skipped(2, 2, 1, [])] and scaling.skips == 3
