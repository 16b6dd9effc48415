"""Building a solver's nets, and what all ranks must have alike before they train them."""
from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message

from caffempi import __version__
from caffempi.net import Net
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.report import Report
from caffempi.solver.settings import NetChoice, Settings


def build_nets(settings: Settings, seed: int, options: Mapping[str, Any], report: Report) -> tuple[Net, list[Net]]:
    """The train net and the test nets, which share its params by layer name. options: of Net. Raises as Net does."""
    said: set[str] = set()

    def make(choice: NetChoice, params_of: Net | None) -> Net:
        report.line(choice.words)
        wish = {"loss_scale": "none"} if params_of is not None else {}
        scores = params_of is not None and bool(options.get("optimised"))   # observed, a user may run it backward
        made = Net(choice.message, choice.state.phase, choice.state.level, tuple(choice.state.stage),
                   places=choice.places, params_of=params_of, seed=seed, forward_only=scores,
                   updated=params_of is None and settings.param.iter_size == 1, **{**options, **wish})
        for line in [line for line in made.notes if line not in said]:
            report.line(line)
        said.update(made.notes)
        return made

    net = make(settings.train, None)
    tests = [make(choice, net) for choice in settings.tests]
    engine, p = net.plan.engine, settings.param
    report.line(f"Engine: {engine.name}" + (f", precision {engine.precision}" if engine.precision != "fp32" else ""))
    if net.loss_scale is not None:
        report.line(f"Loss scale: {net.loss_scale}")
    if p.HasField("solver_mode") and p.solver_mode == SolverParameter.GPU and engine.device == "cpu":
        report.warn("solver_mode: GPU asks for what this engine is not: training on the CPU")
    return net, tests


def digests(settings: Settings, net: Net, tests: list[Net]) -> dict[str, str]:
    """What Exchange.start compares over ranks, by name. Of a net's data and batch only its text tells, not its digest."""
    found = {"caffempi": __version__, "solver": _hash(settings.param, settings.train.state), "dtype": net.arena.dtype,
             "net": f"{net.digest} {_hash(net.message)}", "loss scale": str(net.loss_scale)}
    return found | {f"test net {k}": f"{test.digest} {_hash(test.message)}" for k, test in enumerate(tests)}


def _hash(*messages: Message) -> str:
    return hashlib.sha256(b"".join(m.SerializeToString(deterministic=True) for m in messages)).hexdigest()


def batch_of(net: Net) -> int:
    """Records a pass takes on one rank; 0 for a net without data layers."""
    shapes = [shape for feed in net.feeds.values() for shape in feed.shapes() if shape]
    return shapes[0][0] if shapes else 0
