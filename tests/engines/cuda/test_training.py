"""Solvers on the GPU engine over the stand-ins: the same params as on numpy after updates, tests, snapshots and resumes."""
import numpy as np
import pytest

from caffempi.errors import DataError
from caffempi.solver.solver import Solver
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install

NET = """name: "n"
layer { name: "d" type: "DummyData" top: "x" top: "l" dummy_data_param { shape { dim: 6 dim: 5 } shape { dim: 6 }
  data_filler { type: "gaussian" std: 1 } data_filler { type: "constant" value: 2 } } }
layer { name: "ip" type: "InnerProduct" bottom: "x" top: "ip" inner_product_param { bias_term: false num_output: 7
  weight_filler { type: "xavier" } } }
layer { name: "drop" type: "Dropout" bottom: "ip" top: "ip" include { phase: TRAIN } }
layer { name: "ip2" type: "InnerProduct" bottom: "ip" top: "ip2" param { lr_mult: 2 } inner_product_param { bias_term: false
  num_output: 4 weight_filler { type: "xavier" } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip2" bottom: "l" top: "loss" }
layer { name: "accuracy" type: "Accuracy" bottom: "ip2" bottom: "l" top: "accuracy" include { phase: TEST } }
"""
pytestmark = [needs_compiler, pytest.mark.gpu]
SOLVER = """net: "n.prototxt" base_lr: 0.1 lr_policy: "inv" gamma: 0.1 power: 0.75 momentum: 0.9 weight_decay: 0.01 max_iter: 6
test_iter: 2 test_interval: 3 display: 2 random_seed: 3 snapshot: 3 snapshot_prefix: "%s" """


def train(folder, engine, text="", optimised=True, steps=6, net=NET, solver=SOLVER, **options):
    (folder / "n.prototxt").write_text(net)
    (folder / "s.prototxt").write_text(solver % engine + text)
    solver = Solver(str(folder / "s.prototxt"), engine=engine, optimised=optimised, **options)
    solver.step(steps)
    return solver


def params(solver):
    return [blob.data.copy() for blobs in solver.net.params.values() for blob in blobs]


@pytest.mark.parametrize(("text", "optimised"), [("", True), ("iter_size: 2", False), ("clip_gradients: 0.5", True),
                                                 ('type: "Adam" momentum2: 0.99', True)])
def test_params_are_those_of_numpy(tmp_path, monkeypatch, text, optimised):
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, 5)
    a, b = (train(tmp_path, engine, text, optimised) for engine in ("numpy", "cuda"))
    for x, y in zip(params(a), params(b), strict=True):
        np.testing.assert_allclose(y, x, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(list(b._loop.losses), list(a._loop.losses), rtol=1e-4)


@pytest.mark.parametrize(("net", "options"), [
    (NET, {}), (NET, {"precision": "fp16"}),
    ("global_grad_scale: 2e38 global_grad_scale_adaptive: true " + NET.replace('WithLoss"', 'WithLoss" loss_weight: 8'),
     {"loss_scale": "dynamic"})])
def test_a_resumed_run_ends_with_the_same_bits(tmp_path, monkeypatch, net, options):
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, 6)
    whole = train(tmp_path, "cuda", net=net, **options)
    resumed = Solver("s.prototxt", engine="cuda", optimised=True, **options)
    resumed.restore("cuda_iter_3.solverstate")
    resumed.step(3)
    for x, y in zip(params(whole), params(resumed), strict=True):
        assert x.tobytes() == y.tobytes()
    if options:
        assert whole._loop.scaling.scale == resumed._loop.scaling.scale


def test_a_loss_that_is_not_finite_is_told_with_its_iteration(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, 7)
    solver = train(tmp_path, "cuda", steps=2)
    solver.net.params["ip"][0].data[0, 0] = np.nan
    with pytest.raises(Exception, match=r"at iteration 2"):
        solver.step(3)


@pytest.mark.parametrize("text", ["", "clip_gradients: 0.5", "iter_size: 2"])
def test_a_loss_scale_that_comes_down_skips_the_same_updates_as_on_numpy(tmp_path, monkeypatch, caplog, text):
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, 8)
    net = "global_grad_scale: 2e38 global_grad_scale_adaptive: true " + NET.replace("WithLoss\"", "WithLoss\" loss_weight: 8")
    caplog.set_level("INFO", logger="caffempi")
    a, b = (train(tmp_path, engine, text, net=net, steps=9, loss_scale="dynamic") for engine in ("numpy", "cuda"))
    for x, y in zip(params(a), params(b), strict=True):
        np.testing.assert_allclose(y, x, rtol=1e-4, atol=1e-5)
    assert a._loop.scaling.scale == b._loop.scaling.scale < 2e38
    assert a._loop.scaling.good == b._loop.scaling.good > 0
    told = [r.getMessage() for r in caplog.records if "skipped" in r.getMessage()]
    assert told and told[:len(told) // 2] == told[len(told) // 2:]


def test_in_fp16_gradients_that_vanish_without_it_arrive_with_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, 9)
    net = NET.replace("WithLoss\"", "WithLoss\" loss_weight: 1e-7")
    runs = {wish: train(tmp_path, "cuda", net=net, solver=SOLVER.replace("weight_decay", "delta"), steps=2, precision=precision,
                        loss_scale=wish)
            for wish, precision in (("none", "fp16"), ("auto", "fp16"), (1.0, "fp32"))}
    moved = {wish: run.net.engine.get(run.net.arena.hist[0]) for wish, run in runs.items()}
    largest = np.abs(moved[1.0]).max()
    assert runs["auto"]._loop.scaling.moves and largest > 0
    np.testing.assert_allclose(moved["auto"], moved[1.0], rtol=0.05, atol=0.02 * largest)
    assert np.abs(moved["none"] - moved[1.0]).max() > 0.2 * largest


def test_a_label_that_is_no_class_names_layer_and_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, 10)
    net = NET.replace('"constant" value: 2', '"constant" value: 9')
    with pytest.raises(DataError, match=r'layer "loss" \(SoftmaxWithLoss\).*n.prototxt:\d+.*a label or an index is out of range'):
        train(tmp_path, "cuda", net=net, solver=SOLVER.replace("test_iter: 2 test_interval: 3", ""))
