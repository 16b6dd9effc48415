"""What a user does wrong, on one rank and on two: one line that names place and fix, no traceback, no hang, nothing lost."""
import re
import shutil
import subprocess
import sys

import h5py
import pytest

from caffempi.data.write_lmdb import write_datums
from caffempi.proto import caffe_pb2
from tests.helpers.mpirun import environment, mpirun
from tests.helpers.task import make_task

TRAIN = "caffempi train --solver={0}/solver.prototxt "


def edit(name, old, new):
    """Replaces text of a file of the task."""
    def change(folder):
        path = folder / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    return change


def lmdb(folder, *datums):
    """The net reads a database of these records."""
    write_datums(str(folder / "lmdb"), [(b"%d" % i, d) for i, d in enumerate(datums)])
    text = (folder / "net.prototxt").read_text()
    text = re.sub(r'type: "HDF5Data"', 'type: "Data"', text)
    text = re.sub(r"hdf5_data_param {[^}]*batch_size: (\d+)[^}]*}", rf'data_param {{ source: "{folder}/lmdb" batch_size: \1 backend: LMDB }}', text)
    (folder / "net.prototxt").write_text(text)


def datum(**fields):
    return caffe_pb2.Datum(channels=2, height=5, width=5, **fields)


def no_database(folder):
    lmdb(folder, datum(data=bytes(50)))
    shutil.rmtree(folder / "lmdb")


def undecodable(folder):
    lmdb(folder, *(datum(data=b"this is no picture", encoded=True) for _ in range(9)))


def label_out_of_range(folder):
    with h5py.File(folder / "data.h5", "r+") as f:
        f["label"][...] = 17


def trained(folder):
    """A snapshot of the task stands in the folder."""
    from caffempi.cli.main import main
    assert main(["train", f"--solver={folder}/solver.prototxt"]) == 0


def cut_weights(folder):
    trained(folder)
    path = folder / "snap_iter_8.caffemodel"
    path.write_bytes(path.read_bytes()[:-40])


def other_shapes(folder):
    trained(folder)
    edit("net.prototxt", "num_output: 3", "num_output: 5")(folder)


def other_net(folder):
    trained(folder)
    edit("net.prototxt", 'layer { name: "relu"', 'layer { name: "more" type: "PReLU" bottom: "conv" top: "conv" }\nlayer { name: "relu"')(folder)


def unwritable(folder):
    (folder / "file").write_text("")
    edit("solver.prototxt", f'"{folder}/snap"', f'"{folder}/file/snap"')(folder)


# name: (change of a good task, command, what the line says)
CASES = {
    "missing solver": (lambda f: (f / "solver.prototxt").unlink(), TRAIN, [r"solver.prototxt", "no such file"]),
    "missing net": (lambda f: (f / "net.prototxt").unlink(), TRAIN, [r"net.prototxt", "no such file"]),
    "missing database": (no_database, TRAIN, [r'layer "data" \(Data\)', "lmdb", r"net.prototxt:\d+"]),
    "syntax error": (edit("net.prototxt", "bottom: \"data\"", "bottom \"data\""), TRAIN, [r"net.prototxt:\d+:\d+"]),
    "unknown field": (edit("net.prototxt", "num_output: 3", "num_outputs: 3"), TRAIN,
                      [r"net.prototxt:\d+:\d+", "num_outputs", "did you mean num_output"]),
    "unknown layer type": (edit("net.prototxt", '"InnerProduct"', '"InerProduct"'), TRAIN,
                           [r'layer "ip"', "did you mean InnerProduct", r"net.prototxt:\d+"]),
    "bad enum value": (edit("net.prototxt", "include { phase: TRAIN }", "include { phase: TRIAN }"), TRAIN,
                       [r"net.prototxt:\d+:\d+", "TRIAN", "TRAIN"]),
    "unknown bottom": (edit("net.prototxt", 'bottom: "ip" bottom: "label" top: "loss"', 'bottom: "ipp" bottom: "label" top: "loss"'), TRAIN,
                       ['layer "loss"', 'unknown bottom blob "ipp"', "did you mean ip", r"net.prototxt:\d+"]),
    "shapes that do not fit": (edit("net.prototxt", 'bottom: "ip" bottom: "label" top: "loss"', 'bottom: "ip" bottom: "data" top: "loss"'), TRAIN,
                               ['layer "loss"', r"net.prototxt:\d+", "labels"]),
    "kernel larger than input": (edit("net.prototxt", "kernel_size: 3", "kernel_size: 9"), TRAIN,
                                 [r'layer "conv" \(Convolution\)', r"net.prototxt:\d+", "9"]),
    "label out of range": (label_out_of_range, TRAIN,
                           [r'layer "loss" \(SoftmaxWithLoss\)', "17", "4 classes|classes|0 to 3|0..3", r"net.prototxt:\d+"]),
    "undecodable Datum": (undecodable, TRAIN, ['layer "data"', "lmdb", "decode|picture|image"]),
    "truncated caffemodel": (cut_weights, TRAIN + "--weights={0}/snap_iter_8.caffemodel", ["snap_iter_8.caffemodel"]),
    "weights of other shapes": (other_shapes, TRAIN + "--weights={0}/snap_iter_8.caffemodel",
                                [r'"conv" \(Convolution\)', "3x2x3x3", "5x2x3x3"]),
    "solverstate of another net": (other_net, TRAIN + "--snapshot={0}/snap_iter_8.solverstate", ["snap_iter_8.solverstate"]),
    "a caffemodel given as --snapshot": (trained, TRAIN + "--snapshot={0}/snap_iter_8.caffemodel", ["snap_iter_8.caffemodel", "--?weights"]),
    "unwritable snapshot folder": (unwritable, TRAIN, ["file/snap", "cannot|not"]),
    "loss not finite": (edit("solver.prototxt", "base_lr: 0.05", "base_lr: 1e30"), TRAIN, ["iteration", "base_lr", "layer|param"]),
}


def command(folder, text, ranks):
    words = text.format(folder).split()[1:]
    run = [sys.executable, "-m", "caffempi", *words]
    if ranks == 1:
        return run
    return [mpirun(), "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks), *run]


def fails_with_one_line(run, folder, words):
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, env=environment(), cwd=folder, stdin=subprocess.DEVNULL)
    assert done.returncode not in (0, None) and done.returncode > 0, done.stderr
    assert "Traceback" not in done.stderr and "MPI_ABORT" not in done.stderr, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("caffempi:")]
    assert len(lines) == 1, done.stderr
    for word in words:
        assert re.search(word, lines[0]), f"{word} is not in: {lines[0]}"
    lost = [p for p, content in before.items() if not p.is_file() or (p.read_bytes() != content and not p.name.startswith("lock.mdb"))]
    assert not lost
    assert not [p for p in folder.rglob("*") if "temp" in p.name or p.suffix == ".tmp"]


LIKE = ("missing net", "syntax error", "unknown layer type", "bad enum value", "unknown bottom", "kernel larger than input",
        "truncated caffemodel", "a caffemodel given as --snapshot")
"""Those that two ranks meet just where they meet another one here: in the ordinary run on one rank only."""
RUNS = [pytest.param(1, name, id=f"1-{name}") for name in CASES]
RUNS += [pytest.param(2, name, id=f"2-{name}", marks=[pytest.mark.mpi, *[pytest.mark.slow] * (name in LIKE)]) for name in CASES]


@pytest.mark.parametrize(("ranks", "name"), RUNS)
def test_one_line_names_place_and_fix(tmp_path, name, ranks):
    change, text, words = CASES[name]
    make_task(tmp_path)
    change(tmp_path)
    fails_with_one_line(command(tmp_path, text, ranks), tmp_path, words)


@pytest.mark.parametrize("ranks", [1, pytest.param(2, marks=pytest.mark.mpi)])
def test_a_disk_that_is_full_while_writing_a_snapshot(tmp_path, ranks):
    """A limit on the size of files stands for the disk; the snapshot from before stays whole."""
    make_task(tmp_path)
    trained(tmp_path)
    edit("solver.prototxt", "max_iter: 8", "max_iter: 10")(tmp_path)
    run = command(tmp_path, TRAIN + "--snapshot={0}/snap_iter_8.solverstate", ranks)
    at = run.index(sys.executable)
    run[at:at] = ["bash", "-c", 'ulimit -f 1; exec "$@"', "limited"]
    fails_with_one_line(run, tmp_path, ["snap_iter_10"])


@pytest.mark.mpi
def test_one_rank_with_another_net(tmp_path):
    for rank in ("0", "1"):
        make_task(tmp_path / rank)
        edit("solver.prototxt", f"{tmp_path}/{rank}/net", "net")(tmp_path / rank)
        edit("solver.prototxt", f"{tmp_path}/{rank}/snap", "snap")(tmp_path / rank)
    edit("net.prototxt", 'layer { name: "relu" type: "ReLU"', 'layer { name: "relu" type: "TanH"')(tmp_path / "1")
    run = command(tmp_path, "caffempi train --solver=solver.prototxt", 2)
    at = run.index(sys.executable)
    run[at:at] = ["bash", "-c", 'cd $OMPI_COMM_WORLD_RANK; exec "$@"', "moved"]
    fails_with_one_line(run, tmp_path, ["rank 1", "net", "same files"])


def test_cases_cover_what_is_promised():
    assert len(CASES) + 2 == 20 and all(words for _, _, words in CASES.values())
