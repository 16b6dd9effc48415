"""Training as a whole: the original's runs, exact continuation, requests, snapshots, failures, one rank and several."""
from __future__ import annotations

import glob
import logging
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from caffempi.errors import CaffempiError, SnapshotError, SolverError, WeightsError
from caffempi.proto import caffe_pb2
from caffempi.solver.exchange import SNAPSHOT, STOP, LocalExchange
from caffempi.solver.named import SGDSolver, get_solver
from caffempi.solver.share import AgreedError
from caffempi.solver.solver import Solver
from caffempi.weights import read_state, read_weights
from tests.helpers.loopback import all_good, run_ranks
from tests.helpers.task import make_task

GOLDEN = sorted((Path(__file__).parent.parent / "golden" / "solvers").glob("run_*"))
TESTED = "test_interval: 3 test_iter: 4 test_initialization: true "


@pytest.mark.parametrize("folder", GOLDEN, ids=lambda f: f.name)
@pytest.mark.parametrize("optimised", [False, True])
def test_params_follow_the_originals_after_every_iteration_and_from_its_snapshot(folder, optimised, tmp_path, monkeypatch):
    for f in folder.iterdir():
        shutil.copy(f, tmp_path)
    monkeypatch.chdir(tmp_path)
    case = np.load("run.npz")
    names = {k.split("/", 1)[1] for k in case.files if k.startswith("init/")}
    steps = 1 + max(int(k.split("/")[0][5:]) for k in case.files if k.startswith("step_"))

    def check(solver, i):
        for name in names:
            layer, k = name.rsplit("/", 1)
            want = case[f"step_{i}/{name}"]
            np.testing.assert_allclose(solver.net.params[layer][int(k)].data, want, rtol=0,
                                       atol=2e-4 * max(1, np.abs(want).max()), err_msg=f"iteration {i + 1}: {name}")
    solver = get_solver("solver.prototxt", optimised=optimised)
    for name in names:
        layer, k = name.rsplit("/", 1)
        solver.net.params[layer][int(k)].data[...] = case[f"init/{name}"]
    for i in range(steps):
        solver.step(1)
        check(solver, i)
    if "batch_size: 12" in Path("net.prototxt").read_text():    # all data in one batch: its position does not matter
        solver = get_solver("solver.prototxt", optimised=optimised)
        solver.restore(glob.glob("snap_iter_4.solverstate*")[0])
        assert solver.iter == 4
        for i in range(4, steps):
            solver.step(1)
            check(solver, i)


def bits(solver):
    """All that training has changed."""
    arena = solver.net.arena
    feeds = [n.feeds["data"].position() for n in (solver.net, *solver.test_nets)]
    return [arena.data.tobytes(), arena.stat.tobytes(), *(h.tobytes() for h in arena.hist), solver.net.run_ordinal, solver.iter,
            solver._loop.policy.memory, feeds]


class Asks:
    """Asks for `what` at the n-th poll."""

    def __init__(self, n, what):
        self.n, self.what, self.polls = n, what, 0

    def __call__(self):
        self.polls += 1
        return self.what if self.polls == self.n + 1 else 0


def last_state(folder):
    return max(glob.glob(f"{folder}/snap_iter_*.solverstate*"), key=lambda p: int(p.split("_iter_")[1].split(".")[0]))


def drop_seed(path):
    text = Path(path).read_text()
    Path(path).write_text("\n".join(line for line in text.splitlines() if "random_seed" not in line))


@pytest.mark.parametrize("poll", range(0, 20, 2))
@pytest.mark.parametrize("fmt", ["BINARYPROTO", "HDF5"])
def test_a_run_stopped_anywhere_and_resumed_ends_with_the_same_bits(tmp_path, poll, fmt):
    text = TESTED + f"iter_size: 2 average_loss: 3 clip_gradients: 5 snapshot_format: {fmt} display: 2"
    whole = Solver(make_task(tmp_path / "whole", text))
    whole.solve()
    path = make_task(tmp_path / "cut", text)
    stopped = Solver(path, requests=Asks(poll, STOP))
    stopped.solve()
    assert stopped.iter < 8
    resumed = Solver(path)
    resumed.solve(last_state(tmp_path / "cut"))
    assert bits(resumed) == bits(whole)
    assert list(resumed._loop.losses) == list(whole._loop.losses)


def test_stopping_covers_all_tests_and_iterations(tmp_path):
    """The polls above: 4 batches of each of the tests at 0, 3 and 6, and one of each iteration, 20 in all."""
    asks = Asks(1000, STOP)
    Solver(make_task(tmp_path, TESTED), requests=asks).solve()
    assert asks.polls == 20


@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("poll", [0, 2, 4, 9])
def test_several_ranks_resume_to_the_same_bits_each(tmp_path, ranks, poll):
    text = TESTED + "iter_size: 2"

    def run(name, requests=lambda rank: lambda: 0, resume=None):
        def work(exchange):
            path = make_task(tmp_path / name, text) if exchange.rank == 0 else f"{tmp_path}/{name}/solver.prototxt"
            exchange.vote(0)
            solver = Solver(path, exchange=exchange, requests=requests(exchange.rank))
            solver.solve(resume)
            return bits(solver)
        return all_good(ranks, work)
    whole = run("whole")
    cut = run("cut", lambda rank: Asks(poll, STOP) if rank == ranks - 1 else lambda: 0)
    assert len({b[-3] for b in cut}) == 1 and cut[0][-3] < 8
    resumed = run("cut", resume=last_state(tmp_path / "cut"))
    assert resumed == whole
    assert len({b[0] for b in whole}) == 1                      # params alike on all ranks
    assert len({b[1] for b in whole}) == ranks                  # statistics are each rank's own


def test_a_seed_from_the_clock_is_taken_from_the_state(tmp_path):
    path = make_task(tmp_path, "snapshot: 4")
    drop_seed(path)
    whole = Solver(path)
    whole.solve()
    resumed = Solver(path)
    assert resumed._seed != whole._seed
    resumed.solve(f"{tmp_path}/snap_iter_4.solverstate")
    assert bits(resumed) == bits(whole)


def test_snapshots_and_tests_do_not_change_the_training(tmp_path):
    plain = Solver(make_task(tmp_path / "a"))
    plain.solve()
    busy = Solver(make_task(tmp_path / "b", TESTED + "snapshot: 2 display: 1"), requests=Asks(5, SNAPSHOT))
    busy.solve()
    assert bits(plain)[:4] == bits(busy)[:4]


def test_two_ranks_are_one_with_twice_the_batch(tmp_path):
    path = make_task(tmp_path, extra="", batch=4)
    one = Solver(path, dtype="float64")
    one.step(6)

    def work(exchange):
        solver = Solver(path, dtype="float64", exchange=exchange, batch="global")
        solver.step(6)
        return solver.net.arena.data.copy()
    for data in all_good(2, work):
        np.testing.assert_allclose(data, one.net.arena.data, rtol=0, atol=1e-10 * np.abs(one.net.arena.data).max())


def test_log_of_a_training_is_caffes(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")
    solver = get_solver(make_task(tmp_path, TESTED + "display: 4 snapshot: 6 test_compute_loss: true"))
    solver.solve()
    lines = [r.getMessage() for r in caplog.records]
    plain = [line for line in lines if not line.startswith(("    T", "Test loss"))]
    heads = [line.split(" (")[0] if line.startswith("Iteration") and "iter/s" in line else line.split(", loss = ")[0]
             for line in plain]
    snap = f"{tmp_path}/snap_iter"
    assert heads == [
        f"Creating training net specified by net file: {tmp_path}/net.prototxt",
        f"Creating test net (#0) specified by net file: {tmp_path}/net.prototxt",
        "Engine: " + solver.net.plan.engine.name, "Solver scaffolding done.", "Solving small",
        "Learning Rate Policy: multistep", "Batch: 4 records an update",
        "Iteration 0, Testing net (#0)", "Iteration 0", "Iteration 0, lr = 0.05",
        "Iteration 3, Testing net (#0)", "MultiStep Status: Iteration 3, step = 1", "Iteration 4", "Iteration 4, lr = 0.025",
        f"Snapshotting to binary proto file {snap}_6.caffemodel",
        f"Snapshotting solver state to binary proto file {snap}_6.solverstate",
        "Iteration 6, Testing net (#0)", "MultiStep Status: Iteration 6, step = 2",
        f"Snapshotting to binary proto file {snap}_8.caffemodel",
        f"Snapshotting solver state to binary proto file {snap}_8.solverstate",
        "Iteration 8", "Optimization Done."]
    assert sum(line.startswith("    Test net output #0: accuracy = ") for line in lines) == 3
    assert sum(line.startswith("    Train net output #0: loss = ") for line in lines) == 2
    assert sum(line.startswith("Test loss: ") for line in lines) == 3


@pytest.mark.parametrize("text, files", [
    ("", ["8"]), ("snapshot: 4", ["4", "8"]), ("snapshot: 3", ["3", "6", "8"]), ("snapshot_after_train: false", []),
    ("snapshot: 5 snapshot_after_train: false", ["5"])])
def test_which_snapshots_there_are(tmp_path, text, files):
    Solver(make_task(tmp_path, text)).solve()
    assert sorted(p.name for p in tmp_path.glob("snap_*")) == sorted(
        f"snap_iter_{n}.{kind}" for n in files for kind in ("caffemodel", "solverstate"))


def test_a_request_for_a_snapshot_is_met_at_the_iterations_end_once(tmp_path):
    solver = Solver(make_task(tmp_path), requests=Asks(2, SNAPSHOT))
    solver.step(5)
    assert [p.name for p in tmp_path.glob("*.solverstate")] == ["snap_iter_3.solverstate"]
    assert solver.iter == 5


def test_a_request_inside_a_test_waits_for_the_iterations_end(tmp_path):
    solver = Solver(make_task(tmp_path, TESTED), requests=Asks(1, SNAPSHOT))
    solver.step(2)
    assert [p.name for p in tmp_path.glob("*.solverstate")] == ["snap_iter_1.solverstate"]


def test_files_hold_weights_history_and_update_values(tmp_path):
    solver = Solver(make_task(tmp_path, "snapshot_diff: true"), optimised=True)
    solver.step(2)
    assert solver.snapshot() == f"{tmp_path}/snap_iter_2.caffemodel"
    state = read_state(f"{tmp_path}/snap_iter_2.solverstate")
    assert (state.iter, state.current_step, state.learned_net) == (2, 0, f"{tmp_path}/snap_iter_2.caffemodel")
    weights = read_weights(state.learned_net)
    np.testing.assert_array_equal(weights["conv"][0], solver.net.params["conv"][0].data)
    np.testing.assert_array_equal(state.history[0], solver.net.params["conv"][0].diff)     # SGD: the update is h
    net = caffe_pb2.NetParameter.FromString(Path(state.learned_net).read_bytes())
    conv = next(layer for layer in net.layer if layer.name == "conv")
    np.testing.assert_array_equal(np.array(conv.blobs[0].diff, np.float32), state.history[0].reshape(-1))


def test_the_weights_field_and_its_replacement(tmp_path):
    path = make_task(tmp_path)
    first = Solver(path)
    first.step(3)
    model = first.snapshot()
    again = Solver(make_task(tmp_path / "b", f'weights: "{model}"'))
    np.testing.assert_array_equal(again.net.arena.data, first.net.arena.data)
    assert again.iter == 0
    other = Solver(make_task(tmp_path / "c", 'weights: "none"'), weights=[f"{model}, {model}"])
    np.testing.assert_array_equal(other.net.arena.data, first.net.arena.data)
    with pytest.raises(WeightsError, match="none"):
        Solver(make_task(tmp_path / "c", 'weights: "none"'))
    assert Solver(make_task(tmp_path / "c", 'weights: "none"'), weights=()).iter == 0


def test_test_nets_share_the_train_nets_params(tmp_path):
    solver = Solver(make_task(tmp_path, TESTED))
    solver.step(1)
    np.testing.assert_array_equal(solver.test_nets[0].params["ip"][0].data, solver.net.params["ip"][0].data)
    solver.net.params["ip"][0].data[...] = 3
    assert (solver.test_nets[0].params["ip"][0].data == 3).all()


def test_surface_is_pycaffes(tmp_path):
    path = make_task(tmp_path, TESTED)
    solver = get_solver(path)
    assert (solver.iter, solver.lr, len(solver.test_nets), solver.net.name) == (0, pytest.approx(0.05), 1, "small")
    solver.step(4)
    assert (solver.iter, solver.lr) == (4, pytest.approx(0.025))
    assert SGDSolver(path).param.type == "SGD"
    solver.close()
    solver.close()


# ---- failures ----
def test_a_loss_that_is_not_finite_ends_before_the_update_and_spares_the_snapshot(tmp_path):
    solver = Solver(make_task(tmp_path, "snapshot: 2"), engine="numpy")
    solver.step(3)
    kept = {p.name: p.read_bytes() for p in tmp_path.glob("snap_*")}
    solver.net.params["conv"][0].data[0, 0, 0, 0] = np.inf
    before = solver.net.arena.hist[0].copy()
    with pytest.raises(SolverError, match=r'iteration 3; .*layer "conv" .*lower base_lr'):
        solver.step(5)
    np.testing.assert_array_equal(solver.net.arena.hist[0], before)
    assert solver.iter == 3
    assert {p.name: p.read_bytes() for p in tmp_path.glob("snap_*")} == kept
    with pytest.raises(SolverError, match=r"param conv/0 is not finite"):
        solver.snapshot()


def test_on_any_engine_what_is_not_finite_ends_the_training_with_place_and_fix(tmp_path):
    solver = Solver(make_task(tmp_path), optimised=True)
    solver.step(3)
    solver.net.params["conv"][0].data[0, 0, 0, 0] = np.nan
    with pytest.raises(SolverError, match=r'layer ".*not finite.*lower base_lr|iteration 3; .*layer ".*lower base_lr'):
        solver.step(1)
    assert solver.iter == 3


def test_one_ranks_bad_loss_is_told_alike_by_all(tmp_path):
    path = make_task(tmp_path, extra="")

    def work(exchange):
        solver = Solver(path, exchange=exchange)
        solver.step(2)
        if exchange.rank == 1:
            solver.net.params["ip"][0].data[...] = np.nan
        solver.step(1)
    results = run_ranks(3, work)
    assert {type(r) for r in results} == {AgreedError}
    assert len({str(r) for r in results}) == 1 and 'blob "ip"' in str(results[0])


def test_an_unwritable_folder_is_found_at_the_start_on_all_ranks(tmp_path):
    path = make_task(tmp_path, drop="snapshot_prefix")
    Path(path).write_text(Path(path).read_text() + f'snapshot_prefix: "{tmp_path}/none/x"')
    with pytest.raises(SnapshotError, match=r"none/x.*create the folder"):
        Solver(path)
    results = run_ranks(2, lambda exchange: Solver(path, exchange=exchange))
    assert {type(r) for r in results} == {AgreedError} and len({str(r) for r in results}) == 1
    Path(path).write_text(Path(path).read_text() + " snapshot_after_train: false")
    Solver(path).step(1)


def test_a_snapshot_that_cannot_be_written_is_an_error_on_all_ranks(tmp_path):
    path = make_task(tmp_path)

    def work(exchange):
        solver = Solver(path, exchange=exchange)
        solver.step(1)
        solver.snapshot()
        exchange.vote(0)
        if exchange.rank == 0:
            os.mkdir(tmp_path / "snap_iter_2.solverstate")
        solver.step(1)
        solver.snapshot()
    results = run_ranks(2, work)
    assert {type(r) for r in results} == {AgreedError}
    assert "snap_iter_2.solverstate" in str(results[1])
    assert read_state(f"{tmp_path}/snap_iter_1.solverstate").iter == 1


@pytest.mark.parametrize("fmt, end", [("BINARYPROTO", ""), ("HDF5", ".h5")])
def test_a_disk_that_is_full_costs_no_older_snapshot(tmp_path, fmt, end):
    import resource
    solver = Solver(make_task(tmp_path, f"snapshot_format: {fmt}"))
    solver.step(1)
    solver.snapshot()
    kept = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    solver.step(1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, before[1]))
    try:
        with pytest.raises(SnapshotError, match=rf"snap_iter_2.caffemodel{end}.*cannot be written"):
            solver.snapshot()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == kept
    solver.snapshot()
    assert read_state(f"{tmp_path}/snap_iter_2.solverstate{end}").iter == 2


def wrong_state(folder, kind):
    path = make_task(folder)
    solver = Solver(path)
    solver.step(1)
    solver.snapshot()
    state = folder / "snap_iter_1.solverstate"
    if kind == "missing":
        return path, str(folder / "none.solverstate")
    if kind == "weights":
        return path, str(folder / "snap_iter_1.caffemodel")
    if kind == "truncated":
        state.write_bytes(state.read_bytes()[:-30])
    if kind == "no model":
        (folder / "snap_iter_1.caffemodel").unlink()
    if kind == "other net":
        text = (folder / "net.prototxt").read_text()
        (folder / "net.prototxt").write_text(text.replace("num_output: 4", "num_output: 5"))
    if kind == "fewer params":
        text = (folder / "net.prototxt").read_text()
        (folder / "net.prototxt").write_text(text.replace("num_output: 4", "num_output: 4 bias_term: false"))
    return path, str(state)


@pytest.mark.parametrize("kind, words", [
    ("missing", "none.solverstate"), ("weights", "caffemodel"), ("truncated", "snap_iter_1.solverstate"),
    ("no model", "weights of this state are missing"), ("other net", r"another net.*ip/0"),
    ("fewer params", "history blobs")])
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_state_that_does_not_fit_is_one_clear_line(tmp_path, kind, words, ranks):
    path, state = wrong_state(tmp_path, kind)
    if ranks == 1:
        with pytest.raises(WeightsError, match=words) as e:
            Solver(path).restore(state)
        assert "\n" not in str(e.value)
        return
    results = run_ranks(2, lambda exchange: Solver(path, exchange=exchange).restore(state))
    assert {type(r) for r in results} == {AgreedError} and len({str(r) for r in results}) == 1


def test_solve_needs_max_iter_and_a_name_for_snapshots(tmp_path):
    path = make_task(tmp_path, drop="max_iter")
    with pytest.raises(SolverError, match=r"max_iter \(.*solver.prototxt.*missing"):
        Solver(path).solve()
    p = caffe_pb2.SolverParameter(net=f"{tmp_path}/net.prototxt", base_lr=0.1, lr_policy="fixed", max_iter=2)
    with pytest.raises(SnapshotError, match="snapshot_prefix"):
        Solver(p).solve()
    p.snapshot_after_train = False
    solver = Solver(p)
    solver.solve()
    assert solver.iter == 2


def test_a_global_batch_that_cannot_be_divided_is_refused(tmp_path):
    class Three(LocalExchange):
        size = 3
    with pytest.raises(CaffempiError, match=r"hdf5_data_param.batch_size = 4.*3 ranks"):
        Solver(make_task(tmp_path), exchange=Three(), batch="global")


EXACT = ['type: "Nesterov" momentum_policy: "poly" max_momentum: 0.95 weight_decay_policy: "poly" max_weight_decay: 0.1',
         'type: "AdaGrad" momentum: 0', 'type: "RMSProp" momentum: 0 rampup_interval: 6', 'type: "AdaDelta" delta: 1e-6',
         'type: "Adam" iter_size: 2', "larc: true larc_turbo: true warmup_iter: 5 warmup_start_lr: 0.01",
         "local_lr_auto: true clip_gradients: 0.5", 'lr_policy: "plateau" plateau_winsize: 2 plateau_winsize: 1 average_loss: 3']


@pytest.mark.parametrize("fmt", ["BINARYPROTO", "HDF5"])
@pytest.mark.parametrize("text", EXACT)
def test_every_rule_and_policy_goes_on_to_the_bits_of_a_run_never_stopped(tmp_path, text, fmt):
    drop = "lr_policy" if "plateau" in text else "momentum" if "momentum: 0" in text else ""
    path = make_task(tmp_path, f"{text} snapshot: 3 snapshot_format: {fmt}", drop=drop)
    whole = Solver(path)
    whole.solve()
    cut = Solver(path)
    cut.restore(f"{tmp_path}/snap_iter_3.solverstate{'.h5' if fmt == 'HDF5' else ''}")
    cut.step(5)
    assert bits(cut) == bits(whole)
    if "plateau" in text:
        assert whole._loop.policy.current_step > 0
    if "turbo" in text:
        np.testing.assert_array_equal(cut._loop.updater.local.correlation, whole._loop.updater.local.correlation)
        assert whole._loop.updater.local.correlation.any()


@pytest.mark.parametrize("text", EXACT[5:])
def test_norms_and_losses_are_alike_on_all_ranks(tmp_path, text):
    path = make_task(tmp_path, f"{text} snapshot_after_train: false", drop="lr_policy" if "plateau" in text else "")

    def work(exchange):
        solver = Solver(path, exchange=exchange)
        solver.solve()
        return solver.net.arena.data.tobytes(), str(solver._loop.policy.memory)
    assert len(set(all_good(2, work))) == 1


def test_a_state_of_another_rule_says_how_many_blobs_it_wants(tmp_path):
    path = make_task(tmp_path)
    solver = Solver(path)
    solver.step(1)
    solver.snapshot()
    with pytest.raises(WeightsError, match=r"a Adam solver of this net needs 12"):
        Solver(path, type="Adam").restore(f"{tmp_path}/snap_iter_1.solverstate")


def test_larc_turbos_memory_of_another_net_is_refused(tmp_path):
    path = make_task(tmp_path, "larc: true larc_turbo: true")
    solver = Solver(path)
    solver.step(1)
    solver.snapshot()
    state = tmp_path / "snap_iter_1.solverstate"
    message = caffe_pb2.SolverState.FromString(state.read_bytes())
    message.caffempi.larc_correlation.append(0)
    state.write_bytes(message.SerializeToString())
    with pytest.raises(WeightsError, match="larc_turbo's memory of 7 params, the net has 6"):
        Solver(path).restore(state)


@pytest.mark.parametrize("offset, tests", [(0, [0, 3, 6]), (1, [1, 4, 7]), (2, [2, 5, 8]), (4, [1, 4, 7])])
def test_tests_come_test_offset_iterations_later(tmp_path, caplog, offset, tests):
    caplog.set_level(logging.INFO, "caffempi")
    solver = Solver(make_task(tmp_path, TESTED + f"test_offset: {offset} snapshot_after_train: false"))
    solver.solve()
    found = [int(m.split(",")[0].split()[1]) for m in caplog.messages if "Testing net" in m]
    assert found == tests


def test_params_of_another_net_are_not_trained(tmp_path):
    """An update changes the solver's own params: with borrowed ones a training would go on without learning anything."""
    solver = Solver(make_task(tmp_path))
    other = Solver(make_task(tmp_path)).net
    solver.net.share_with(other)
    with pytest.raises(SolverError, match=r'layer "\w+".*: uses the params of another net.*other.share_with\(solver.net\)'):
        solver.step(1)
    free = Solver(make_task(tmp_path))
    other.share_with(free.net)
    free.step(1)


def test_a_net_without_a_loss_is_not_trained(tmp_path):
    path = make_task(tmp_path)
    net = tmp_path / "net.prototxt"
    net.write_text(net.read_text().replace('top: "loss" }', 'top: "loss" loss_weight: 0 }'))
    solver = Solver(path)
    with pytest.raises(SolverError, match="has no loss.*add a loss layer"):
        solver.solve()
    solver.close()
