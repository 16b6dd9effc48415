"""Nets of four kinds learn small tasks in seconds: siamese (contrastive), autoencoder, CIFAR-10 quick, LSTM."""
from pathlib import Path

import h5py
import numpy as np
import pytest

import caffempi
from caffempi.data.write_lmdb import write_datums
from caffempi.proto import caffe_pb2

ROOT = Path(__file__).parents[2]


def solver_of(folder, net, text, arrays):
    """A solver over HDF5 data of the given arrays."""
    with h5py.File(folder / "d.h5", "w") as f:
        for name, array in arrays.items():
            f[name] = array.astype(np.float32)
    (folder / "list.txt").write_text(f"{folder}/d.h5\n")
    (folder / "net.prototxt").write_text(net.replace("LIST", f"{folder}/list.txt"))
    (folder / "solver.prototxt").write_text(f'net: "{folder}/net.prototxt" lr_policy: "fixed" random_seed: 3 max_iter: 1000 '
                                            f'snapshot_prefix: "{folder}/s" {text}')
    return caffempi.get_solver(str(folder / "solver.prototxt"), optimised=True)


def losses(solver, steps):
    """The loss before each of the steps."""
    values = []
    for _ in range(steps):
        solver.step(1)
        values.append(solver.net.loss)
    solver.close()
    return np.array(values)


def ip(name, bottom, outputs, param="", more=""):
    shared = f'param {{ name: "{param}w" }} param {{ name: "{param}b" }}' if param else ""
    return (f'layer {{ name: "{name}" type: "InnerProduct" bottom: "{bottom}" top: "{name}" {shared} '
            f'inner_product_param {{ num_output: {outputs} weight_filler {{ type: "xavier" }} {more} }} }}\n')


def test_siamese_net_pulls_equal_pairs_together_and_pushes_others_apart(tmp_path):
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, (300, 2))
    centres = rng.standard_normal((3, 8)) * 2
    a, b = (centres[kinds[:, k]] + 0.3 * rng.standard_normal((300, 8)) for k in (0, 1))
    net = ('layer { name: "d" type: "HDF5Data" top: "a" top: "b" top: "same" hdf5_data_param { source: "LIST" batch_size: 50 } }\n'
           + ip("a1", "a", 10, "one") + 'layer { name: "ra" type: "ReLU" bottom: "a1" top: "a1" }\n' + ip("a2", "a1", 2, "two")
           + ip("b1", "b", 10, "one") + 'layer { name: "rb" type: "ReLU" bottom: "b1" top: "b1" }\n' + ip("b2", "b1", 2, "two")
           + 'layer { name: "loss" type: "ContrastiveLoss" bottom: "a2" bottom: "b2" bottom: "same" top: "loss" }\n')
    solver = solver_of(tmp_path, net, "base_lr: 0.05 momentum: 0.9", {"a": a, "b": b, "same": kinds[:, 0] == kinds[:, 1]})
    values = losses(solver, 150)
    assert values[-10:].mean() < 0.1 * values[:5].mean()


def test_autoencoder_reconstructs_what_lies_in_a_plane(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((200, 2)) @ rng.standard_normal((2, 12))
    x = 1 / (1 + np.exp(-x))
    net = ('layer { name: "d" type: "HDF5Data" top: "x" hdf5_data_param { source: "LIST" batch_size: 50 } }\n' + ip("e", "x", 8)
           + 'layer { name: "se" type: "Sigmoid" bottom: "e" top: "e" }\n' + ip("code", "e", 2) + ip("d1", "code", 8)
           + 'layer { name: "sd" type: "Sigmoid" bottom: "d1" top: "d1" }\n' + ip("y", "d1", 12)
           + 'layer { name: "cross" type: "SigmoidCrossEntropyLoss" bottom: "y" bottom: "x" top: "cross" loss_weight: 1 }\n'
           + 'layer { name: "sy" type: "Sigmoid" bottom: "y" top: "out" }\n'
           + 'layer { name: "square" type: "EuclideanLoss" bottom: "out" bottom: "x" top: "square" loss_weight: 0 }\n')
    solver = solver_of(tmp_path, net, 'type: "Adam" base_lr: 0.02 momentum: 0.9 momentum2: 0.999', {"x": x})
    squares = []
    for _ in range(400):
        solver.step(1)
        squares.append(float(solver.net.blobs["square"].data))
    solver.close()
    assert np.mean(squares[-10:]) < 0.25 * np.mean(squares[:5])


def test_cifar10_quick_learns_patches_of_colour(tmp_path, monkeypatch):
    """The zoo's own net and Data layer, on 40 images whose class is where a patch lies and which channel it is in."""
    rng = np.random.default_rng(2)
    datums = []
    for i in range(40):
        image = rng.integers(0, 60, (3, 32, 32))
        image[i % 10 % 3, 8 * (i % 4):8 * (i % 4) + 8, 3 * (i % 10):3 * (i % 10) + 5] += 150
        datums.append((b"%04d" % i, caffe_pb2.Datum(channels=3, height=32, width=32, label=i % 10, data=image.astype(np.uint8).tobytes())))
    monkeypatch.chdir(tmp_path)
    for name in ("train", "test"):
        (tmp_path / "data" / "cifar10").mkdir(parents=True, exist_ok=True)
        write_datums(f"data/cifar10/cifar10_{name}_lmdb", datums)
    mean = caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=(1, 3, 32, 32)), data=[32.0] * 3072)
    (tmp_path / "data" / "cifar10" / "mean.binaryproto").write_bytes(mean.SerializeToString())
    text = (ROOT / "models" / "cifar10_quick" / "train_val.prototxt").read_text().replace("batch_size: 100", "batch_size: 20")
    (tmp_path / "net.prototxt").write_text(text)
    (tmp_path / "solver.prototxt").write_text('net: "net.prototxt" base_lr: 0.001 momentum: 0.9 lr_policy: "fixed" random_seed: 4 '
                                              'max_iter: 100 test_iter: 2 test_interval: 1000 snapshot_prefix: "s"')
    solver = caffempi.get_solver("solver.prototxt", optimised=True)
    values = losses(solver, 90)
    assert values[-5:].mean() < 0.5 * values[:3].mean()


@pytest.mark.parametrize("kind", ["LSTM", "RNN"])
def test_recurrent_net_learns_a_running_sum(tmp_path, kind):
    rng = np.random.default_rng(3)
    steps, x = 6, rng.choice([-1.0, 1.0], (240, 8))
    cont = np.tile(np.r_[0, np.ones(steps - 1)], 40).reshape(-1, 1).repeat(8, 1)
    y = np.concatenate([part.cumsum(0) for part in x.reshape(40, steps, 8)]) / 3
    net = ('layer { name: "d" type: "HDF5Data" top: "x" top: "cont" top: "y" hdf5_data_param { source: "LIST" batch_size: 6 } }\n'
           f'layer {{ name: "r" type: "{kind}" bottom: "x" bottom: "cont" top: "r" recurrent_param {{ num_output: 12 '
           'weight_filler { type: "uniform" min: -0.3 max: 0.3 } } }\n' + ip("ip", "r", 1, more="axis: 2")
           + 'layer { name: "loss" type: "EuclideanLoss" bottom: "ip" bottom: "y" top: "loss" }\n')
    solver = solver_of(tmp_path, net, 'type: "Adam" base_lr: 0.02 momentum: 0.9',
                       {"x": x[:, :, None], "cont": cont, "y": y[:, :, None]})
    values = losses(solver, 250)
    assert values[-20:].mean() < 0.15 * values[:10].mean()
