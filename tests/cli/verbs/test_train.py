"""`caffempi train` from the command line, on one rank and on several."""
import re

import pytest

from tests.cli.conftest import SOLVER
from tests.helpers import mpirun

GLOG = re.compile(r"^[IWE]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ \w+\.py:\d+\] ")


def text(err):
    assert all(GLOG.match(line) for line in err), err
    return [GLOG.sub("", line) for line in err]


def test_trains_and_writes_a_snapshot(cli, folder):
    code, out, err = cli("train", "-solver", "solver.prototxt")
    assert (code, out) == (0, [])
    lines = text(err)
    for words in ("Solving tiny", "Iteration 0, Testing net (#0)", "Iteration 2, lr = 0.01", "Optimization Done.",
                  "Batch: 4 records an update"):
        assert words in lines
    assert sorted(p.name for p in folder.glob("snap*")) == ["snap_iter_4.caffemodel", "snap_iter_4.solverstate"]


def test_goes_on_from_a_state_to_the_same_bits(cli, folder):
    assert cli("train", "solver.prototxt")[0] == 0
    whole = (folder / "snap_iter_4.caffemodel").read_bytes()
    (folder / "half").write_text(SOLVER.replace("max_iter: 4", "max_iter: 2"))
    assert cli("train", "half")[0] == 0
    (folder / "snap_iter_4.caffemodel").unlink()
    code, _, err = cli("train", "--solver=solver.prototxt", "--snapshot=snap_iter_2.solverstate")
    assert code == 0 and any("Restoring previous solver status from snap_iter_2.solverstate" in line for line in err)
    assert (folder / "snap_iter_4.caffemodel").read_bytes() == whole


def test_starts_from_weights(cli, folder):
    cli("train", "solver.prototxt")
    code, _, err = cli("train", "solver.prototxt", "-weights", "snap_iter_4.caffemodel,snap_iter_4.caffemodel")
    assert code == 0 and sum("Finetuning from snap_iter_4.caffemodel" in line for line in err) == 2


@pytest.mark.parametrize("seeds, same", [((3, 3), True), ((3, 4), False)])
def test_the_seed_takes_the_place_of_the_solvers(cli, folder, seeds, same):
    models = []
    for seed in seeds:
        assert cli("train", "solver.prototxt", "--seed", seed)[0] == 0
        models.append((folder / "snap_iter_4.caffemodel").read_bytes())
    assert (models[0] == models[1]) is same


def test_level_and_stage_are_those_of_the_train_net(cli, folder):
    (folder / "fed.prototxt").write_text((folder / "fed.prototxt").read_text() + '''
layer { name: "more" type: "InnerProduct" bottom: "ip" top: "more" inner_product_param { num_output: 1 }
        include { stage: "s" min_level: 2 } }''')
    (folder / "solver.prototxt").write_text(SOLVER)
    assert "more" not in "\n".join(cli("train", "solver.prototxt", "-stage", "s")[2])
    assert "Train net output #1: more = " in "\n".join(cli("train", "solver.prototxt", "-stage", "s", "-level", "2")[2])


@pytest.mark.parametrize("argv, code, words", [
    (["-weights", "a", "-snapshot", "b"], 2, "-snapshot and -weights exclude each other"),
    (["-weights", "a"], 1, "a"), (["-snapshot", "b"], 1, "b"), (["-sigint_effect", "stpo"], 2, "did you mean stop?"),
    (["--no-pass", "fus"], 2, "did you mean fuse?"), (["--engine", "nmpy"], 1, "did you mean numpy?"),
    (["--cpu", "-gpu", "0"], 2, "exclude each other"), (["-log_dir", "nowhere"], 2, "no log file can be written there"),
])
def test_mistakes_are_one_line(cli, argv, code, words):
    got, out, err = cli("train", "solver.prototxt", *argv)
    said = [line for line in err if not GLOG.match(line)]
    assert (got, out, len(said)) == (code, [], 1) and words in said[0] and said[0].startswith("caffempi: ")


@pytest.mark.mpi
@pytest.mark.parametrize("batch, words", [("per_rank", "Batch: 8 records an update = 4 a rank x 2 ranks"),
                                          ("global", "Batch: 4 records an update = 2 a rank x 2 ranks")])
def test_of_several_ranks_one_logs_and_tells_the_whole_batch(folder, batch, words):
    (folder / "list").write_text("".join(f"{folder}/i.png {k % 5}\n" for k in range(8)))
    import cv2
    import numpy as np
    cv2.imwrite(str(folder / "i.png"), np.zeros((6, 6, 3), np.uint8))
    fed = (folder / "fed.prototxt").read_text()
    start = fed.index('type: "DummyData"')
    end = fed.index('layer { name: "conv"')
    (folder / "fed.prototxt").write_text(
        fed[:start] + 'type: "ImageData" top: "data" top: "label" image_data_param { source: "' + str(folder / "list") +
        '" batch_size: 4 } }\n' + fed[end:])
    (folder / "solver.prototxt").write_text(SOLVER.replace("fed.prototxt", str(folder / "fed.prototxt")).replace(
        '"snap"', f'"{folder}/snap"'))
    ran = mpirun.run(2, ["-m", "caffempi", "train", "-solver", folder / "solver.prototxt", "--batch", batch])
    assert ran.rc == 0, ran.err
    assert ran.err.count("Optimization Done.") == 1 and words in ran.err
    assert (folder / "snap_iter_4.solverstate").is_file()


@pytest.mark.mpi
@pytest.mark.parametrize("argv, code, words", [
    (["-solver", "nowhere.prototxt"], 1, "caffempi: nowhere.prototxt: there is no such file"),
    (["-solver", "x", "-weights", "a", "-snapshot", "b"], 2, "caffempi: -snapshot and -weights exclude each other"),
])
def test_of_several_ranks_one_tells_what_is_wrong(argv, code, words):
    ran = mpirun.run(2, ["-m", "caffempi", "train", *argv])
    assert ran.rc == code
    assert [line.startswith(words) for line in ran.err.splitlines() if "caffempi" in line] == [True], ran.err
    assert "Traceback" not in ran.err


PHASES = "params_pair { solver_params { " + SOLVER + " } }\nparams_pair { }"


def test_phases_train_one_after_another(cli, folder):
    (folder / "phases.prototxt").write_text(PHASES)
    code, _, err = cli("train", "phases.prototxt")
    lines = text(err)
    assert code == 0 and lines.count("Optimization Done.") == 2
    assert "Finetuning from snap_phase_0_iter_4.caffemodel" in lines
    assert (folder / "snap_phase_1_iter_4.caffemodel").is_file()


def test_phases_go_on_in_the_phase_of_the_state(cli, folder):
    (folder / "phases.prototxt").write_text(PHASES)
    assert cli("train", "phases.prototxt")[0] == 0
    whole = (folder / "snap_phase_1_iter_4.caffemodel").read_bytes()
    (folder / "snap_phase_1_iter_4.caffemodel").unlink()
    assert cli("train", "phases.prototxt", "-snapshot", "snap_phase_0_iter_4.solverstate")[0] == 0
    assert (folder / "snap_phase_1_iter_4.caffemodel").read_bytes() == whole
    lines = text(cli("train", "phases.prototxt", "-snapshot", "snap_phase_1_iter_4.solverstate")[2])
    assert lines.count("Optimization Done.") == 1 and not any(line.startswith("Finetuning") for line in lines)
