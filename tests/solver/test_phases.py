"""Solver files of several phases: what each phase is, how they go on from each other, what is refused."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import CaffempiError, SolverError, TextError
from caffempi.solver.phases import has_phases, phase_of, read_phases
from caffempi.solver.solver import Solver
from caffempi.weights import read_weights
from tests.helpers.task import SOLVER, make_task


def make(folder, *pairs, drop=""):
    """A file whose pairs are the texts given; SOLVER in them stands for a whole solver."""
    make_task(folder)
    solver = "\n".join(line for line in SOLVER.format(folder=folder).splitlines() if not drop or not line.startswith(drop))
    path = folder / "phases.prototxt"
    path.write_text("# in phases\n" + "\n".join("params_pair { " + p.replace("SOLVER", solver) + " }" for p in pairs))
    return str(path)


@pytest.mark.parametrize("text, result", [("params_pair { }", True), ("# c\n params_pair { }", True), ("net: 'x'", False),
                                          ("", False), ("'", False)])
def test_the_first_word_tells_such_a_file(tmp_path, text, result):
    (tmp_path / "s").write_text(text)
    assert has_phases(str(tmp_path / "s")) is result


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(TextError, match="no such file"):
        has_phases(str(tmp_path / "s"))


def test_phases_take_over_what_they_do_not_say(tmp_path):
    path = make(tmp_path, "solver_params { SOLVER snapshot_after_train: false }", "batch_size: 3",
                'solver_params { SOLVER base_lr: 0.5 snapshot_prefix: "other" solver_type: ADAM weights: "w" }')
    phases = read_phases(path, seed=9)
    assert [s.param.base_lr for s in phases] == pytest.approx([0.05, 0.05, 0.5])
    assert [s.param.type for s in phases] == ["SGD", "SGD", "Adam"]
    assert [s.train.message.layer[0].hdf5_data_param.batch_size for s in phases] == [4, 3, 3]
    assert [s.param.snapshot_prefix for s in phases] == [f"{tmp_path}/snap_phase_{j}" for j in range(3)]
    assert [list(s.param.weights) for s in phases] == [
        [], [f"{tmp_path}/snap_phase_0_iter_8.caffemodel"], [f"{tmp_path}/snap_phase_1_iter_8.caffemodel"]]
    assert [s.param.snapshot_after_train for s in phases] == [True, True, True]
    assert {s.param.random_seed for s in phases} == {9}


def test_without_a_prefix_the_files_name_is_the_start(tmp_path):
    path = make(tmp_path, "solver_params { SOLVER }", drop="snapshot_prefix")
    assert read_phases(path)[0].param.snapshot_prefix == f"{tmp_path}/phases_phase_0"


def test_each_phase_starts_from_the_weights_of_the_one_before(tmp_path):
    phases = read_phases(make(tmp_path, "solver_params { SOLVER max_iter: 3 }", "solver_params { SOLVER snapshot_format: HDF5 }"))
    first = Solver(phases[0])
    assert first.solve()
    second = Solver(phases[1])
    assert second.iter == 0
    for layer in first.net.params:
        for a, b in zip(first.net.params[layer], second.net.params[layer], strict=True):
            np.testing.assert_array_equal(a.data, b.data)
    assert second.solve() and "conv" in read_weights(tmp_path / "snap_phase_1_iter_8.caffemodel.h5")


@pytest.mark.parametrize("name, phase", [("x_phase_0_iter_5.solverstate", 0), ("dir/a_phase_3_phase_1_iter_9.solverstate.h5", 1)])
def test_a_states_name_tells_its_phase(name, phase):
    assert phase_of(name, [None, None]) == phase


@pytest.mark.parametrize("name", ["x_iter_5.solverstate", "x_phase_2_iter_5.solverstate", "x_phase_1_iter_5.caffemodel"])
def test_a_state_of_no_phase_is_refused(name):
    with pytest.raises(SolverError, match="no state of one of these 2 phases"):
        phase_of(name, [None, None])


@pytest.mark.parametrize("pairs, words", [
    (["batch_size: 3"], r"phases.prototxt:2.*first phase has no solver_params"),
    (["solver_params { SOLVER }\nbatch_size: 0"], r"batch_size = 0 \(.*phases.prototxt:15.*at least 1"),
    (["solver_params { SOLVER\nmomentum: 2 }"], r"momentum = 2 \(.*phases.prototxt:15"),
    (["solver_params { SOLVER }", "solver_params { SOLVER\ntype: 'Adm' }"], r"type \(.*phases.prototxt:\d+.*Adam"),
    (["solver_params { SOLVER } batchsize: 3"], "batchsize"),
])
def test_faults_are_one_line_with_place(tmp_path, pairs, words):
    with pytest.raises(CaffempiError, match=words) as e:
        read_phases(make(tmp_path, *pairs))
    assert "\n" not in str(e.value)


def test_a_phase_before_another_needs_its_length(tmp_path):
    with pytest.raises(SolverError, match="how long is this phase"):
        read_phases(make(tmp_path, "solver_params { SOLVER }", "batch_size: 3", drop="max_iter"))
