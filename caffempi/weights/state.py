"""A solver's state as a file: .solverstate (binary SolverState) and .solverstate.h5 (HDF5).

Binary: SolverState{1 iter, 2 learned_net, 3 history, 4 current_step, 2000 caffempi: ResumeState}. HDF5: datasets
iter, learned_net, current_step (int32, string, int32), group history with one dataset a blob, named 0, 1, ...; and
`caffempi`, the serialised ResumeState as bytes. BVLC Caffe reads both kinds and passes over our own addition.
Of the policy plateau, as in SSD and Intel Caffe: 5 minimum_loss, 6 iter_last_event; datasets of those names (float, int32).
"""
from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from google.protobuf.message import DecodeError

from caffempi.errors import SnapshotError, WeightsError
from caffempi.proto import caffe_pb2
from caffempi.weights.blob import blob_pieces, parse_blob
from caffempi.weights.files import atomic_write
from caffempi.weights.model import Format
from caffempi.weights.source import binary_kind, is_hdf5, open_source, refuse_kind
from caffempi.weights.wire import (
    BYTES,
    FIXED32,
    VARINT,
    Fields,
    Piece,
    Source,
    bytes_field,
    expect,
    int_field,
    signed,
    varint,
    write_pieces,
)

if TYPE_CHECKING:
    from caffempi.weights.hdf5 import Node  # the module loads h5py: only where there is HDF5

_RESUME = caffe_pb2.SolverState.CAFFEMPI_FIELD_NUMBER
_INTEGERS = {1: "iter", 4: "current_step", 6: "iter_last_event"}


@dataclass
class State:
    """What a solver needs to go on.

    iter: updates done. learned_net: path of the weights, as it was written. current_step: steps taken by the multistep
    policy. history: the update rule's memory in net order (two-memory rules: all first ones, then all second ones).
    resume: our own additions, None in files of the original. minimum_loss (None: not in the file), iter_last_event: what
    the policy plateau remembers.
    """

    iter: int
    learned_net: str
    current_step: int
    history: list[np.ndarray] = field(default_factory=list)
    resume: caffe_pb2.ResumeState | None = None
    minimum_loss: float | None = None
    iter_last_event: int = 0


def read_state(path: str | os.PathLike[str]) -> State:
    """The state in a binary or HDF5 file; the content decides which. Raises WeightsError naming the path."""
    source = open_source(path)
    try:
        if is_hdf5(source):
            from caffempi.weights.hdf5 import open_hdf5
            with open_hdf5(path) as root:
                state = _from_hdf5(root)
        else:
            state = _from_wire(source)
        if min(state.iter, state.current_step, state.iter_last_event) < 0:
            raise WeightsError(f"corrupt: iter {state.iter}, current_step {state.current_step}, iter_last_event "
                               f"{state.iter_last_event}; none can be negative")
        if state.minimum_loss is not None and math.isnan(state.minimum_loss):
            raise WeightsError("corrupt: minimum_loss is not a number")
        return state
    except WeightsError as err:
        raise err.at(where=os.fspath(path)) from None


def write_state(path: str | os.PathLike[str], state: State, fmt: Format) -> None:
    """Saves a state, all or nothing (`atomic_write`), in one of snapshot_format's two formats. Raises SnapshotError."""
    def binary(out: BinaryIO) -> None:
        pieces: list[Piece] = [int_field(1, state.iter), *bytes_field(2, state.learned_net.encode())]
        for blob in state.history:
            pieces += bytes_field(3, *blob_pieces(blob))
        pieces.append(int_field(4, state.current_step))
        if state.minimum_loss is not None:
            pieces += [varint(5 << 3 | FIXED32) + np.float32(state.minimum_loss).tobytes(), int_field(6, state.iter_last_event)]
        if state.resume is not None:
            pieces += bytes_field(_RESUME, state.resume.SerializeToString(deterministic=True))
        write_pieces(out, pieces)

    try:
        if max(state.iter, state.current_step, state.iter_last_event) >= 1 << 31:
            raise SnapshotError(f"iteration {state.iter} does not fit into a solver state: 2147483647 is the largest")
        if fmt == "BINARYPROTO":
            atomic_write(path, binary)
        else:
            from caffempi.weights.hdf5 import dump_hdf5
            atomic_write(path, lambda out: dump_hdf5(out, lambda root: _fill(root, state)))
    except SnapshotError as err:
        raise err.at(where=os.fspath(path)) from None


def _from_wire(source: Source) -> State:
    refuse_kind(binary_kind(source), "state")
    state = State(iter=-1, learned_net="", current_step=0)
    for number, kind, value, end in Fields(source):
        if number in _INTEGERS:
            expect(number, kind, VARINT)
            setattr(state, _INTEGERS[number], signed(value, 32))
        elif number == 5:
            expect(number, kind, FIXED32)
            state.minimum_loss = float(np.frombuffer(source.data[value:end], "<f4")[0])
        elif number in (2, 3, _RESUME):
            expect(number, kind, BYTES)
            if number == 2:
                state.learned_net = source.data[value:end].decode("utf-8", "backslashreplace")
            elif number == 3:
                state.history.append(_history_blob(source, value, end, len(state.history)))
            else:
                state.resume = _resume(source.data[value:end])
    if state.iter == -1:
        raise WeightsError("holds no iteration: not a solver state, or corrupt")
    return state


def _history_blob(source: Source, start: int, end: int, index: int) -> np.ndarray:
    try:
        return parse_blob(source, start, end)
    except WeightsError as err:
        raise err.at(field=f"history[{index}]") from None


def _resume(raw: bytes) -> caffe_pb2.ResumeState:
    try:
        return caffe_pb2.ResumeState.FromString(raw)
    except DecodeError:
        raise WeightsError("its caffempi part (what exact continuation needs) is corrupt") from None


def _from_hdf5(root: Node) -> State:
    if not root.has("history"):
        refuse_kind("weights" if root.has("data") else None, "state")
        raise WeightsError("HDF5: there is no group /history: not a solver state")
    history = dict(root.child("history").children())
    if set(history) != set(map(str, range(len(history)))):
        raise WeightsError(f"HDF5: the members of /history must be called 0 to {len(history) - 1}: corrupt")
    return State(iter=root.child("iter").integer(),
                 learned_net=root.child("learned_net").text() if root.has("learned_net") else "",
                 current_step=root.child("current_step").integer(),
                 history=[history[str(k)].array() for k in range(len(history))],
                 resume=_resume(root.child("caffempi").content()) if root.has("caffempi") else None,
                 minimum_loss=_number(root.child("minimum_loss")) if root.has("minimum_loss") else None,
                 iter_last_event=root.child("iter_last_event").integer() if root.has("iter_last_event") else 0)


def _number(node: Node) -> float:
    values = node.array()
    if values.size != 1:
        raise WeightsError(f"HDF5: /minimum_loss holds {values.size} numbers: corrupt")
    return float(values.reshape(-1)[0])


def _fill(root: Any, state: State) -> None:
    from caffempi.weights.hdf5 import put_array, put_text
    root.create_dataset("iter", data=np.array([state.iter], np.int32))
    put_text(root, "learned_net", state.learned_net)
    root.create_dataset("current_step", data=np.array([state.current_step], np.int32))
    if state.minimum_loss is not None:
        root.create_dataset("minimum_loss", data=np.array([state.minimum_loss], np.float32))
        root.create_dataset("iter_last_event", data=np.array([state.iter_last_event], np.int32))
    history = root.create_group("history")
    for k, blob in enumerate(state.history):
        put_array(history, str(k), blob)
    if state.resume is not None:
        raw = state.resume.SerializeToString(deterministic=True)
        root.create_dataset("caffempi", data=np.frombuffer(raw, np.uint8))
