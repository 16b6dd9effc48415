"""Names of snapshots, the probe at the start, histories of files, and where a state's weights are found."""
from __future__ import annotations

import logging
import os

import numpy as np
import pytest

from caffempi.errors import SnapshotError, WeightsError
from caffempi.ops.graph import Param, Spec
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.settings import Settings
from caffempi.solver.snapshot import Names, find_model, history_of, names_of, probe, put_history
from caffempi.solver.solver import Solver
from caffempi.weights import State
from tests.helpers.task import make_task


def names(path, text=""):
    make_task(path.parent, text, drop="snapshot_prefix")
    if path.name != "solver.prototxt":
        os.rename(path.parent / "solver.prototxt", path)
    return names_of(Settings(str(path)))


def test_names_are_caffes(tmp_path):
    n = names(tmp_path / "solver.prototxt", 'snapshot_prefix: "run/x"')
    assert (n.model(10), n.state(10)) == ("run/x_iter_10.caffemodel", "run/x_iter_10.solverstate")
    n = names(tmp_path / "solver.prototxt", 'snapshot_prefix: "run/x" snapshot_format: HDF5')
    assert (n.model(0), n.state(0)) == ("run/x_iter_0.caffemodel.h5", "run/x_iter_0.solverstate.h5")


def test_without_a_prefix_it_is_the_solvers_path_without_its_end(tmp_path):
    assert names(tmp_path / "my.solver.prototxt").prefix == f"{tmp_path}/my.solver"


def test_a_folder_as_prefix_gets_the_solvers_name(tmp_path):
    (tmp_path / "out").mkdir()
    for end in ("", "/"):
        assert names(tmp_path / "quick.prototxt", f'snapshot_prefix: "{tmp_path}/out{end}"').prefix == f"{tmp_path}/out/quick"


def test_a_message_without_prefix_has_no_names(tmp_path):
    make_task(tmp_path)
    p = SolverParameter(net=f"{tmp_path}/net.prototxt", base_lr=1, lr_policy="fixed")
    n = names_of(Settings(p))
    with pytest.raises(SnapshotError, match="set snapshot_prefix"):
        n.model(1)
    p.snapshot_prefix = str(tmp_path)
    assert names_of(Settings(p)).prefix == f"{tmp_path}/solver"


def test_the_probe_leaves_nothing_and_names_the_path(tmp_path):
    assert probe(Names(f"{tmp_path}/x", "HDF5")) is None
    assert list(tmp_path.iterdir()) == []
    error = probe(Names(f"{tmp_path}/none/x", "HDF5"))
    assert error is not None and "none/x" in str(error) and "create the folder" in str(error)
    (tmp_path / "file").write_text("")
    assert "cannot be written" in str(probe(Names(f"{tmp_path}/file/x", "HDF5")))


def arena(memories=1):
    params = [Param("conv", 0, Spec((2, 3))), Param("conv", 1, Spec((2,))), Param("ip", 0, Spec((4, 5)))]
    a = ParamArena(params, params[::-1], "float32", first_bucket=64, bucket=64)
    a.make_history(memories)
    return a


def test_history_is_in_net_order_all_first_memories_then_all_second(tmp_path):
    a = arena(2)
    for m in range(2):
        for k, p in enumerate(a.net_order):
            a.view(p, a.hist[m])[...] = 10 * m + k
    assert [(h.shape, h.flat[0]) for h in history_of(a)] == [
        ((2, 3), 0), ((2,), 1), ((4, 5), 2), ((2, 3), 10), ((2,), 11), ((4, 5), 12)]
    b = arena(2)
    put_history(b, history_of(a), "AdaDelta")
    for mine, other in zip(a.hist, b.hist, strict=True):
        np.testing.assert_array_equal(mine, other)


def test_old_four_axis_histories_fit():
    a = arena()
    put_history(a, [np.full((1, 1, 2, 3), 1.0), np.full((1, 1, 1, 2), 2.0), np.full((1, 1, 4, 5), 3.0)], "SGD")
    assert [h.flat[0] for h in history_of(a)] == [1, 2, 3]


@pytest.mark.parametrize("shapes, words", [
    ([], "0 history blobs.*SGD solver of this net needs 3"), ([(2, 3), (2,)], "2 history blobs"),
    ([(2, 3), (2,), (4, 5)] * 2, "6 history blobs"), ([(2, 3), (2,), (5, 4)], r"ip/0.*\[5, 4\].*\[4, 5\]"),
    ([(3, 2), (2,), (4, 5)], "conv/0")])
def test_a_history_of_another_net_is_refused_and_nothing_taken(shapes, words):
    a = arena()
    with pytest.raises(WeightsError, match=words) as e:
        put_history(a, [np.ones(s, np.float32) for s in shapes], "SGD")
    assert "--weights" in str(e.value)
    assert not a.hist[0].any()


def test_the_weights_of_a_state_are_found_as_written_then_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved" / "x.caffemodel").write_text("")
    state = State(1, "run/x.caffemodel", 0)
    assert find_model(state, "moved/x.solverstate") == "moved/x.caffemodel"
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "x.caffemodel").write_text("")
    assert find_model(state, "moved/x.solverstate") == "run/x.caffemodel"
    with pytest.raises(WeightsError, match=r"run/y.caffemodel or other/y.caffemodel.*beside"):
        find_model(State(1, "run/y.caffemodel", 0), "other/y.solverstate")
    with pytest.raises(WeightsError, match="names no weights"):
        find_model(State(1, "", 0), "x.solverstate")


@pytest.mark.parametrize("fmt", ["BINARYPROTO", "HDF5"])
@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_snapshots_in_16_bits_are_smaller_and_go_on_from_nearly_the_same(tmp_path, fmt, kind, caplog):
    """History that would vanish stays: what Adam divides by is no more than squares of small gradients."""
    caplog.set_level(logging.INFO, logger="caffempi")
    size = {}
    for half in (False, True):
        text = f'type: "{kind}" snapshot_format: {fmt} snapshot_diff: true ' + half * "snapshot_type: FLOAT16"
        solver = Solver(make_task(tmp_path / str(half), text), engine="numpy")
        solver.step(3)
        model = solver.snapshot()
        size[half] = os.path.getsize(model)
        state = model.replace("caffemodel", "solverstate")
        other = Solver(f"{tmp_path}/{half}/solver.prototxt", engine="numpy")
        other.restore(state)
        for a, b in zip((solver.net.arena.data, *solver.net.arena.hist), (other.net.arena.data, *other.net.arena.hist), strict=True):
            np.testing.assert_allclose(b, a, rtol=2.0**-11 if half else 0, atol=2.0**-25 if half else 0)
        for a, b in zip(solver.net.arena.hist, other.net.arena.hist, strict=True):
            assert ((a == 0) == (b == 0)).all()
        other.step(1)
    assert size[True] < size[False]
    told = [r.getMessage() for r in caplog.records if "FLOAT16" in r.getMessage()]
    assert (told or kind == "SGD") and all("blobs of history hold numbers that 16 bits do not" in line for line in told)
