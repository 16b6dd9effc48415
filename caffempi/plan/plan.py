"""The Plan: a graph made ready for one engine and one set of observed blobs. It knows no shapes and never changes."""
from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from caffempi.engines.base import Engine
from caffempi.errors import UsageError, did_you_mean
from caffempi.ops.graph import Graph, Node, Param, Value
from caffempi.ops.op import get_op
from caffempi.plan.gradients import Backward, differentiate
from caffempi.plan.groups import (
    Groups,
    fixed_groups,
    guard_gradients,
    save_overwritten,
    share_copies,
    share_in_place,
    share_overwritten,
)
from caffempi.plan.norms import merge_norms
from caffempi.plan.params import ParamArena
from caffempi.plan.passes import accumulate, fuse, prune

PASSES = ("prune", "accumulate", "alias", "fuse", "layout", "memory")
ALL = frozenset({"*"})                                          # observe every blob


@dataclass
class Plan:
    """What a Binding is made from.

    observe: names of the blobs whose data and diff can be read and written between runs (ALL: every one, nothing fused).
    forward, backward: nodes in order. groups: which values share a buffer. adds: ids of gradients that are added to what an
    earlier node wrote. fires: index of a backward node -> buckets of the arena that are final after it (len(backward): after
    all). log: one line a pass. forward_only: no backward was asked for. updated: params change between any two runs.
    """

    graph: Graph
    engine: Engine
    observe: frozenset[str]
    forward: list[Node]
    backward: list[Node]
    grads: Backward
    groups: Groups
    adds: frozenset[int]
    later_uses: frozenset[int]
    arena: ParamArena
    fires: dict[int, list[int]]
    log: list[str]
    off: frozenset[str]
    forward_only: bool = False
    updated: bool = False

    def stays(self, p: Param) -> bool:
        """Whether a copy of the param may be good for another run."""
        return not self.updated or p.stat or p.lr_mult == 0

    @property
    def changes_shapes(self) -> bool:
        """Whether there are nodes after which the run may go on with other shapes."""
        return any("dynamic" in get_op(n.op).effects for n in self.forward)

    @property
    def observes_all(self) -> bool:
        """Whether every blob is observed."""
        return self.observe == ALL

    def observed(self, blob: str | None) -> bool:
        """Whether the blob can be read and written between runs."""
        return blob is not None and (self.observes_all or blob in self.observe)

    @property
    def digest(self) -> str:
        """SHA-256 of the graph: what all ranks must agree on (engines and passes may differ)."""
        return hashlib.sha256(self.graph.digest().encode()).hexdigest()


def make_plan(graph: Graph, engine: Engine, observe: Collection[str] = ALL, no_pass: Collection[str] = (),
              forward_only: bool = False, updated: bool = False, scaled: bool = False) -> Plan:
    """Runs the passes. forward_only: no backward will be run, so nothing is made or kept for it. updated: params that learn
    change between any two runs, so that copies of them need not be kept. scaled: losses are multiplied by a factor that can be
    set (`Backward.factor`).

    Raises UsageError for an unknown pass or blob name, NetError where a gradient cannot be had.
    """
    for what, names in (("observe", observe), ("no_pass", no_pass)):
        if isinstance(names, str):
            raise UsageError(f"{what} takes several names, not one string", fix=f'{what}=["{names}"]')
    for name in no_pass:
        if name not in PASSES:
            raise UsageError(f'unknown pass "{name}"', fix=f"{did_you_mean(name, PASSES)} known: {', '.join(PASSES)}".strip())
    everything = frozenset(observe) == ALL
    for blob in () if everything else observe:
        if blob not in graph.blobs:
            raise UsageError(f'cannot observe blob "{blob}": the net has none of that name',
                             fix=did_you_mean(blob, graph.blobs))
    on = {p for p in PASSES if p not in no_pass}
    seen = set(graph.blobs) if everything else {
        *observe, *graph.inputs, *graph.outputs, *(t for info in graph.layers if info.source for t in info.tops)}
    grads = Backward() if forward_only else differentiate(graph, scaled)
    forward, backward = list(graph.nodes), grads.nodes
    log = list(engine.notes)
    if "prune" in on:
        log.append("prune: " + prune(graph, forward, backward, seen))
    sums: list[tuple[Value, list[Value]]] = []
    if "accumulate" in on and not everything:
        sums, line = accumulate(backward, seen)
        log.append("accumulate: " + line)
    if "fuse" in on and not everything:
        log.append("norms: " + merge_norms(forward, backward, seen))
        log.append("fuse: " + fuse(graph, forward, backward, seen, engine.patterns))
    groups = fixed_groups(graph, forward, backward, seen)
    share_overwritten(groups, graph, forward, seen)
    for total, parts in sums:
        groups.join([total, *parts])
    if "alias" in on and not everything:
        kept = {v.id for total, parts in sums for v in (total, *parts)}
        copies = share_copies(groups, graph, forward, backward, seen)
        log.append(f"alias: {share_in_place(groups, graph, forward, backward, seen, kept)} ops in place, "
                   f"{copies} copies of gradients left out")
    log.append(f"saved: {save_overwritten(groups, graph, forward, backward)} copies of what is overwritten")
    log.append(f"guarded: {guard_gradients(groups, graph, backward)} copies of gradients")
    arena, fires = _arena(graph, backward, engine)
    log.append(f"params: {len(arena.net_order)} in {len(arena.buckets)} buckets, {len(arena.runs)} runs")
    later = frozenset(g.id for uses in grads.param_grads.values() for g in uses[1:])
    adds = frozenset(v.id for _, parts in sums for v in parts[1:])
    return Plan(graph, engine, ALL if everything else frozenset(seen), forward, backward, grads, groups, adds, later, arena,
                fires, log, frozenset(no_pass), forward_only, updated)


def _arena(graph: Graph, backward: list[Node], engine: Engine) -> tuple[ParamArena, dict[int, list[int]]]:
    """The arena in the order in which params' last gradients are made, and after which node each bucket is final."""
    last: dict[Param, int] = {}
    for at, n in enumerate(backward):
        for v in n.outs:
            if v.param is not None:
                last[v.param] = at
    arena = ParamArena(graph.params, sorted(last, key=lambda p: last[p]), graph.dtype, engine=engine)
    final: dict[int, int] = {}
    for p in arena.params:
        k = arena.bucket_of[p]
        final[k] = max(final.get(k, -1), last.get(p, -1))
    fires: dict[int, list[int]] = {}
    for k, at in sorted(final.items()):
        fires.setdefault(at if at >= 0 else len(backward), []).append(k)
    return arena, fires
