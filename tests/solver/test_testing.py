"""Tests of nets: means over batches, shared out over ranks, done whole or not at all."""
from __future__ import annotations

import logging

import numpy as np
import pytest

from caffempi.errors import SolverError
from caffempi.net import TEST, Net
from caffempi.solver.exchange import STOP, LocalExchange
from caffempi.solver.report import Report
from caffempi.solver.testing import run_test
from caffempi.solver.testing import test_all as run_all
from tests.helpers.loopback import all_good
from tests.helpers.task import make_task


def net(folder, rank=0, ranks=1):
    make_task(folder, extra="")
    return Net(str(folder / "net.prototxt"), TEST, seed=1, rank=rank, ranks=ranks)


@pytest.mark.parametrize("batches", [1, 5, 9])
def test_scores_are_the_mean_over_batches(tmp_path, batches):
    plain, n = net(tmp_path), net(tmp_path)
    outputs = [{k: v.copy() for k, v in plain.forward().items()} for _ in range(batches)]
    scores = run_test(n, batches, LocalExchange())
    for name in ("accuracy", "loss"):
        assert scores.outputs[name] == pytest.approx(np.mean([o[name] for o in outputs], dtype=np.float64), rel=1e-12)
    assert scores.loss == pytest.approx(float(scores.outputs["loss"]), rel=1e-6)
    assert n.feeds["data"].position() == batches * 3


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("batches", [1, 4, 7])
def test_ranks_together_score_as_one_to_the_bit_and_stand_at_the_same_record(tmp_path, ranks, batches):
    one = net(tmp_path)
    alone = [run_test(one, batches, LocalExchange()) for _ in range(2)]

    def work(exchange):
        n = net(tmp_path / str(exchange.rank), exchange.rank, ranks)
        return [run_test(n, batches, exchange) for _ in range(2)], n.feeds["data"].position()
    for scores, position in all_good(ranks, work):
        assert position == one.feeds["data"].position()
        for mine, expected in zip(scores, alone, strict=True):
            assert mine.outputs["accuracy"] == expected.outputs["accuracy"]
            np.testing.assert_allclose(mine.outputs["loss"], expected.outputs["loss"], rtol=1e-12)


def test_a_stop_leaves_all_nets_where_they_stood(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")
    nets = [net(tmp_path), net(tmp_path)]
    run_test(nets[0], 2, LocalExchange())
    polls = iter([0, 0, 0, 0, STOP])
    done = run_all(nets, [2, 4], LocalExchange(), Report(True), 7, requests=lambda: next(polls))
    assert not done
    assert [n.feeds["data"].position() for n in nets] == [6, 0]
    messages = [r.getMessage() for r in caplog.records]
    assert messages[0] == "Iteration 7, Testing net (#0)" and messages[-1] == "Test interrupted."
    assert "Iteration 7, Testing net (#1)" in messages


def test_one_ranks_stop_stops_all(tmp_path):
    def work(exchange):
        n = net(tmp_path / str(exchange.rank), exchange.rank, 2)
        polls = iter([0, STOP if exchange.rank else 0, 0, 0])
        return run_all([n], [8], exchange, Report(False), 0, requests=lambda: next(polls)), n.feeds["data"].position()
    assert all_good(2, work) == [(False, 0), (False, 0)]


def test_lines_of_a_whole_test(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")
    assert run_all([net(tmp_path)], [3], LocalExchange(), Report(True), 0, with_loss=True)
    lines = [r.getMessage() for r in caplog.records]
    assert lines[0] == "Iteration 0, Testing net (#0)"
    assert lines[1].startswith("Test loss: ")
    assert lines[2].startswith("    Test net output #0: accuracy = ")
    assert lines[3].startswith("    Test net output #1: loss = ") and "(* 1 = " in lines[3]


def test_an_output_of_changing_size_is_an_error(tmp_path):
    n = net(tmp_path)
    sizes, read = iter([(), (2,)]), n.read
    n.read = lambda name: np.zeros(next(sizes), np.float32) if name == "accuracy" else read(name)
    with pytest.raises(SolverError, match=r"accuracy.*\[\].*\[2\]"):
        run_test(n, 2, LocalExchange())


@pytest.mark.parametrize("ranks, batches", [(1, 3), (2, 5), (3, 2)])
def test_each_batchs_scores_are_told_in_order_on_every_rank(tmp_path, ranks, batches):
    one, told = net(tmp_path), []
    run_test(one, batches, LocalExchange(), each=lambda k, scores: told.append((k, scores.loss, scores.outputs["accuracy"])))
    assert [k for k, *_ in told] == list(range(batches))

    def work(exchange):
        mine = []
        n = net(tmp_path / str(exchange.rank), exchange.rank, ranks)
        run_test(n, batches, exchange, each=lambda k, scores: mine.append((k, scores.loss, scores.outputs["accuracy"])))
        return mine
    for mine in all_good(ranks, work):
        assert mine == told
