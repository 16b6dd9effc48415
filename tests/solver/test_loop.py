"""The parts of an iteration: passes, display, update, the look at the last loss."""
from __future__ import annotations

import logging

import numpy as np
import pytest

from caffempi.errors import SolverError
from caffempi.net import TRAIN, Net
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.loop import Loop
from caffempi.solver.report import Report
from caffempi.solver.settings import Settings
from tests.helpers.loopback import Loopback, LoopbackExchange, all_good
from tests.helpers.task import make_task


def make(folder, text="", exchange=None, **kw):
    settings = Settings(make_task(folder, text, **kw))
    exchange = exchange or LocalExchange()
    net = Net(settings.train.message, TRAIN, engine="numpy", seed=1, rank=exchange.rank, ranks=exchange.size)
    loop = Loop(net, settings, exchange, Report(exchange.rank == 0), keep=True)
    exchange.start(net.arena, {"digest": {}, "values": {}})
    return loop


@pytest.mark.parametrize("overlap", [True, False])
def test_buckets_are_ready_once_a_pass_or_only_after_the_last_one(tmp_path, overlap):
    exchange = LoopbackExchange(Loopback(1), 0)
    loop = make(tmp_path, f"iter_size: 3 layer_wise_reduce: {str(overlap).lower()}", exchange)
    assert loop.passes(5) is None
    begins = [line for line in exchange.log if line.startswith("begin")]
    ready = [f"ready {k}" for k in range(len(loop.net.arena.buckets))]
    assert begins == ["begin 5 False", "begin 5 False", "begin 5 True"]
    if overlap:
        assert exchange.log == [line for b in begins for line in (b, *ready)]
    else:
        assert exchange.log == [*begins, *ready]


def test_gradients_of_iter_size_passes_add_up_and_the_loss_is_their_mean(tmp_path):
    loop = make(tmp_path, "iter_size: 2", extra="")
    loop.passes(0)
    single = make(tmp_path, extra="")
    grads, losses = [], []
    for i in range(2):
        single.passes(i)
        grads.append(single.net.arena.grad.copy())
        losses.append(single.losses[-1])
    np.testing.assert_allclose(loop.net.arena.grad, sum(grads), rtol=1e-5, atol=1e-6)
    assert loop.losses[-1] == pytest.approx(np.mean(losses))


def test_the_shown_loss_is_the_mean_of_the_last_average_loss_iterations(tmp_path):
    loop = make(tmp_path, "average_loss: 3")
    assert loop.smoothed() == 0
    seen = []
    for i in range(5):
        loop.passes(i)
        seen.append(loop.losses[-1])
        assert loop.smoothed() == pytest.approx(np.mean(seen[-3:]))


def test_display_shows_means_over_ranks(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")

    def work(exchange):
        loop = make(tmp_path / str(exchange.rank), "display: 2", exchange)
        loop.passes(0)
        loop.show(1)
        loop.show(2)
        return loop.smoothed()
    losses = all_good(2, work)
    lines = [r.getMessage() for r in caplog.records]
    assert len(lines) == 2 and lines[0].startswith("Iteration 2 (") and "/2 iters), loss = " in lines[0]
    assert losses[0] != losses[1]
    assert float(lines[0].split("= ")[1]) == pytest.approx(np.mean(losses), rel=1e-5)
    assert float(lines[1].split("= ")[1].split()[0]) == pytest.approx(np.mean(losses), rel=1e-5)


@pytest.mark.parametrize("iter_size, bad", [(1, 0), (3, 1)])
def test_a_loss_that_is_not_finite_names_the_first_blob_and_passes_go_on(tmp_path, iter_size, bad):
    loop = make(tmp_path, f"iter_size: {iter_size}")
    calls = []
    run = loop.net.begin_pass

    def poisoned(add):
        if len(calls) == bad:
            loop.net.params["conv"][0].data[0, 0, 0, 0] = np.nan
        calls.append(add)
        return run(add)
    loop.net.begin_pass = poisoned
    error = loop.passes(7)
    assert isinstance(error, SolverError)
    for word in ("iteration 7", 'layer "conv"', 'blob "conv"', "base_lr"):
        assert word in str(error)
    assert calls == [k > 0 for k in range(iter_size)]


def test_a_gradient_that_is_not_finite_names_param_and_blob(tmp_path):
    loop = make(tmp_path)
    loop.passes(0)
    loop.net.arena.view(loop.net.arena.net_order[0], loop.net.arena.grad)[...] = np.inf
    loop.net.blobs["conv"].data[...] = np.nan
    with pytest.raises(SolverError, match=r'param conv/0 is not finite at iteration 0; .*blob "conv"'):
        loop.update(0)


def test_update_lines(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")
    loop = make(tmp_path, "display: 3 clip_gradients: 1e-3")
    for i in range(4):
        loop.passes(i)
        loop.update(i)
    lines = [r.getMessage() for r in caplog.records if "clipping" not in r.getMessage()]
    assert lines == ["Iteration 0, lr = 0.05", "MultiStep Status: Iteration 3, step = 1", "Iteration 3, lr = 0.025"]
    assert sum("Gradient clipping" in r.getMessage() for r in caplog.records) == 4


def test_the_last_loss_leaves_no_trace(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")
    loop = make(tmp_path, "display: 1 average_loss: 2")
    loop.passes(0)
    loop.update(0)
    net = loop.net

    def state():
        return [net.arena.data.tobytes(), net.arena.stat.tobytes(), net.run_ordinal, net.feeds["data"].position(),
                list(loop.losses)]
    before = state()
    loop.last_loss(1)
    assert state() == before
    assert caplog.records[-1].getMessage().startswith("Iteration 1, loss = ")
