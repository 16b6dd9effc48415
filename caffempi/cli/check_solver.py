"""All problems of a solver, and of the nets that it names, that show without data.

A field at fault is noted, then taken out (or put right), and the settings are read again, so that one fault does not hide
the next.
"""
from __future__ import annotations

import os
from collections.abc import Mapping

from caffempi.cli.check_net import check_net, check_net_file, has_loss, never_learned, note_reading, read_text
from caffempi.cli.inputs import Shape
from caffempi.cli.problems import ERROR, WARNING, Problems
from caffempi.errors import CaffempiError, SolverError
from caffempi.ops.graph import Graph
from caffempi.proto.caffe_pb2 import Phase, SolverParameter
from caffempi.proto.places import Places
from caffempi.proto.text import read_solver
from caffempi.solver.phases import has_phases, read_phases
from caffempi.solver.policies import POLICIES
from caffempi.solver.settings import Settings

_NETS = {"net": ("TRAIN", "TEST"), "train_net": ("TRAIN",), "test_net": ("TEST",)}
_RATE_FIELDS = ("gamma", "power", "stepsize", "stepvalue", "stagelr", "stageiter", "plateau_winsize")
_LISTS = ("stepvalue", "stagelr", "stageiter", "plateau_winsize")
_MOST_FAULTS = 100


def check_solver_file(path: str, shapes: Mapping[str, Shape], problems: Problems, allow_unknown: bool = False,
                      no_data: bool = False) -> None:
    """Checks a solver's file and its nets; of one of several phases, each phase up to the first fault of its settings."""
    try:
        phases = read_phases(path, allow_unknown=allow_unknown) if has_phases(path) else []
    except CaffempiError as e:
        problems.error(e, path)
        return
    for settings in phases:
        _check_built(settings, path, shapes, problems, no_data)
    if phases:
        return
    found = read_text(read_solver, path, problems, allow_unknown)
    if found is None:
        return
    param, places = found
    _check_settings(param, places, problems)
    if not param.HasField("max_iter"):
        problems.add(ERROR, path, "field max_iter: is missing: how long is the training?")
    _unused(param, places, problems)
    _check_nets(path, param, places, shapes, problems, allow_unknown, no_data)


def _check_settings(param: SolverParameter, places: Places, problems: Problems) -> None:
    """Every fault of the solver's own fields."""
    p = SolverParameter()
    p.CopyFrom(param)
    for name in _NETS:
        for k, value in enumerate(p.test_net if name == "test_net" else [p.net if name == "net" else p.train_net]):
            if not value:
                continue
            if not os.path.exists(value):
                problems.error(SolverError("there is no such file", field=name, value=value, where=places.at(name, k),
                               fix=f"paths start from the working directory, {os.getcwd()}"), places.filename)
            if name == "test_net":                             # the nets have their own check: here they are empty ones
                p.test_net[k] = os.devnull
            else:
                setattr(p, name, os.devnull)
    said: set[str] = set()
    for _ in range(_MOST_FAULTS):
        try:
            Settings(p)
            return
        except CaffempiError as e:
            field, _, index = (e.field or "").partition("[")
            e.at(where=places.at(field, int(index.rstrip("]") or 0)) if field else places.filename)
            if str(e) not in said:
                problems.error(e, places.filename)
            if not _put_right(p, field, repeated=str(e) in said):
                return
            said.add(str(e))


def _put_right(p: SolverParameter, field: str, repeated: bool) -> bool:
    """Takes the fault out of the settings, as far as it is known how; False where it is not."""
    if field in (*_RATE_FIELDS, "lr_policy"):
        p.lr_policy = "fixed"
        for name in _RATE_FIELDS:
            p.ClearField(name)
    elif field == "base_lr":
        p.base_lr = 0.01
    elif field == "max_iter":
        p.max_iter = 1
    elif field in ("test_iter", "test_interval", "test_state") and (repeated or field == "test_iter"):
        for name in ("test_iter", "test_state", "test_net", "test_net_param"):
            p.ClearField(name)
    elif not field:
        if repeated:
            return False
        p.net = os.devnull
    elif field in p.DESCRIPTOR.fields_by_name:
        if repeated:
            return False
        p.ClearField(field)
    else:
        return False
    return True


def _unused(p: SolverParameter, places: Places, problems: Problems) -> None:
    """Fields that are legal and without effect."""
    needs = POLICIES.get(p.lr_policy).needs if p.lr_policy in POLICIES else None
    for name in _RATE_FIELDS if needs is not None else ():
        given = len(getattr(p, name)) > 0 if name in _LISTS else p.HasField(name)
        if given and needs is not None and name not in needs:
            problems.add(WARNING, places.at(name), f'field {name}: lr_policy "{p.lr_policy}" does not use it')
    if p.test_interval and not (p.test_iter or p.test_net or p.test_net_param):
        problems.add(WARNING, places.at("test_interval"), "field test_interval: there is no test_iter, so nothing is tested")
    for name, rule in (("momentum2", "Adam"), ("rms_decay", "RMSProp")):
        if p.HasField(name) and p.type != rule:
            problems.add(WARNING, places.at(name), f'field {name}: a solver of type "{p.type}" does not use it')
    if p.snapshot and p.HasField("max_iter") and p.snapshot > p.max_iter:
        problems.add(WARNING, places.at("snapshot"), f"field snapshot = {p.snapshot}: is above max_iter {p.max_iter}")
    if len(p.stepvalue) and p.HasField("max_iter") and p.stepvalue[-1] >= p.max_iter:
        problems.add(WARNING, places.at("stepvalue", len(p.stepvalue) - 1),
                     f"field stepvalue = {p.stepvalue[-1]}: the training ends before, at max_iter {p.max_iter}")


def _check_nets(path: str, param: SolverParameter, places: Places, shapes: Mapping[str, Shape], problems: Problems,
                allow_unknown: bool, no_data: bool) -> None:
    """The nets in the states in which the solver builds them; where it cannot, its files in their usual phases."""
    try:
        settings = Settings(path, allow_unknown=allow_unknown)
    except CaffempiError:
        for name, phases in _NETS.items():
            for value in param.test_net if name == "test_net" else [param.net if name == "net" else param.train_net]:
                if value and os.path.exists(value):
                    check_net_file(value, phases, 0, (), shapes, problems, allow_unknown, no_data)
        return
    _check_built(settings, places.filename, shapes, problems, no_data)


def _check_built(settings: Settings, path: str, shapes: Mapping[str, Shape], problems: Problems, no_data: bool) -> None:
    """The nets of settings that are good, in their states."""
    built: dict[str, Graph | None] = {}
    for choice in [settings.train, *settings.tests]:
        if choice.places is not None:
            note_reading(choice.places, problems)
        graph = check_net(choice.message, choice.places, choice.state, shapes, problems, no_data)
        built.setdefault(Phase.Name(choice.state.phase), graph)
    problems.enter("")
    if not has_loss(settings.train.message, settings.train.state):
        problems.add(ERROR, path, "the net to train has no loss, so nothing is learned; add a loss layer, or set "
                     "a loss_weight")
    if settings.train.places is not None:
        never_learned(built, settings.train.places, problems)
