"""Snapshots: a file of weights and one of the solver's state, under Caffe's names, each written whole or not at all.

    <prefix>_iter_<iteration>.caffemodel[.h5]      <prefix>_iter_<iteration>.solverstate[.h5]

The model is written first, so that a state never names weights that are not there.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from caffempi.errors import SnapshotError, WeightsError
from caffempi.net import Net
from caffempi.plan.params import ParamArena
from caffempi.proto.caffe_pb2 import FLOAT16, ResumeState, SolverParameter
from caffempi.solver.policy import Policy
from caffempi.solver.report import Report
from caffempi.solver.settings import Settings
from caffempi.weights import State, atomic_write, shapes_match, write_state, write_weights
from caffempi.weights.half import halved, halved_layers
from caffempi.weights.model import Format


class Names(NamedTuple):
    """Where snapshots go. prefix: start of all paths, None where none is known (a solver given as a message without one)."""

    prefix: str | None
    fmt: Format

    def model(self, iteration: int) -> str:
        """Path of the weights."""
        return self._path(iteration, "caffemodel")

    def state(self, iteration: int) -> str:
        """Path of the solver's state."""
        return self._path(iteration, "solverstate")

    def _path(self, iteration: int, kind: str) -> str:
        return f"{self.need()}_iter_{iteration}.{kind}{'.h5' if self.fmt == 'HDF5' else ''}"

    def need(self) -> str:
        """The prefix. Raises SnapshotError where there is none."""
        if self.prefix is None:
            raise SnapshotError("a snapshot has no name: the solver is not from a file", field="snapshot_prefix",
                                fix="set snapshot_prefix")
        return self.prefix


def names_of(settings: Settings) -> Names:
    """Caffe's rules: snapshot_prefix as it is; a folder: <folder>/<the solver file's stem>; none: the file without its end."""
    p = settings.param
    stem = os.path.splitext(settings.path)[0] if settings.path is not None else None
    prefix: str | None = p.snapshot_prefix if p.HasField("snapshot_prefix") else stem
    if prefix is not None and os.path.isdir(prefix):
        prefix = os.path.join(prefix, os.path.basename(stem) if stem is not None else "solver")
    return Names(prefix, "HDF5" if p.snapshot_format == SolverParameter.HDF5 else "BINARYPROTO")


def probe(names: Names) -> SnapshotError | None:
    """Writes and removes <prefix>_iter_0.tempfile, so that a training does not end in a file that cannot be written.

    Returns the error, with path, reason and a way out, where that is so.
    """
    path = f"{names.need()}_iter_0.tempfile"
    try:
        atomic_write(path, lambda file: None)
        os.unlink(path)
    except SnapshotError as e:
        e.why = f"snapshots {e.why}"
        return e.at(field="snapshot_prefix", value=names.prefix)
    return None


def write(names: Names, iteration: int, net: Net, policy: Policy, resume: ResumeState, p: SolverParameter,
          report: Report) -> None:
    """Both files, with their lines in the log: the net's weights, with snapshot_diff the last update values beside them, and
    the state. snapshot_type FLOAT16: weights and history in 16 bits, but for blobs that lose by it. Raises SnapshotError."""
    model, path, half = names.model(iteration), names.state(iteration), p.snapshot_type == FLOAT16
    layers = net.layer_records(p.snapshot_diff)
    state = state_of(iteration, model, policy, history_of(net.arena), resume)
    if half:
        layers = halved_layers(layers)
        # a mean square of 0 would be divided by
        state = replace(state, history=[halved([blob], vanish=False)[0] for blob in state.history])
    report.snapshot(model, None, names.fmt == "HDF5")
    write_weights(model, net.name, layers, names.fmt)
    report.snapshot(model, path, names.fmt == "HDF5")
    write_state(path, state, names.fmt)
    for what, blobs in (("weights", [blob for layer in layers for blob in layer.blobs]), ("history", state.history)):
        wide = sum(blob.dtype != np.float16 for blob in blobs)
        if half and wide:
            report.line(f"snapshot_type FLOAT16: {wide} of {len(blobs)} blobs of {what} hold numbers that 16 bits do not, and "
                        "stay as they are")


def history_of(arena: ParamArena) -> list[np.ndarray]:
    """The update rule's memory as files have it: in net order, all params' first arrays, then all second ones."""
    return [arena.view(p, memory) for memory in map(arena.engine.get, arena.hist) for p in arena.net_order]


def state_of(iteration: int, model: str, policy: Policy, history: list[np.ndarray], resume: ResumeState) -> State:
    """A state to be written; what the policy plateau remembers is in it only where that policy is used."""
    state = State(iteration, model, policy.current_step, history, resume)
    if policy.watches_loss:
        state.minimum_loss, state.iter_last_event = policy.minimum_loss, policy.iter_last_event
    return state


def put_history(arena: ParamArena, found: Sequence[np.ndarray], solver_type: str) -> None:
    """Takes a file's history; all of it is checked before any is copied. Raises WeightsError where it is another net's."""
    memories = [arena.engine.get(memory) for memory in arena.hist]
    wanted = [arena.view(p, memory) for memory in memories for p in arena.net_order]
    if len(found) != len(wanted):
        raise WeightsError(f"the state holds {len(found)} history blobs, a {solver_type} solver of this net needs "
                           f"{len(wanted)}: it belongs to another net or another solver type", fix=_FIX)
    names = [p.name for _ in arena.hist for p in arena.net_order]
    for name, mine, blob in zip(names, wanted, found, strict=True):
        if not shapes_match(blob.shape, mine.shape):
            raise WeightsError(f"the state belongs to another net: its history of param {name} has shape "
                               f"{list(blob.shape)}, the net's has {list(mine.shape)}", fix=_FIX)
    for mine, blob in zip(wanted, found, strict=True):
        np.copyto(mine, blob.reshape(mine.shape), casting="same_kind")
    for memory, values in zip(arena.hist, memories, strict=True):
        arena.engine.put(memory, values)


_FIX = "resume with the net and solver that wrote the state, or start from its weights alone (--weights)"


def find_model(state: State, path: str) -> str:
    """The weights that belong to a state: learned_net as it is written, else a file of that name beside the state.

    Raises WeightsError naming both places where there is none.
    """
    if not state.learned_net:
        raise WeightsError("the state names no weights", where=path,
                           fix="give a state that a snapshot wrote, or start from weights alone (--weights)")
    beside = os.path.join(os.path.dirname(path), os.path.basename(state.learned_net))
    for candidate in (state.learned_net, beside):
        if os.path.isfile(candidate):
            return candidate
    both = state.learned_net if beside == state.learned_net else f"{state.learned_net} or {beside}"
    raise WeightsError(f"the weights of this state are missing: there is no {both}", where=path,
                       fix="put the .caffemodel beside the .solverstate")
