"""Solver files of several phases (Intel Caffe): solvers that train one after another, each from the last one's weights.

    params_pair { solver_params { net: "a.prototxt" ... } batch_size: 64 }
    params_pair { batch_size: 256 }

A phase without solver_params has those of the phase before; without batch_size, that one's (at first the net's own).
Snapshots of phase j, from 0, begin with <prefix>_phase_<j>, the prefix being that of the first phase.
"""
from __future__ import annotations

import os
import re
from collections.abc import Sequence

from caffempi.errors import SolverError, TextError
from caffempi.proto.caffe_pb2 import MultiPhaseSolverParameter, SolverParameter
from caffempi.proto.scan import Scanner
from caffempi.proto.text import parse, read_text
from caffempi.proto.upgrade import upgrade_solver
from caffempi.solver.batches import set_batches
from caffempi.solver.settings import Settings
from caffempi.solver.snapshot import names_of

_FIELD = "params_pair"


def has_phases(path: str) -> bool:
    """Whether the file is one of several phases. Raises TextError for a file that cannot be read."""
    text = read_text(path)
    try:
        return Scanner(text, path).token == _FIELD             # such a file holds nothing else
    except TextError:
        return False                                           # whoever reads it whole says what is wrong


def read_phases(path: str, *, allow_unknown: bool = False, level: int = 0, stages: Sequence[str] = (),
                seed: int | None = None, dialect: str | None = None) -> list[Settings]:
    """The settings of all phases in order. All but the last write a snapshot at their end, and the others start from it.

    level, stages, seed, dialect: as of Settings. Raises TextError, SolverError and NetError as Settings does.
    """
    message = MultiPhaseSolverParameter()
    places = parse(read_text(path), message, path, allow_unknown=allow_unknown)
    phases: list[Settings] = []
    source, at, prefix, batch = SolverParameter(), places, os.path.splitext(path)[0], 0
    for j, pair in enumerate(message.params_pair):
        inner = places.below(_FIELD, j)
        if pair.HasField("solver_params"):
            source, at = pair.solver_params, inner.below("solver_params")
            upgrade_solver(source, at)
        elif j == 0:
            raise SolverError("the first phase has no solver_params", where=places.at(_FIELD), fix="add them")
        p = SolverParameter()
        p.CopyFrom(source)
        prefix = source.snapshot_prefix or prefix if j == 0 else prefix
        p.snapshot_prefix = f"{prefix}_phase_{j}"
        if j < len(message.params_pair) - 1:
            p.snapshot_after_train = True
        if j:
            p.ClearField("weights")
            p.weights.append(_last_model(phases[-1]))
        settings = Settings(p, allow_unknown=allow_unknown, level=level, stages=stages, seed=seed, dialect=dialect, places=at)
        if pair.HasField("batch_size"):
            batch = pair.batch_size
            if not batch:
                raise SolverError("must be at least 1", field="batch_size", value=0, where=inner.at("batch_size"))
        if batch:
            try:
                set_batches(settings.train, batch)
            except SolverError as e:
                raise e.at(where=inner.at("batch_size")) from None
        phases.append(settings)
    return phases


def phase_of(state: str, phases: Sequence[Settings]) -> int:
    """The phase whose snapshot a state is, by its name. Raises SolverError where the name tells none."""
    found = re.search(r"_phase_(\d+)_iter_\d+\.solverstate(\.h5)?$", os.path.basename(state))
    if not found or int(found[1]) >= len(phases):
        raise SolverError(f"{state} is no state of one of these {len(phases)} phases",
                          fix="give one whose name has _phase_<number>_iter_<iteration>")
    return int(found[1])


def _last_model(settings: Settings) -> str:
    """The weights that a phase ends with."""
    if not settings.param.HasField("max_iter"):
        raise settings.placed(SolverError("is missing: how long is this phase?", field="max_iter",
                                          fix="set it to the number of iterations"))
    return names_of(settings).model(settings.param.max_iter)
