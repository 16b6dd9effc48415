"""Python layers on several ranks: the net learns alike on all, and an error in a layer ends the run once, with its traceback."""
import pytest

from tests.helpers.mpirun import run

pytestmark = pytest.mark.mpi
CODE = """
import caffe
import numpy as np

class Digits(caffe.Layer):
    # each rank reads its own share: record k of rank r is k * ranks + r
    def setup(self, bottom, top):
        self.at = self.rank
    def reshape(self, bottom, top):
        top[0].reshape(2, 3)
        top[1].reshape(2, 1)
    def forward(self, bottom, top):
        rng = np.random.default_rng(self.at)
        top[0].data[...] = rng.standard_normal((2, 3))
        top[1].data[...] = top[0].data @ [[1], [2], [3]]
        self.at += self.ranks

class Linear(caffe.Layer):
    def setup(self, bottom, top):
        self.blobs.add_blob(3, 1)
        self.runs = 0
    def reshape(self, bottom, top):
        top[0].reshape(len(bottom[0].data), 1)
    def forward(self, bottom, top):
        self.runs += 1
        top[0].data[...] = bottom[0].data @ self.blobs[0].data
        if FAULT and self.phase == caffe.TRAIN:
            self.look_closely(bottom)
    def look_closely(self, bottom):
        raise RuntimeError("nothing there")
    def backward(self, top, down, bottom):
        self.blobs[0].diff[...] = bottom[0].data.T @ top[0].diff
"""
NET = """
layer { name: "d" type: "Python" top: "x" top: "t" python_param { module: "digits" layer: "Digits" } }
layer { name: "linear" type: "Python" bottom: "x" top: "y" python_param { module: "digits" layer: "Linear" } }
layer { name: "loss" type: "EuclideanLoss" bottom: "y" bottom: "t" top: "loss" }
"""
SOLVER = 'net: "{0}/n.prototxt" base_lr: 0.3 lr_policy: "fixed" max_iter: 60 display: 20 snapshot_prefix: "{0}/s" random_seed: 1 solver_mode: CPU'


def train(folder, ranks, fault):
    (folder / "digits.py").write_text(CODE.replace("FAULT", fault))
    (folder / "n.prototxt").write_text(NET)
    (folder / "s.prototxt").write_text(SOLVER.format(folder))
    return run(ranks, ["-m", "caffempi", "train", "-solver", folder / "s.prototxt"], timeout=120)


def test_two_ranks_learn_one_net(tmp_path):
    from caffempi import TEST, Net
    done = train(tmp_path, 2, "False")
    assert done.rc == 0, done.err
    net = Net(tmp_path / "n.prototxt", TEST, weights=tmp_path / "s_iter_60.caffemodel")
    assert abs(net.params["linear"][0].data.ravel() - [1, 2, 3]).max() < 0.01


@pytest.mark.parametrize("ranks, fault, named", [(1, "True", ""), (2, "True", ""), (2, "self.runs == 3 and self.rank == 1", "rank 1: ")])
def test_an_error_is_told_once_with_the_users_traceback(tmp_path, ranks, fault, named):
    done = train(tmp_path, ranks, fault)
    assert done.rc == 1
    assert done.err.count("in look_closely") == 1 and done.err.count("Traceback") == 1
    (line,) = [line for line in done.err.splitlines() if line.startswith("caffempi: ")]
    assert line.startswith(f'caffempi: {named}layer "linear" (Python) ({tmp_path}/n.prototxt:3): Linear.forward() failed: '
                           "RuntimeError: nothing there")


@pytest.mark.parametrize("code, rc", [(None, 2), ("1 / 0", 1)])
def test_a_file_of_layers_that_cannot_be_imported_is_told_once(tmp_path, code, rc):
    if code is not None:
        (tmp_path / "mine.py").write_text(code)
    done = run(2, ["-m", "caffempi", "train", "-solver", tmp_path / "s.prototxt", "--import", tmp_path / "mine.py"])
    assert done.rc == rc and done.err.count("caffempi: ") == 1 and done.err.count("ZeroDivisionError: division by zero\n") <= 2
