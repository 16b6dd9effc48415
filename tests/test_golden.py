"""All core reference cases of BVLC Caffe 1.0: layers, recorded pycaffe sessions, SGD training runs with resume."""
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import caffempi
from caffempi import TEST, TRAIN, Net
from tests.helpers.netcheck import GOLDEN, check_golden

HERE = Path(__file__).parent / "golden"
SCENARIOS = sorted((HERE / "scenarios").glob("*.npz"))
RUNS = sorted((HERE / "solvers").iterdir())


def close(what, got, want, tol):
    assert got.shape == want.shape, f"{what}: shape {got.shape}, expected {want.shape}"
    if want.size:
        off = np.abs(got.astype("f8") - want).max()
        assert off <= tol * max(1.0, np.abs(want).max()), f"{what} is off by {off:.3g}, values up to {np.abs(want).max():.3g}"


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("*.npz")))
def test_layer(case):
    check_golden(case)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: p.stem)
def test_scenario(path, tmp_path):
    """Partial runs, blobs written between, diffs that add up, reshapes: every recorded step shows the recorded arrays."""
    case = np.load(path)
    file = tmp_path / "net.prototxt"
    file.write_text(str(case["prototxt"]))
    net = Net(file, TRAIN if str(case["phase"]) == "TRAIN" else TEST)
    for i, (verb, *args) in enumerate(json.loads(str(case["script"]))):
        if verb == "set":
            net.blobs[args[0]].data[...] = case[args[1]]
        elif verb == "setdiff":
            net.blobs[args[0]].diff[...] = case[args[1]]
        elif verb == "setparam":
            net.params[args[0]][args[1]].data[...] = case[args[2]]
        elif verb == "clear":
            net.clear_param_diffs()
        elif verb == "reshape":
            for blob, dims in args[0].items():
                net.blobs[blob].reshape(*dims)
            net.reshape()
        else:
            getattr(net, verb)(**{k: v for k, v in zip(("start", "end"), args, strict=True) if v})
        for key in case.files:
            kind, _, name = key.partition(f"/{i}/")
            if not name or "_split_" in name:
                continue
            if kind in ("d", "g"):
                close(f"step {i} {verb}: {key}", getattr(net.blobs[name], "data" if kind == "d" else "diff"), case[key], 1e-3)
            elif kind in ("p", "q"):
                layer, k = name.rsplit("/", 1)
                blob = net.params[layer][int(k)]
                close(f"step {i} {verb}: {key}", blob.data if kind == "p" else blob.diff, case[key], 1e-3)


def same_params(net, run, step):
    for key in run.files:
        if key.startswith(f"step_{step}/"):
            layer, k = key.split("/", 1)[1].rsplit("/", 1)
            close(f"iteration {step + 1}: {key}", net.params[layer][int(k)].data, run[key], 2e-4)


@pytest.mark.parametrize("path", RUNS, ids=lambda p: p.name)
def test_training_run(path, tmp_path, monkeypatch):
    """The same params after each iteration, from the start and resumed from the original's own snapshot."""
    shutil.copytree(path, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    run = np.load("run.npz")
    steps = 1 + max(int(k.split("/")[0][5:]) for k in run.files if k.startswith("step_"))
    solver = caffempi.get_solver("solver.prototxt")
    for key in run.files:
        if key.startswith("init/"):
            layer, k = key[5:].rsplit("/", 1)
            solver.net.params[layer][int(k)].data[...] = run[key]
    for i in range(steps):
        solver.step(1)
        same_params(solver.net, run, i)
    state = next(iter([*tmp_path.glob("snap_iter_*.solverstate.h5"), *tmp_path.glob("snap_iter_*.solverstate")]))
    at = int(state.name.split("_iter_")[1].split(".")[0])
    resumed = caffempi.get_solver("solver.prototxt")
    resumed.restore(str(state))
    assert resumed.iter == at
    if "batch_size: 12" in Path("net.prototxt").read_text():   # one batch is the whole set, so its position does not matter
        for i in range(at, steps):
            resumed.step(1)
            same_params(resumed.net, run, i)
