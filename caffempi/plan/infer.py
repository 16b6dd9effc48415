"""Shapes for a run: every value's spec from the shapes of the inputs, by the ops' own rules."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from caffempi.errors import CaffempiError
from caffempi.ops.fused import Fused
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.op import get_op
from caffempi.ops.shapes import check_size
from caffempi.plan.plan import Plan


def infer_specs(plan: Plan, shapes: Mapping[str, tuple[int, ...]],
                known: Mapping[int, tuple[Spec, ...]] | None = None, until: int | None = None) -> dict[int, Spec]:
    """Value id -> Spec, given the shapes of the blobs that come from outside (inputs and data sources).

    known: for forward nodes with effect 'dynamic', by index, the shapes that their outs had when they ran; others get the
    upper bounds that infer gives. until: only forward nodes before this index (default: all nodes).

    Raises ShapeError with the layer's name, type and place where something does not fit.
    """
    graph = plan.graph
    specs: dict[int, Spec] = {}
    for v in graph.values:
        if v.kind in ("param", "stat"):
            specs[v.id] = v.spec
        elif v.kind == "in" and v.blob is not None:
            specs[v.id] = Spec(tuple(shapes.get(v.blob, v.spec.shape)), v.spec.dtype)
        elif v.kind == "seed" and v.like is None:
            specs[v.id] = v.spec
    for at, n in enumerate(plan.forward[:until]):
        _forward(graph, n, specs, (known or {}).get(at))
    for n in plan.backward if until is None else ():
        for v in n.outs:
            specs[v.id] = specs[_primal(v).id]
    for v in graph.values:
        if v.id not in specs and v.like is not None and _primal(v).id in specs:
            specs[v.id] = specs[_primal(v).id]
    return specs


def _primal(v: Value) -> Value:
    while v.like is not None:
        v = v.like
    return v


def _forward(graph: Graph, n: Node, specs: dict[int, Spec], known: Sequence[Spec] | None) -> None:
    rule = get_op(n.op)
    ins = [specs[v.id] for v in n.ins]
    try:
        outs = rule.infer(n.attrs, ins) if known is None else list(known)
        for s in outs:
            check_size(s.shape)
        saved = rule.saved(n.attrs, ins, outs) if n.saved else []
    except CaffempiError as e:
        info = graph.layers[n.layer]
        raise e.at(layer=info.name, type=info.type, where=n.where) from e.__cause__
    between = rule.inner(n.attrs, ins) if isinstance(rule, Fused) else []
    kept = [v for v in n.state if v.kind == "state"]
    states = rule.state_specs(n.attrs, ins) if kept else []
    for v, s in zip([*n.outs, *n.saved, *n.inner, *kept], [*outs, *saved, *between, *states], strict=True):
        specs[v.id] = s
