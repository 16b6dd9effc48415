"""A solver's nets and what ranks compare of them."""
from __future__ import annotations

import logging

import pytest

from caffempi.net import Net
from caffempi.solver.nets import batch_of, build_nets, digests
from caffempi.solver.report import Report
from caffempi.solver.settings import Settings
from tests.helpers.task import make_task

TESTED = "test_interval: 1 test_iter: 1 test_iter: 2"


def build(folder, text=TESTED, **kw):
    settings = Settings(make_task(folder, text, **kw))
    return settings, *build_nets(settings, 1, {}, Report(True))


def test_test_nets_have_the_train_nets_params_and_their_own_phase(tmp_path):
    _, net, tests = build(tmp_path)
    assert len(tests) == 2
    assert "accuracy" not in net.blobs and all("accuracy" in t.blobs for t in tests)
    net.params["ip"][0].data[...] = 7
    assert all((t.params["ip"][0].data == 7).all() for t in tests)


@pytest.mark.parametrize("change, differs", [
    ({"text": TESTED}, set()), ({"text": TESTED + " momentum2: 0.5"}, {"solver"}),
    ({"batch": 3}, {"net"}), ({"test_batch": 2}, {"test net 0", "test net 1"}),
    ({"extra": ""}, {"net", "test net 0", "test net 1"})])
def test_digests_differ_where_the_ranks_files_do(tmp_path, change, differs):
    first, second = digests(*build(tmp_path)), digests(*build(tmp_path, **change))
    assert {k for k in first if first[k] != second[k]} == differs
    assert set(first) == {"caffempi", "solver", "net", "dtype", "loss scale", "test net 0", "test net 1"}


@pytest.mark.parametrize("mode, warned", [("GPU", True), ("CPU", False)])
def test_a_wish_for_a_gpu_that_is_not_met_is_told(tmp_path, caplog, mode, warned):
    path = make_task(tmp_path, f"solver_mode: {mode}", drop="solver_mode")
    build_nets(Settings(path), 1, {"engine": "numpy"}, Report(True))
    assert any(r.levelno == logging.WARNING and "CPU" in r.getMessage() for r in caplog.records) == warned


def test_the_batch_is_that_of_the_data_layer_and_0_without_one(tmp_path):
    _, net, _ = build(tmp_path, batch=5)
    assert batch_of(net) == 5
    (tmp_path / "in.prototxt").write_text('layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 3 } } }')
    assert batch_of(Net(str(tmp_path / "in.prototxt"), 0)) == 0
