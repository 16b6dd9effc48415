"""What is kept for an exact continuation, and what is said where it cannot be exact."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import WeightsError
from caffempi.net import TEST, TRAIN, Net
from caffempi.proto import caffe_pb2
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.resume import collect, give_back, head_of, kept, own_statistics
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
    for stat, given in zip(all_good(2, again), (a, b), strict=True):
        np.testing.assert_array_equal(stat, given)


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


RECURRENT = """
layer {{ name: "data" type: "HDF5Data" top: "x" top: "cont" top: "y" hdf5_data_param {{ source: "{0}/list.txt" batch_size: 3 }} }}
layer {{ name: "lstm" type: "LSTM" bottom: "x" bottom: "cont" top: "h"
  recurrent_param {{ num_output: 4 weight_filler {{ type: "uniform" min: -0.5 max: 0.5 }} }} }}
layer {{ name: "ip" type: "InnerProduct" bottom: "h" top: "ip" inner_product_param {{ num_output: 1 axis: 2 weight_filler {{ type: "xavier" }} }} }}
layer {{ name: "loss" type: "EuclideanLoss" bottom: "ip" bottom: "y" top: "loss" }}
"""


def test_hidden_states_are_part_of_what_is_resumed(tmp_path):
    """A net whose LSTM carries its state from batch to batch, in training and in tests, goes on to the same bits."""
    import h5py

    import caffempi
    rng = np.random.default_rng(1)
    with h5py.File(tmp_path / "d.h5", "w") as f:
        f["x"], f["cont"] = rng.standard_normal((12, 2, 3)).astype("f4"), np.ones((12, 2), "f4")
        f["y"] = rng.standard_normal((12, 2, 1)).astype("f4")
    (tmp_path / "list.txt").write_text(f"{tmp_path}/d.h5\n")
    (tmp_path / "net.prototxt").write_text(RECURRENT.format(tmp_path))
    path = tmp_path / "solver.prototxt"
    path.write_text(f'net: "{tmp_path}/net.prototxt" base_lr: 0.1 lr_policy: "fixed" momentum: 0.9 max_iter: 9 random_seed: 2 '
                    f'snapshot_prefix: "{tmp_path}/s" test_iter: 2 test_interval: 2')

    def bits(solver):
        return [solver.net.arena.data.copy(), *(a.copy() for a in kept([solver.net, *solver.test_nets]))]
    whole = caffempi.get_solver(str(path))
    whole.step(9)
    assert any(a.any() for a in kept([whole.net])) and len(kept([whole.net, *whole.test_nets])) == 4
    cut = caffempi.get_solver(str(path))
    cut.step(5)
    cut.snapshot()
    resumed = caffempi.get_solver(str(path))
    resumed.restore(str(tmp_path / "s_iter_5.solverstate"))
    resumed.step(4)
    for got, want in zip(bits(resumed), bits(whole), strict=True):
        np.testing.assert_array_equal(got, want)
