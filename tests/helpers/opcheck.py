"""Runs single ops by their NumPy definition, and checks emitted gradients against finite differences in float64."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caffempi.ops import Graph, Spec, Value, get_op
from caffempi.ops.philox import Rng


def run_nodes(graph: Graph, arrays: dict[int, np.ndarray], seed: int = 1) -> None:
    """Executes all nodes in order; arrays: value id -> array, extended by what the nodes make."""
    for node in graph.nodes:
        rule = get_op(node.op)
        ins = [arrays[v.id] for v in node.ins]
        if rule.alias:
            for v in node.outs:
                arrays[v.id] = ins[0].reshape(v.spec.shape)
            continue
        specs = rule.infer(node.attrs, [Spec(a.shape, str(a.dtype)) for a in ins]) if not node.outs or node.outs[0].like is None \
            else [v.like.spec for v in node.outs if v.like is not None]
        outs = [np.full(s.shape, np.nan if np.dtype(s.dtype).kind == "f" else 77, s.dtype) for s in specs]
        saved = [np.zeros(v.spec.shape, v.spec.dtype) for v in node.saved]
        rng = Rng(seed, node.op, str(node.layer)) if "rng" in rule.effects else None
        rule.forward(node.attrs, ins, outs, saved, [arrays[v.id] for v in node.state], rng)
        for v, a in zip([*node.outs, *node.saved], [*outs, *saved], strict=True):
            assert a.shape == v.spec.shape, f"{node.op}: {a.shape} is not what infer said, {v.spec.shape}"
            arrays[v.id] = a


def forward(op: str, attrs: Any, ins: Sequence[np.ndarray], state: Sequence[np.ndarray] = (), seed: int = 1) -> list[np.ndarray]:
    """The outs of one op on those arrays."""
    graph, values, svalues = _graph(ins, state)
    outs = graph.emit(op, attrs, values, svalues)
    arrays = {v.id: a for v, a in zip([*values, *svalues], [*ins, *state], strict=True)}
    run_nodes(graph, arrays, seed)
    return [arrays[v.id] for v in outs]


def gradients(op: str, attrs: Any, ins: Sequence[np.ndarray], douts: Sequence[np.ndarray | None],
              need: Sequence[bool] | None = None, state: Sequence[np.ndarray] = (), seed: int = 1) -> list[np.ndarray | None]:
    """The gradients that the op's emitted backward nodes compute; None where the rule says zero."""
    graph, values, svalues = _graph(ins, state)
    outs = graph.emit(op, attrs, values, svalues)
    arrays = {v.id: a for v, a in zip([*values, *svalues], [*ins, *state], strict=True)}
    seeds: list[Value | None] = []
    for v, d in zip(outs, douts, strict=True):
        dv = None if d is None else graph.value(v.spec, "seed", like=v)
        if dv is not None and d is not None:
            arrays[dv.id] = d
        seeds.append(dv)
    got = get_op(op).backward(graph, graph.nodes[0], seeds, list(need) if need is not None else [True] * len(ins))
    run_nodes(graph, arrays, seed)
    return [None if v is None else arrays[v.id] for v in got]


def check_gradient(op: str, attrs: Any, ins: Sequence[np.ndarray], wrt: Sequence[int] | None = None, outs: Sequence[int] | None = None,
                   state: Sequence[np.ndarray] = (), eps: float = 1e-5, tol: float = 1e-6, seed: int = 1,
                   skip: float = 0.0) -> None:
    """Holds emitted gradients to central differences of sum(out * random), for the ins in `wrt` (default: all differentiable).

    outs: the outs that carry a gradient (default all). skip: elements of an in with |x| < skip are left out (kinks at 0).
    Each requested subset of gradients must equal the full answer.
    """
    ins = [np.asarray(a, np.float64) for a in ins]
    state = [np.asarray(a, np.float64) for a in state]
    rule = get_op(op)
    wrt = list(wrt) if wrt is not None else list(rule.differentiable if rule.differentiable is not None else range(len(ins)))

    def run(arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        return forward(op, attrs, arrays, [s.copy() for s in state], seed)

    rand = np.random.default_rng(seed)
    tops = run(ins)
    carry = set(outs) if outs is not None else set(range(len(tops)))
    douts = [rand.standard_normal(t.shape) if i in carry else None for i, t in enumerate(tops)]
    got = gradients(op, attrs, ins, douts, [i in wrt for i in range(len(ins))], [s.copy() for s in state], seed)
    for i in wrt:
        numeric = np.zeros_like(ins[i])
        for k in np.ndindex(ins[i].shape):
            sums = []
            for sign in (1, -1):
                moved = [a.copy() for a in ins]
                moved[i][k] += sign * eps
                sums.append(sum(float((t * d).sum()) for t, d in zip(run(moved), douts, strict=True) if d is not None))
            numeric[k] = (sums[0] - sums[1]) / (2 * eps)
        analytic = got[i] if got[i] is not None else np.zeros_like(ins[i])
        bad = np.abs(analytic - numeric) > tol * max(1.0, float(np.abs(numeric).max()) if numeric.size else 0.0)
        bad &= np.abs(ins[i]) >= skip
        if bad.any():
            k = tuple(int(j) for j in np.argwhere(bad)[0])
            raise AssertionError(f"{op} {attrs}: gradient of in {i} at {k}: {analytic[k]:.9g}, by differences {numeric[k]:.9g}")
        alone = gradients(op, attrs, ins, douts, [j == i for j in range(len(ins))], [s.copy() for s in state], seed)[i]
        assert (alone is None) == (got[i] is None) and (alone is None or np.array_equal(alone, got[i])), f"{op}: in {i} alone differs"


def _graph(ins: Sequence[np.ndarray], state: Sequence[np.ndarray]) -> tuple[Graph, list[Value], list[Value]]:
    graph = Graph(dtype=str(ins[0].dtype) if ins else "float64")
    values = [graph.value(Spec(a.shape, str(a.dtype)), "in") for a in ins]
    return graph, values, [graph.value(Spec(a.shape, str(a.dtype)), "stat") for a in state]
