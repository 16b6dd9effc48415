"""Solver states in both formats: the original's, our own, and other files given in their place."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import h5py
import numpy as np
import pytest

from caffempi.errors import SnapshotError, WeightsError
from caffempi.proto import caffe_pb2
from caffempi.weights import State, read_state, write_state
from caffempi.weights.wire import bytes_field, int_field

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"
FORMATS = ["BINARYPROTO", "HDF5"]
Format = Literal["BINARYPROTO", "HDF5"]
RESUME = caffe_pb2.ResumeState(seed=2**63 + 5, run_ordinal=12, loss_window=[0.5, 0.25], ranks=2,
                               data=[caffe_pb2.DataPosition(layer="data", records=640)])


def test_the_originals_binary_state() -> None:
    state, truth = read_state(GOLDEN / "sgd.solverstate"), caffe_pb2.SolverState()
    truth.ParseFromString((GOLDEN / "sgd.solverstate").read_bytes())
    assert (state.iter, state.learned_net, state.current_step, state.resume) == (4, "snap_iter_4.caffemodel", 0, None)
    assert [h.shape for h in state.history] == [(4, 2, 3, 3), (4,), (5, 64), (5,), (3, 5), (3,)]
    for got, want in zip(state.history, truth.history, strict=True):
        np.testing.assert_array_equal(got.ravel(), np.array(want.data, np.float32))


def test_the_originals_hdf5_state_in_the_order_of_numbers_not_of_names() -> None:
    state = read_state(GOLDEN / "adadelta.solverstate.h5")
    assert (state.iter, state.current_step, state.resume) == (4, 1, None)
    assert state.learned_net == "snap_iter_4.caffemodel.h5"
    assert [h.shape for h in state.history] == [(4, 2, 3, 3), (4,), (5, 64), (5,), (3, 5), (3,)] * 2


def test_a_state_written_again_has_the_originals_bytes_or_datasets(tmp_path: Path) -> None:
    write_state(tmp_path / "b", read_state(GOLDEN / "sgd.solverstate"), "BINARYPROTO")
    assert (tmp_path / "b").read_bytes() == (GOLDEN / "sgd.solverstate").read_bytes()
    write_state(tmp_path / "h", read_state(GOLDEN / "adadelta.solverstate.h5"), "HDF5")
    with h5py.File(tmp_path / "h", "r") as ours, h5py.File(GOLDEN / "adadelta.solverstate.h5", "r") as theirs:
        assert list(ours) == list(theirs)
        for name in ["iter", "current_step", "learned_net", *(f"history/{k}" for k in range(12))]:
            assert (ours[name].shape, ours[name].dtype) == (theirs[name].shape, theirs[name].dtype)
            np.testing.assert_array_equal(ours[name][()], theirs[name][()])


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("resume", [None, caffe_pb2.ResumeState(), RESUME])
@pytest.mark.parametrize("shapes", [[], [()], [(3,)] * 13, [(2, 3), (0, 4)]])
def test_what_is_written_is_read_back(tmp_path: Path, fmt: Format, dtype: type, shapes: list[tuple[int, ...]],
                                      resume: caffe_pb2.ResumeState | None) -> None:
    rng = np.random.default_rng(3)
    want = State(2**31 - 1, "dir/ü_iter_7.caffemodel", 3, [rng.random(s).astype(dtype) for s in shapes], resume)
    write_state(tmp_path / "s", want, fmt)
    got = read_state(tmp_path / "s")
    assert (got.iter, got.learned_net, got.current_step, got.resume) == (want.iter, want.learned_net, 3, resume)
    assert [h.shape for h in got.history] == shapes
    for a, b in zip(got.history, want.history, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("fmt", FORMATS)
def test_what_plateau_remembers_is_read_back_and_in_the_forks_fields(tmp_path: Path, fmt: Format) -> None:
    write_state(tmp_path / "s", State(5, "w", 1, minimum_loss=0.1, iter_last_event=3), fmt)
    got = read_state(tmp_path / "s")
    assert (got.minimum_loss, got.iter_last_event) == (float(np.float32(0.1)), 3)
    if fmt == "BINARYPROTO":
        truth = caffe_pb2.SolverState.FromString((tmp_path / "s").read_bytes())
        assert (truth.minimum_loss, truth.iter_last_event) == (got.minimum_loss, 3)
    else:
        with h5py.File(tmp_path / "s") as file:
            assert (file["minimum_loss"][0], file["iter_last_event"][0]) == (np.float32(0.1), 3)
    write_state(tmp_path / "s", State(5, "w", 1), fmt)
    assert (read_state(tmp_path / "s").minimum_loss, read_state(tmp_path / "s").iter_last_event) == (None, 0)


def test_our_addition_is_a_field_of_its_own_that_protobuf_reads(tmp_path: Path) -> None:
    write_state(tmp_path / "s", State(5, "w", 0, [np.ones(2, np.float32)], RESUME), "BINARYPROTO")
    truth = caffe_pb2.SolverState.FromString((tmp_path / "s").read_bytes())
    assert (truth.iter, truth.learned_net, truth.current_step, truth.caffempi) == (5, "w", 0, RESUME)


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("state", [State(2**31, "", 0), State(1, "", 0, [np.arange(3)])])
def test_states_that_no_file_can_hold_are_refused(tmp_path: Path, fmt: Format, state: State) -> None:
    with pytest.raises(SnapshotError) as caught:
        write_state(tmp_path / "s", state, fmt)
    assert str(tmp_path / "s") in str(caught.value) and os.listdir(tmp_path) == []


@pytest.mark.parametrize(("name", "why"), [
    ("sgd.caffemodel", "is a file of weights.*give the .solverstate of the same iteration.*--weights"),
    ("adadelta.caffemodel.h5", "is a file of weights.*give the .solverstate"), ("mean.binaryproto", "single blob"),
    ("README.md", "is a text"), ("nope", "no such file")])
def test_other_files_given_as_state_are_named_with_the_way_out(name: str, why: str) -> None:
    with pytest.raises(WeightsError, match=why) as caught:
        read_state(GOLDEN / name)
    assert name in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(("data", "why"), [
    (int_field(1, -5), "iter -5"), (int_field(1, 5) + int_field(4, -1), "current_step -1"),
    (int_field(1, 5) + int_field(6, -1), "iter_last_event -1"), (int_field(1, 5) + int_field(5, 1), "field 5 has wire type 0"),
    (int_field(1, 5) + b"\x2d" + np.float32("nan").tobytes(), "minimum_loss is not a number"),
    (int_field(4, 1), "no iter"),
    (int_field(1, 5) + int_field(3, 1), "field 3 has wire type 0"), (int_field(1, 5) + b"\x20", "inside a varint"),
    (int_field(1, 5) + b"".join(bytes_field(2000, b"\xff\xff")), "exact continuation"),
    (int_field(1, 5) + b"".join(bytes_field(3, *bytes_field(5, bytes(8)))), r"history\[0\].* wants 1 values")])
def test_corrupt_binary_states_are_refused(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "s").write_bytes(data)
    with pytest.raises(WeightsError, match=why):
        read_state(tmp_path / "s")


@pytest.mark.parametrize(("change", "why"), [
    ("del iter", "/iter is missing"), ("del current_step", "/current_step is missing"),
    ("del history", "no group /history"),
    ("del history/3", "must be called 0 to"), ("group history/12", "not a dataset"), ("bytes caffempi", "continuation"),
    ("text iter", "unfit type")])
def test_corrupt_hdf5_states_are_refused(tmp_path: Path, change: str, why: str) -> None:
    (tmp_path / "s").write_bytes((GOLDEN / "adadelta.solverstate.h5").read_bytes())
    verb, name = change.split()
    with h5py.File(tmp_path / "s", "r+") as file:
        if name in file:
            del file[name]
        if verb == "group":
            file.create_group(name)
        elif verb == "bytes":
            file[name] = np.full(3, 255, np.uint8)
        elif verb == "text":
            file[name] = "4"
    with pytest.raises(WeightsError, match=why):
        read_state(tmp_path / "s")
