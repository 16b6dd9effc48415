"""Trainings in bf16 end as those in fp32: LeNet and CIFAR-10 full on MNIST's t10k digits, over three seeds.

    python -m pytest -m slow -s tests/e2e/test_precisions.py        prints the rows of the table in docs/precision.md

LeNet gets 8,000 digits to train and 2,000 to test, by the quickstart's recipe at 64 a batch; CIFAR-10 full the same ones as
colour images of 32 x 32: the difference between a digit and patches of random colours. Its recipe is the first stage of the
classic one cut to 800 iterations, and 200 at a tenth of the rate.
"""
from itertools import starmap
from pathlib import Path

import numpy as np
import pytest

import caffempi
from caffempi.data.idx import read_idx
from caffempi.data.write_lmdb import write_datums
from caffempi.errors import EngineError
from caffempi.proto import caffe_pb2
from caffempi.solver.testing import run_test

ROOT = Path(__file__).parents[2]
TEXTS = {
    "lenet": 'base_lr: 0.05 lr_policy: "poly" power: 1 momentum: 0.9 weight_decay: 0.0005 max_iter: 1000',
    "cifar10_full": 'base_lr: 0.001 lr_policy: "multistep" gamma: 0.1 stepvalue: 800 momentum: 0.9 weight_decay: 0.004 max_iter: 1000',
}
LEAST = {"lenet": 0.975, "cifar10_full": 0.75}                  # accuracy
CLOSE = {"lenet": 0.006, "cifar10_full": 0.02}                  # by how much precisions may differ: some digits are chance


def coloured(digit, index):
    """(3, 32, 32) bytes: how a digit in the middle differs from 4 x 4 patches of random colours."""
    patches = np.random.default_rng(index).integers(0, 256, (3, 8, 8)).repeat(4, 1).repeat(4, 2)
    return np.abs(patches - np.pad(digit, 2).astype(int)).astype(np.uint8)


def databases(name):
    """Writes what the zoo's text reads, under the current folder."""
    images, labels = (read_idx(str(ROOT / "data" / "mnist" / f"t10k-{what}-ubyte.gz")) for what in ("images-idx3", "labels-idx1"))
    if name == "lenet":
        folder, prefix, images = Path("data/mnist"), "mnist", images[:, None]
    else:
        folder, prefix = Path("data/cifar10"), "cifar10"
        images = np.stack(list(starmap(coloured, zip(images, range(len(images)), strict=True))))
        mean = images[:8000].mean(0)
        folder.mkdir(parents=True, exist_ok=True)
        proto = caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=(1, *mean.shape)), data=mean.ravel())
        (folder / "mean.binaryproto").write_bytes(proto.SerializeToString())
    folder.mkdir(parents=True, exist_ok=True)
    order = np.random.default_rng(20).permutation(len(images))
    for part, chosen in (("train", order[:8000]), ("test", order[8000:])):
        write_datums(str(folder / f"{prefix}_{part}_lmdb"), (
            (b"%08d" % k, caffe_pb2.Datum(channels=len(images[i]), height=images.shape[2], width=images.shape[3],
                                          data=images[i].tobytes(), label=int(labels[i]))) for k, i in enumerate(chosen)))


def train(name, precision, seed):
    """(accuracy, loss) on the test set after training the zoo's net by its recipe above."""
    Path("solver.prototxt").write_text(f'net: "{ROOT}/models/{name}/train_val.prototxt" {TEXTS[name]} random_seed: {seed} test_iter: 20 '
                                       'test_interval: 100000 test_initialization: false snapshot_prefix: "s" snapshot_after_train: false')
    solver = caffempi.get_solver("solver.prototxt", optimised=True, precision=precision)
    try:
        solver.solve()
        scores = run_test(solver.test_nets[0], 20, solver.exchange)
    finally:
        solver.close()
    return tuple(float(scores.outputs[k].item()) for k in ("accuracy", "loss"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", TEXTS)
def test_a_training_in_bf16_ends_as_in_fp32(tmp_path, monkeypatch, name, seed):
    monkeypatch.chdir(tmp_path)
    databases(name)
    try:
        half, half_loss = train(name, "bf16", seed)
    except EngineError as e:
        pytest.skip(str(e))
    full, full_loss = train(name, "fp32", seed)
    print(f"\n| {name} | {seed} | {full:.4f} / {full_loss:.4f} | {half:.4f} / {half_loss:.4f} |")
    assert min(full, half) >= LEAST[name] and abs(full - half) <= CLOSE[name]
