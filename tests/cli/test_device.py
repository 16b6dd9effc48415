"""From flags and solver_mode to an engine."""
import os
from argparse import Namespace

import pytest

from caffempi.cli import device
from caffempi.cli.device import choose_engine, pick_gpu, refuse_idle_gpus
from caffempi.errors import EngineError, UsageError


def args(**given):
    return Namespace(**({"engine": None, "gpu": None, "cpu": False} | given))


@pytest.fixture
def gpu(monkeypatch):
    """As if this machine had two GPUs whose engine works."""
    monkeypatch.setattr(device, "make_engine", lambda name: None)
    monkeypatch.setattr(device, "listed", lambda: 2)
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5")


def test_nothing_given_leaves_the_choice_to_the_machine():
    assert choose_engine(args()) is None


def test_a_named_engine_is_taken_as_it_is():
    assert choose_engine(args(engine="numpy")) == "numpy"


@pytest.mark.parametrize("given, mode, expected", [
    ({"cpu": True}, None, "cpu"), ({"cpu": True}, "GPU", "cpu"), ({}, "CPU", "cpu"), ({}, "GPU", None), ({}, None, None),
    ({"gpu": "1"}, "CPU", "cuda"), ({"engine": "numpy"}, "GPU", "numpy"), ({"engine": "cuda"}, "CPU", "cuda"),
])
def test_flags_win_over_the_solver(gpu, given, mode, expected):
    assert choose_engine(args(**given), mode=mode) == expected


def test_the_variable_wins_over_the_solver(gpu, monkeypatch):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "numpy")
    assert choose_engine(args(), mode="CPU") is None            # which is the variable's
    assert choose_engine(args(cpu=True), mode="GPU") == "cpu"


@pytest.mark.parametrize("given, variable, mode, seen", [
    ({}, "", None, "5"), ({}, "", "GPU", "5"), ({"engine": "cuda"}, "", "CPU", "5"), ({}, "cuda", "CPU", "5"),
    ({}, "", "CPU", "4,5"), ({}, "onednn", None, "4,5"), ({"engine": "numpy"}, "", None, "4,5"), ({"cpu": True}, "", None, "4,5"),
])
def test_ranks_that_may_compute_on_gpus_take_one_each(gpu, monkeypatch, given, variable, mode, seen):
    monkeypatch.setenv("CAFFEMPI_ENGINE", variable)
    choose_engine(args(**given), 1, mode)
    assert os.environ["CUDA_VISIBLE_DEVICES"] == seen


@pytest.mark.parametrize("rank, seen", [(0, ""), (1, "1"), (2, "0"), (3, "1")])
def test_more_ranks_than_gpus_share_them(gpu, monkeypatch, rank, seen):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    choose_engine(args(), rank)
    assert os.environ["CUDA_VISIBLE_DEVICES"] == seen


def test_the_gpu_flag_without_a_gpu_is_an_error(monkeypatch):
    def missing(name):
        raise EngineError("engine cuda needs CuPy", fix="install it")
    monkeypatch.setattr(device, "make_engine", missing)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(EngineError, match="-gpu 0: no GPU engine works here: engine cuda needs CuPy; install it; or leave -gpu out"):
        choose_engine(args(gpu="0"))


@pytest.mark.parametrize("given", [{"gpu": "0", "cpu": True}, {"engine": "numpy", "gpu": "0"}, {"engine": "numpy", "cpu": True}])
def test_flags_that_exclude_each_other(given):
    with pytest.raises(UsageError, match="exclude each other"):
        choose_engine(args(**given))


@pytest.mark.parametrize("ids, rank, visible, expected", [
    ("0", 0, None, "0"), ("2", 1, None, "2"), ("0,2", 1, None, "2"), ("0, 2", 2, None, "0"), ("all", 3, None, "3"),
    ("0", 0, "4,5", "4"), ("all", 1, "4,5", "5"), ("all", 2, "4,5", "4"), ("1", 0, "GPU-a,GPU-b", "GPU-b"),
])
def test_each_rank_sees_its_gpu(ids, rank, visible, expected):
    env = {} if visible is None else {"CUDA_VISIBLE_DEVICES": visible}
    pick_gpu(ids, rank, env)
    assert env["CUDA_VISIBLE_DEVICES"] == expected


@pytest.mark.parametrize("ids", ["x", "0,all", "-1", ","])
def test_a_list_that_cannot_be_read(ids):
    with pytest.raises(UsageError, match="this is no list of GPUs"):
        pick_gpu(ids, 0, {})


def test_a_gpu_that_is_not_visible():
    with pytest.raises(UsageError, match="there is no GPU 2; CUDA_VISIBLE_DEVICES leaves 1"):
        pick_gpu("2", 0, {"CUDA_VISIBLE_DEVICES": "7"})


@pytest.mark.parametrize(("ids", "ranks"), [(None, 1), ("0", 1), ("all", 1), ("0,1", 2), ("0,1", 4)])
def test_gpus_that_are_all_used(ids, ranks):
    refuse_idle_gpus(ids, ranks, "caffempi train s")


@pytest.mark.parametrize(("ids", "ranks", "said"), [("0,1,2,3", 1, "names 4 GPUs, and 1 process would"), ("0 1 2", 2, "2 processes")])
def test_gpus_that_would_be_idle_are_answered_with_the_line_that_uses_them(ids, ranks, said):
    with pytest.raises(UsageError, match=rf"{said}.*mpirun -n {len(ids) // 2 + 1} caffempi train s -gpu"):
        refuse_idle_gpus(ids, ranks, f"caffempi train s -gpu {ids}")


@pytest.mark.parametrize(("rank", "seen"), [(0, None), (2, "2")])
def test_ranks_that_name_the_engine_take_a_gpu_each(monkeypatch, rank, seen):
    env = {}
    monkeypatch.setattr(device.os, "environ", env)
    assert choose_engine(args(engine="cuda"), rank) == "cuda"
    assert env.get("CUDA_VISIBLE_DEVICES") == seen
