"""What is kept for an exact continuation, and what is said where it cannot be exact."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import WeightsError
from caffempi.net import TEST, TRAIN, Net
from caffempi.proto import caffe_pb2
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.resume import collect, give_back, head_of, own_statistics
from caffempi.weights import State
from tests.helpers.loopback import all_good
from tests.helpers.task import make_task


def nets(folder, rank=0, ranks=1):
    make_task(folder)
    path = str(folder / "net.prototxt")
    return Net(path, TRAIN, seed=4, rank=rank, ranks=ranks), [Net(path, TEST, seed=4, rank=rank, ranks=ranks) for _ in range(2)]


def test_positions_counters_and_losses_go_there_and_back(tmp_path):
    net, tests = nets(tmp_path)
    for n, times in ((net, 3), (tests[1], 2)):
        for _ in range(times):
            n.run_forward()
    message = collect(99, net, tests, [1.5, 2.5], LocalExchange())
    assert (message.seed, message.run_ordinal, message.ranks) == (99, 3, 1)
    assert list(message.loss_window) == [1.5, 2.5]
    assert [(d.layer, d.phase, d.net, d.records) for d in message.data] == [
        ("data", caffe_pb2.TRAIN, 0, 12), ("data", caffe_pb2.TEST, 0, 0), ("data", caffe_pb2.TEST, 1, 6)]
    assert not message.net_state
    other, others = nets(tmp_path)
    assert give_back(message, other, others, LocalExchange()) == []
    assert other.run_ordinal == 3
    assert [n.feeds["data"].position() for n in (other, *others)] == [12, 0, 6]
    np.testing.assert_array_equal(other.forward()["loss"], net.forward()["loss"])


def test_a_missing_position_and_another_number_of_ranks_are_told(tmp_path):
    net, _ = nets(tmp_path)
    notes = give_back(caffe_pb2.ResumeState(ranks=2), net, [], LocalExchange())
    assert "data layer \"data\"" in notes[0]
    assert "2 ranks" in notes[1] and "goes on with 1" in notes[1]


def test_an_impossible_position_is_an_error(tmp_path):
    net, _ = nets(tmp_path)
    bad = caffe_pb2.ResumeState(ranks=1)
    bad.data.add(layer="data", records=(1 << 64) - 1)
    with pytest.raises(WeightsError, match="corrupt"):
        give_back(bad, net, [], LocalExchange())


def test_each_rank_gets_its_own_statistics_back(tmp_path):
    def work(exchange):
        net, _ = nets(tmp_path / str(exchange.rank), exchange.rank, 2)
        net.run_forward()
        message = collect(1, net, [], [float(exchange.rank)], exchange)
        assert list(message.loss_window) == [0.5]
        net.run_forward()
        return net.arena.stat.copy(), message.SerializeToString(), own_statistics(message, net, exchange)
    (_, first, a), (_, second, b) = all_good(2, work)
    assert first == second
    assert not np.array_equal(a, b)

    def again(exchange):
        net, _ = nets(tmp_path / str(exchange.rank), exchange.rank, 2)
        net.run_forward()
        return net.arena.stat.copy()
    for stat, kept in zip(all_good(2, again), (a, b), strict=True):
        np.testing.assert_array_equal(stat, kept)


def test_statistics_are_the_files_where_ranks_differ_and_corrupt_ones_an_error(tmp_path):
    def work(exchange):
        net, _ = nets(tmp_path / str(exchange.rank), exchange.rank, 2)
        assert own_statistics(caffe_pb2.ResumeState(ranks=1), net, exchange) is None
        with pytest.raises(WeightsError, match="0 ranks"):
            own_statistics(caffe_pb2.ResumeState(ranks=2), net, exchange)
        bad = caffe_pb2.ResumeState(ranks=2)
        for _ in range(2):
            bad.net_state.add().data.extend([1.0])
        with pytest.raises(WeightsError, match="1 statistics a rank"):
            own_statistics(bad, net, exchange)
    all_good(2, work)


def test_the_head_of_a_state_has_all_but_the_history():
    state = State(7, "x", 2, [np.ones(3)], caffe_pb2.ResumeState(seed=5))
    head = caffe_pb2.SolverState.FromString(head_of(state))
    assert (head.iter, head.current_step, head.caffempi.seed, len(head.history)) == (7, 2, 5, 0)
    assert not caffe_pb2.SolverState.FromString(head_of(State(7, "x", 2))).HasField("caffempi")
    assert head_of(None) == b""
