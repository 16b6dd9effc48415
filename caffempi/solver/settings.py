"""What a solver's text asks for: read, checked field by field, and the nets that it names.

Every field of SolverParameter is obeyed here, in `solver.py`, `schedule.py`, `policies.py`, `rules.py`, `local_rates.py` or
`snapshot.py`, or refused. solver_mode and
device_id say which device; the engine is chosen by argument, environment and what the machine has, so on a machine
without GPUs both are without effect.
"""
from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from caffempi.errors import CaffempiError, SolverError
from caffempi.proto import caffe_pb2
from caffempi.proto.caffe_pb2 import FLOAT, FLOAT16
from caffempi.proto.dialect import apply_dialect
from caffempi.proto.forks import extensions
from caffempi.proto.text import Places, read_net, read_solver
from caffempi.proto.upgrade import upgrade_solver
from caffempi.solver.local_rates import wanted
from caffempi.solver.rules import Rule, make_rule
from caffempi.solver.schedule import Schedule

OBEYED = frozenset({  # settings of forks
    "warmup_iter", "warmup_start_lr", "rampup_interval", "rampup_lr", "min_lr", "momentum_policy", "max_momentum",
    "momentum_power", "weight_decay_policy", "max_weight_decay", "weight_decay_power", "larc", "larc_policy", "larc_eta",
    "larc_turbo", "local_lr_auto", "local_gw_ratio", "test_offset", "plateau_winsize", "stagelr", "stageiter",
    "store_blobs_in_old_format"})
_TRAIN_FIELDS = ("net", "net_param", "train_net", "train_net_param")


class NetChoice(NamedTuple):
    """A net to be built: its message (a copy), places of its text, the state it is built in, and what the log says of it."""

    message: caffe_pb2.NetParameter
    places: Places | None
    state: caffe_pb2.NetState
    words: str


def _limit(low: float, high: float = math.inf, *, open_end: bool = False) -> Callable[[Any], str | None]:
    def check(value: Any) -> str | None:
        if math.isfinite(value) and low <= value and (value < high if open_end else value <= high):
            return None
        if high == math.inf:
            return "must be finite" if low == -math.inf else f"must be at least {low:g}"
        return f"must be from {low:g} to below {high:g}"
    return check


_SHARE, _FINITE = _limit(0, 1, open_end=True), _limit(-math.inf)
_LIMITS: dict[str, Callable[[Any], str | None]] = {
    "base_lr": _FINITE, "gamma": _FINITE, "power": _FINITE, "momentum": _SHARE, "weight_decay": _limit(0),
    "warmup_iter": _limit(0), "warmup_start_lr": _FINITE, "rampup_interval": _limit(0), "rampup_lr": _FINITE,
    "min_lr": _limit(0), "max_momentum": _SHARE, "momentum_power": _limit(0), "max_weight_decay": _limit(0),
    "weight_decay_power": _limit(0), "larc_eta": _limit(0), "local_gw_ratio": _limit(0), "test_offset": _FINITE,
    "clip_gradients": _FINITE, "delta": _limit(0), "momentum2": _SHARE, "rms_decay": _SHARE,
    "test_iter": _limit(1), "test_interval": _limit(0), "display": _limit(0), "average_loss": _limit(1),
    "max_iter": _limit(0), "iter_size": _limit(1), "snapshot": _limit(0), "device_id": _limit(0),
    "snapshot_type": lambda v: None if v in (FLOAT, FLOAT16) else "must be FLOAT or FLOAT16",
    "regularization_type": lambda v: None if v in ("L1", "L2") else 'must be "L1" or "L2"',
}


class Settings:
    """A checked solver. param: the message, upgraded; path: its file or None; train, tests: the nets that it names.

    level, stages: added to the state of the train net alone. type, seed (for random_seed): take the place of the
    text's. dialect: see `apply_dialect`. places: of a message, where it stands in a text. notes: what reading gave cause to
    say. Raises SolverError, NetError and TextError, with file:line.
    """

    def __init__(self, source: str | os.PathLike[str] | caffe_pb2.SolverParameter, *, allow_unknown: bool = False,
                 level: int = 0, stages: Sequence[str] = (), type: str | None = None, seed: int | None = None,
                 dialect: str | None = None, places: Places | None = None) -> None:
        self.path: str | None = None
        self.dialect = dialect
        self._places = places
        self._allow_unknown = allow_unknown
        self.notes: list[str] = []
        if isinstance(source, caffe_pb2.SolverParameter):
            self.param = caffe_pb2.SolverParameter()
            self.param.CopyFrom(source)
            self.notes += upgrade_solver(self.param)
        else:
            self.path = os.fspath(source)
            self.param, self._places = read_solver(self.path, allow_unknown=allow_unknown)
            self.notes += self._places.warnings + self._places.notes
        self.notes += apply_dialect(self.param, dialect)
        if type is not None:
            self.param.type = type
        if seed is not None:
            self.param.random_seed = seed
        try:
            self._check_forks()
            self._check_limits()
            if self.param.store_blobs_in_old_format and self.param.snapshot_type == FLOAT16:
                raise SolverError("asks for a notation that has no 16 bits", field="store_blobs_in_old_format", value="true",
                                  fix="remove it, or snapshot_type: FLOAT16")
            make_rule(self.param)
            Schedule(self.param)
            wanted(self.param)
            self._read: dict[str, tuple[caffe_pb2.NetParameter, Places]] = {}
            self.train = self._train_net(level, stages)
            self.tests = self._test_nets()
        except SolverError as e:
            raise self.placed(e) from None

    def schedule(self) -> Schedule:
        """A new schedule of learning rates."""
        return Schedule(self.param)

    def rule(self) -> Rule:
        """A new update rule."""
        return make_rule(self.param)

    def placed(self, error: CaffempiError) -> CaffempiError:
        """The error with the place of its field in the solver's text."""
        if self._places is None:
            return error
        name, _, index = (error.field or "").partition("[")
        return error.at(where=self._places.at(name, int(index.rstrip("]") or 0)) if name else self._places.filename)

    def _check_forks(self) -> None:
        """Settings of forks that nobody obeys: hints are noted, others refused."""
        for path, value, forks, hint in extensions(self.param, OBEYED):
            if not hint:
                raise SolverError(f"is a setting of {forks}, which has no meaning here", field=path, value=value,
                                  fix="remove it if the training means the same without it")
            self.notes.append(f"{path} of {forks} is without effect here")

    def _check_limits(self) -> None:
        for name, check in _LIMITS.items():
            value = getattr(self.param, name)
            repeated = not isinstance(value, str) and hasattr(value, "__len__")
            for k, v in enumerate(value if repeated else [value]):
                why = check(v)
                if why:
                    raise SolverError(why, field=f"{name}[{k}]" if repeated else name, value=_shown(name, v))

    def _train_net(self, level: int, stages: Sequence[str]) -> NetChoice:
        p = self.param
        given = [name for name in _TRAIN_FIELDS if p.HasField(name)]
        if not given:
            raise SolverError("the solver names no net to train", fix=f"set one of {', '.join(_TRAIN_FIELDS)}")
        if len(given) > 1:
            raise SolverError(f"{' and '.join(given)} are both given; exactly one names the net to train", field=given[1],
                              fix="remove one; nets for testing alone go in test_net")
        choice = self._choose(given[0], 0, caffe_pb2.TRAIN, p.train_state, "training net")
        if level:
            choice.state.level = level
        choice.state.stage.extend(stages)
        return choice

    def _test_nets(self) -> list[NetChoice]:
        p = self.param
        names = [("test_net_param", k) for k in range(len(p.test_net_param))]
        names += [("test_net", k) for k in range(len(p.test_net))]
        generic = next((name for name in ("net_param", "net") if p.HasField(name)), None)
        if generic:
            names += [(generic, 0)] * (len(p.test_iter) - len(names))
        if len(p.test_iter) != len(names):
            raise SolverError(f"{len(p.test_iter)} numbers of batches for {len(names)} test nets", field="test_iter",
                              fix="give one test_iter a test net")
        if names and not p.test_interval:
            raise SolverError("there are test nets, but no test_interval", field="test_interval",
                              fix="set it, or remove test_iter and the test nets")
        if len(p.test_state) not in (0, len(names)):
            raise SolverError(f"{len(p.test_state)} states for {len(names)} test nets", field="test_state",
                              fix="give one a test net, or none")
        empty = caffe_pb2.NetState()
        return [self._choose(name, k, caffe_pb2.TEST, p.test_state[i] if p.test_state else empty, f"test net (#{i})")
                for i, (name, k) in enumerate(names)]

    def _choose(self, field: str, index: int, phase: caffe_pb2.Phase, extra: caffe_pb2.NetState, role: str) -> NetChoice:
        """The net of a field; its state is the phase, then what the net's text says, then what the solver adds."""
        value = getattr(self.param, field)
        value = value[index] if field.startswith("test_") else value
        message = caffe_pb2.NetParameter()
        places: Places | None
        if isinstance(value, str):
            source, places = self._read_net(field, index, value)
            words = f"{role} specified by {field} file: {value}"
        else:
            source, words = value, f"{role} specified by {field}"
            places = self._places.below(field, index) if self._places else None
        message.CopyFrom(source)
        state = caffe_pb2.NetState()
        state.MergeFrom(message.state)
        state.MergeFrom(extra)
        state.phase = phase
        message.ClearField("state")
        return NetChoice(message, places, state, f"Creating {words}")

    def _read_net(self, field: str, index: int, path: str) -> tuple[caffe_pb2.NetParameter, Places]:
        if path not in self._read:
            if not os.path.exists(path):
                raise SolverError("there is no such file", field=f"{field}[{index}]" if field == "test_net" else field,
                                  value=path, fix=f"paths start from the working directory, {os.getcwd()}")
            self._read[path] = read_net(path, allow_unknown=self._allow_unknown)
            self.notes += self._read[path][1].warnings + self._read[path][1].notes
        return self._read[path]


def _shown(name: str, value: Any) -> str:
    """A field's value as the text has it."""
    kinds = caffe_pb2.SolverParameter.DESCRIPTOR.fields_by_name[name].enum_type
    return str(kinds.values_by_number[value].name) if kinds else value if isinstance(value, str) else f"{value:g}"
