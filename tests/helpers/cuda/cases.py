"""Calls to hold kernels to: forward calls that test files list, and all that their gradient rules emit behind them."""
from __future__ import annotations

import importlib
import pkgutil
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from caffempi.engines.base import Call
from caffempi.ops import Graph, Spec, get_op
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.graph import Node
from caffempi.ops.philox import Rng


@dataclass(frozen=True, eq=False)
class Case:
    """A forward call. ins, state: shapes, filled by normal numbers of that `scale`, or arrays as they are.

    slack: how much larger than by rounding alone results may differ (sums of many terms, roots of differences).
    outs: shapes of the outs, for an op that does not say them itself. alone: no gradients. rounds: the kernels go on from what
    they have rounded, so that results in float32 too differ by what 16 bits do.
    """

    op: str
    attrs: Any = None
    ins: Sequence[Any] = ()
    state: Sequence[Any] = ()
    scale: float = 2.0
    slack: float = 1.0
    alone: bool = False
    outs: Sequence[tuple[int, ...]] | None = None
    rounds: bool = False

    def __str__(self) -> str:
        text = "-".join("x".join(map(str, getattr(a, "shape", a))) or "scalar" for a in [*self.ins, *(self.outs or ())])
        return f"{self.op}-{text}"


class Recorded(NamedTuple):
    """A call with the arrays that it reads, all float32 or whole numbers; like: shapes of a gradient's outs are in call."""

    call: Call
    ins: tuple[np.ndarray, ...]
    state: tuple[np.ndarray, ...]
    rng: Rng | None
    slack: float
    rounds: bool = False


def chain(ops: Sequence[str], attrs: Sequence[Any], ins: Sequence[Sequence[Any]], **more: Any) -> Case:
    """A case of a fused chain; ins: of each op those that come from outside."""
    given = FusedAttrs(tuple(ops), tuple(attrs), tuple(map(len, ins)))
    return Case("fused", given, [a for part in ins for a in part], **more)


def record(case: Case) -> list[Recorded]:
    """The case's forward call and every call of its gradients, each with the ins that it has when the definitions run."""
    rand = np.random.default_rng(zlib.crc32(f"{case}|{case.attrs}".encode()))

    def fill(a: Any) -> np.ndarray:
        if isinstance(a, np.ndarray):
            return a
        return np.asarray(rand.standard_normal(a) * case.scale, np.float32)

    graph = Graph(dtype="float32")
    arrays: dict[int, np.ndarray] = {}
    ins, state = [], []
    for given, values, kind in ((case.ins, ins, "in"), (case.state, state, "stat")):
        for a in map(fill, given):
            values.append(graph.value(Spec(a.shape, str(a.dtype)), kind))
            arrays[values[-1].id] = a
    if case.outs is None:
        outs = graph.emit(case.op, case.attrs, ins, state)
    else:
        outs = graph.emit_grad(case.op, case.attrs, ins, [graph.value(Spec(shape), "act") for shape in case.outs])
    rule, node = get_op(case.op), graph.nodes[0]
    if "dynamic" in rule.effects:
        for v, spec in zip(outs, rule.actual(case.attrs, [arrays[v.id] for v in ins]), strict=True):
            v.spec = spec
    made = [_run(node, arrays, case)]
    if case.alone or rule.grad in ("none", "refuse"):
        return made
    douts = []
    for v in outs:
        douts.append(graph.value(v.spec, "seed", like=v))
        arrays[douts[-1].id] = fill(v.spec.shape)
    wanted = rule.differentiable if rule.differentiable is not None else range(len(ins))
    rule.backward(graph, node, douts, [i in wanted for i in range(len(ins))])
    return made + [_run(n, arrays, case) for n in graph.nodes[1:]]


def _run(node: Node, arrays: dict[int, np.ndarray], case: Case) -> Recorded:
    """Runs the definition of a node; keeps what it read."""
    rule = get_op(node.op)
    ins = tuple(arrays[v.id].copy() for v in node.ins)
    state = tuple(arrays[v.id].copy() for v in node.state)
    rng = Rng(7, node.op, "layer") if "rng" in rule.effects else None
    if rng is not None:
        rng.run = 2**32 + 3
    outs, saved = ([np.zeros(v.spec.shape, v.spec.dtype) for v in values] for values in (node.outs, node.saved))
    with np.errstate(all="ignore"):
        rule.forward(node.attrs, ins, outs, saved, [arrays[v.id] for v in node.state], rng)
    for v, a in zip([*node.outs, *node.saved], [*outs, *saved], strict=True):
        arrays[v.id] = a

    def specs(values: Sequence[Any]) -> tuple[Spec, ...]:
        return tuple(v.spec for v in values)
    call = Call(node.op, node.attrs, specs(node.ins), specs(node.outs), specs(node.saved), specs(node.state))
    return Recorded(call, ins, state, rng, case.slack, case.rounds)


def all_cases() -> list[Case]:
    """The cases of all families' test files."""
    package = importlib.import_module("tests.engines.cuda.rules")
    modules = [importlib.import_module(f"{package.__name__}.{m.name}") for m in pkgutil.iter_modules(package.__path__)]
    return [case for module in modules for case in getattr(module, "CASES", ())]
