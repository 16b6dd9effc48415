"""Every net of the zoo builds, plans and runs: train_val in both phases over small databases, deploy on random images."""
from pathlib import Path

import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.data.write_lmdb import write_datums
from caffempi.proto import caffe_pb2
from caffempi.proto.text import read_net

MODELS = Path(__file__).parent.parent / "models"
NETS = sorted(p.name for p in MODELS.iterdir() if p.is_dir())
SIZES = {"mnist": (1, 28, 28), "cifar10": (3, 32, 32), "imagenet": (3, 256, 256), "run": (1, 28, 28)}


def make_data(text, folder):
    """A database of three random images for each source that the text names, and each mean file."""
    rng = np.random.default_rng(0)
    net, _ = read_net(text)
    for lp in net.layer:
        if not lp.data_param.source:
            continue
        parts = Path(lp.data_param.source).parts
        shape = SIZES[parts[1] if parts[0] == "data" else parts[0]]
        path = folder / lp.data_param.source
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_datums(str(path), [(b"%08d" % i, caffe_pb2.Datum(
                channels=shape[0], height=shape[1], width=shape[2], label=i, data=rng.bytes(int(np.prod(shape))))) for i in range(3)])
        mean = folder / lp.transform_param.mean_file
        if lp.transform_param.mean_file and not mean.exists():
            mean.write_bytes(caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=(1, *shape)), data=[120.0] * int(np.prod(shape)))
                             .SerializeToString())


@pytest.mark.parametrize("name", NETS)
def test_train_val_learns_a_step_and_tests(name, tmp_path, monkeypatch):
    for text in sorted(str(p) for p in (MODELS / name).glob("*.prototxt") if p.stem != "deploy"):
        make_data(text, tmp_path)
        monkeypatch.chdir(tmp_path)
        net = Net(text, TRAIN, seed=1, optimised=True, batch=1)
        loss = net.forward_backward()
        assert np.isfinite(loss) and loss > 0
        written = [p for p in net.arena.net_order if p.lr_mult]
        assert all(np.isfinite(net.arena.view(p, net.arena.grad)).all() for p in written)
        assert sum(bool(net.arena.view(p, net.arena.grad).any()) for p in written) >= 0.9 * len(written)
        net.close()
        tested = Net(text, TEST, seed=1, optimised=True, batch=1, params_of=net)
        scores = tested.forward()
        assert any(k.startswith("accuracy") or "top" in k for k in scores)
        assert all(np.isfinite(v).all() for v in scores.values())
        tested.close()


@pytest.mark.parametrize("name", NETS)
def test_deploy_gives_probabilities(name):
    net = Net(str(MODELS / name / "deploy.prototxt"), TEST, seed=1, optimised=True)
    for info in net.graph.layers:
        if info.type == "BatchNorm":                            # statistics as of data already normalised
            _, variance, weight = net.params[info.name]
            variance.data[...] = weight.data[...] = 1
    (data,) = net.inputs
    net.blobs[data].reshape(1, *net.blobs[data].shape[1:])
    net.blobs[data].data[...] = np.random.default_rng(1).standard_normal(net.blobs[data].shape)
    (prob,) = net.forward().values()
    assert prob.shape[0] == 1 and float(prob.sum()) == pytest.approx(1, abs=1e-4) and (prob >= 0).all()
