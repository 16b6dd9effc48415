"""LeNet on real digits over the stand-ins: the loss falls, and losses and params are those of a CPU, alone and on two ranks."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi.data.idx import read_idx
from caffempi.data.write_lmdb import write_datums
from caffempi.proto import caffe_pb2
from caffempi.solver.solver import Solver
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install
from tests.helpers.mpirun import ROOT, run_text

DIGITS, BATCH, STEPS = 640, 16, 30
SOLVER = """net: "net.prototxt" base_lr: 0.02 lr_policy: "inv" gamma: 0.01 power: 0.75 momentum: 0.9 weight_decay: 0.0005
random_seed: 1 average_loss: 100 max_iter: 1000"""
PROGRAM = """
    import os
    import sys
    import numpy as np
    import pytest
    from caffempi.exchange.mpi import MpiExchange
    from caffempi.solver.solver import Solver
    from tests.helpers.cuda.standin import install

    folder, engine, steps = sys.argv[1:]
    os.chdir(folder)
    exchange = MpiExchange()
    with pytest.MonkeyPatch.context() as patch:
        if engine == "cuda":
            install(patch, exchange.rank)
        solver = Solver("solver.prototxt", engine=engine, optimised=True, exchange=exchange)
        solver.step(int(steps))
        values = np.concatenate([blob.data.ravel() for blobs in solver.net.params.values() for blob in blobs])
        np.savez(f"{engine}{exchange.rank}.npz", values=values, losses=list(solver._loop.losses))
        solver.close()
    exchange.close()
"""
pytestmark = [needs_compiler, pytest.mark.gpu]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the solver, the net and some digits of MNIST, in which the test runs."""
    images, labels = (read_idx(str(ROOT / "data" / "mnist" / f"t10k-{kind}-ubyte.gz")) for kind in ("images-idx3", "labels-idx1"))
    write_datums(str(tmp_path / "digits"), (
        (b"%05d" % k, caffe_pb2.Datum(channels=1, height=28, width=28, data=images[k].tobytes(), label=int(labels[k])))
        for k in range(DIGITS)))
    net = text_format.Parse((ROOT / "models" / "lenet" / "quickstart.prototxt").read_text(), caffe_pb2.NetParameter())
    del net.layer[1]                                            # the test phase's data
    net.layer[0].data_param.source, net.layer[0].data_param.batch_size = str(tmp_path / "digits"), BATCH
    (tmp_path / "net.prototxt").write_text(text_format.MessageToString(net))
    (tmp_path / "solver.prototxt").write_text(SOLVER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(engine, precision="fp32"):
    """(losses, params) after STEPS iterations."""
    solver = Solver("solver.prototxt", engine=engine, precision=precision, optimised=True)
    solver.step(STEPS)
    values = np.concatenate([blob.data.ravel() for blobs in solver.net.params.values() for blob in blobs])
    solver.close()
    return np.array(solver._loop.losses), values


@pytest.mark.slow
def test_it_learns_as_on_a_cpu(folder, monkeypatch):
    install(monkeypatch, 1)
    (losses, values), (want, wanted) = train("cuda"), train("numpy")
    assert losses[-5:].mean() < 0.5 * losses[:3].mean()
    np.testing.assert_allclose(losses, want, rtol=2e-3)
    np.testing.assert_allclose(values, wanted, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("with_cudnn", [True, False])
@pytest.mark.parametrize("precision", ["tf32", "fp16", "bf16"])
def test_it_learns_in_every_precision(folder, monkeypatch, precision, with_cudnn):
    install(monkeypatch, 2, with_cudnn)
    (losses, _), (want, _) = train("cuda", precision), train("numpy")
    assert losses[-5:].mean() < 0.5 * losses[:3].mean()
    np.testing.assert_allclose(losses, want, atol=0.1)


@pytest.mark.mpi
@pytest.mark.slow
def test_two_ranks_learn_as_on_a_cpu(folder):
    for engine in ("cuda", "numpy"):
        ran = run_text(2, PROGRAM, folder, str(folder), engine, str(STEPS // 2), timeout=240)
        assert ran.rc == 0, ran.err[-2000:]
    first, second, want = (np.load(folder / f"{name}.npz") for name in ("cuda0", "cuda1", "numpy0"))
    assert first["values"].tobytes() == second["values"].tobytes()
    assert first["losses"].tolist() != second["losses"].tolist()   # each has digits of its own
    np.testing.assert_allclose(first["losses"], want["losses"], rtol=2e-3)
    np.testing.assert_allclose(first["values"], want["values"], atol=1e-3)
