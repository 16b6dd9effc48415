"""Defaults that differ between forks under one name: a dialect says whose hold where the text says nothing.

    bvlc       BVLC Caffe (the schema's own defaults)
    nvcaffe    NVCaffe 0.17: no test before the first iteration; BatchNorm's use_global_stats: false means unset
    caffempi2  Caffe-MPI 2: BatchNorm's eps is 1e-4, rms_decay has no default (0); use_global_stats as NVCaffe
    intel      Intel Caffe: as BVLC
    ssd        SSD: as BVLC
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from caffempi.errors import UsageError, did_you_mean
from caffempi.proto.caffe_pb2 import NetParameter, SolverParameter
from caffempi.proto.forks import FORK_TYPES, extensions


class Default(NamedTuple):
    """A default of a dialect: of a solver (layer type "") or of a layer type's message."""

    type: str
    param: str
    field: str
    value: float | bool


_DEFAULTS: dict[str, tuple[Default, ...]] = {
    "bvlc": (), "intel": (), "ssd": (),
    "nvcaffe": (Default("", "", "test_initialization", False),),
    "caffempi2": (Default("", "", "rms_decay", 0.0), Default("BatchNorm", "batch_norm_param", "eps", 1e-4)),
}
_STATS_WHEN_FALSE = ("nvcaffe", "caffempi2")  # in TEST they use running statistics whatever use_global_stats says
_NAMES = {"NVCaffe": "nvcaffe", "Caffe-MPI": "caffempi2", "Intel Caffe": "intel", "SSD": "ssd"}

DIALECTS = tuple(sorted(_DEFAULTS))


def apply_dialect(message: NetParameter | SolverParameter, dialect: str | None = None) -> list[str]:
    """Puts a dialect's defaults into an upgraded net, or a solver and the nets inside it, in place; returns notes.

    None: the dialect that a setting or a layer type proves, else BVLC's defaults. Raises UsageError for an unknown dialect.
    """
    if dialect is None:
        dialect, why = guess_dialect(message)
        how = f"dialect {dialect}, which {why} proves" if dialect else ""
    else:
        how = f"dialect {dialect}"
    if not dialect:
        return []
    if dialect not in _DEFAULTS:
        raise UsageError(f'unknown dialect "{dialect}"',
                         fix=f"{did_you_mean(dialect, DIALECTS)} known: {', '.join(DIALECTS)}".strip())
    changed = _solver(message, dialect) if isinstance(message, SolverParameter) else _net(message, dialect)
    return [f"{how}: {', '.join(changed) if changed else 'no default differs here'}"]


def guess_dialect(message: NetParameter | SolverParameter) -> tuple[str | None, str]:
    """The one dialect whose fork has every setting and layer type of forks that the message uses, and one of them as proof.

    (None, "") where there is none, or more than one fits.
    """
    left, proof = set(_NAMES.values()), ""
    for name, forks in _marks(message):
        fits = left & {_NAMES[fork] for fork in forks.split(", ") if fork in _NAMES}
        if fits and fits != left:
            left, proof = fits, proof if len(left) == 1 else name
    return (left.pop(), proof) if len(left) == 1 else (None, "")


def _marks(message: NetParameter | SolverParameter) -> Iterable[tuple[str, str]]:
    """What is of forks in a message: (name, forks) each."""
    yield from ((e.path, e.forks) for e in extensions(message))
    for layer in message.layer if isinstance(message, NetParameter) else ():
        if layer.type in FORK_TYPES:
            yield f"layer type {layer.type}", FORK_TYPES[layer.type]
        yield from ((e.path, e.forks) for e in extensions(layer))


def _solver(solver: SolverParameter, dialect: str) -> list[str]:
    changed = []
    for d in _DEFAULTS[dialect]:
        if not d.type and not solver.HasField(d.field):
            setattr(solver, d.field, d.value)
            changed.append(f"{d.field} is {_words(d.value)}")
    nets = [getattr(solver, name) for name in ("net_param", "train_net_param") if solver.HasField(name)]
    for net in [*nets, *solver.test_net_param]:
        changed += _net(net, dialect)
    return changed


def _net(net: NetParameter, dialect: str) -> list[str]:
    changed: dict[str, int] = {}
    for layer in net.layer:
        for d in _DEFAULTS[dialect]:
            if d.type == layer.type and not getattr(layer, d.param).HasField(d.field):
                setattr(getattr(layer, d.param), d.field, d.value)
                what = f"{d.param}.{d.field} is {_words(d.value)}"
                changed[what] = changed.get(what, 0) + 1
        stats = layer.batch_norm_param
        if (dialect in _STATS_WHEN_FALSE and layer.type == "BatchNorm" and stats.HasField("use_global_stats")
                and not stats.use_global_stats):
            stats.ClearField("use_global_stats")
            what = "batch_norm_param.use_global_stats: false is as if unset"
            changed[what] = changed.get(what, 0) + 1
    return [f"{what} in {count} layer(s)" for what, count in changed.items()]


def _words(value: float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"
