"""N ranks with batches of B are one rank with a batch of N B, and all ranks have the same bits after each run."""
from itertools import product

import h5py
import numpy as np
import pytest

from tests.helpers.mpirun import ROOT, run

pytestmark = pytest.mark.mpi
PROGRAM = ROOT / "tests" / "e2e" / "programs" / "equal.py"
TWELVE = 12                                                     # divisible by 1, 2, 3 and 4 ranks

NET = """name: "equal"
layer {{ name: "data" type: "HDF5Data" top: "data" top: "label" hdf5_data_param {{ source: "{folder}/list.txt" batch_size: 12 }} }}
layer {{ name: "conv" type: "Convolution" bottom: "data" top: "conv" param {{ lr_mult: 1 }} param {{ lr_mult: 2 decay_mult: 0 }}
  convolution_param {{ num_output: 4 kernel_size: 3 weight_filler {{ type: "xavier" }} }} }}
layer {{ name: "relu" type: "ReLU" bottom: "conv" top: "conv" }}
layer {{ name: "pool" type: "Pooling" bottom: "conv" top: "pool" pooling_param {{ pool: MAX kernel_size: 2 stride: 2 }} }}
layer {{ name: "ip" type: "InnerProduct" bottom: "pool" top: "ip" inner_product_param {{ num_output: 5 weight_filler {{ type: "xavier" }} }} }}
{losses}
"""
ONE = 'layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }'
IGNORE = ONE.replace('top: "loss"', 'top: "loss" loss_param { ignore_label: 4 }')
TWO = IGNORE + """
layer { name: "aux_ip" type: "InnerProduct" bottom: "pool" top: "aux_ip" inner_product_param { num_output: 5 weight_filler { type: "xavier" } } }
layer { name: "aux" type: "SoftmaxWithLoss" bottom: "aux_ip" bottom: "label" top: "aux" loss_weight: 0.3 loss_param { ignore_label: 2 } }"""
NETS = {"one loss": ONE, "ignored labels": IGNORE, "two losses with other counts": TWO}
TOLERANCES = {"float64": 1e-10, "float32": 1e-5}
QUICK = {("one loss", "float32"), ("two losses with other counts", "float64")}


@pytest.fixture
def task(tmp_path):
    def make(losses, solver="", records=24):
        rng = np.random.default_rng(3)
        labels = rng.integers(0, 5, records)
        with h5py.File(tmp_path / "data.h5", "w") as f:
            f["data"] = rng.standard_normal((records, 2, 6, 6)) + labels.reshape(-1, 1, 1, 1)
            f["label"] = labels.astype(np.float64)
        (tmp_path / "list.txt").write_text(f"{tmp_path}/data.h5\n")
        (tmp_path / "net.prototxt").write_text(NET.format(folder=tmp_path, losses=losses))
        (tmp_path / "solver.prototxt").write_text(
            f'net: "{tmp_path}/net.prototxt" base_lr: 0.05 lr_policy: "step" gamma: 0.5 stepsize: 4 momentum: 0.9 weight_decay: 0.01 '
            f'max_iter: 10 random_seed: 7 snapshot_prefix: "{tmp_path}/snap" solver_mode: CPU {solver}')
        return tmp_path
    return make


def params(folder, ranks, dtype):
    done = run(ranks, [PROGRAM, folder, dtype, TWELVE, folder / f"{ranks}{dtype}.npz"], timeout=120)
    assert done.rc == 0, done.err
    lines = [line.split() for line in done.lines()]
    assert len(lines) == ranks and len({tuple(line[1:]) for line in lines}) == 1, "the ranks have different bits"
    return np.load(folder / f"{ranks}{dtype}.npz")


def same(folder, numbers, dtype, tol):
    one = params(folder, 1, dtype)
    largest = max(np.abs(one[k]).max() for k in one.files)
    for ranks in numbers:
        many = params(folder, ranks, dtype)
        for k in one.files:
            off = np.abs(one[k] - many[k]).max()
            assert off <= tol * largest, f"{ranks} ranks, {k}: off by {off / largest:.3g}"


@pytest.mark.parametrize("net, dtype", [pytest.param(*way, marks=() if way in QUICK else pytest.mark.slow)
                                        for way in product(NETS, TOLERANCES)])
def test_many_ranks_are_one_with_the_whole_batch(task, net, dtype):
    same(task(NETS[net]), (2, 3, 4), dtype, TOLERANCES[dtype])


def test_uneven_data_wraps_alike(task):
    """25 records do not divide by the batch: the epochs' ends fall at other places of each rank's batches."""
    same(task(TWO, records=25), (3,), "float64", 1e-10)


def test_clipping_and_iter_size_are_of_the_mean_gradient(task):
    same(task(TWO, "clip_gradients: 0.4 iter_size: 2 regularization_type: 'L1'"), (2,), "float64", 1e-10)
