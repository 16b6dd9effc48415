"""The Binding: a blueprint with memory. Running it is calling prebuilt functions in order.

What a program needs (arrays, kernels, calls) is made when the program is asked for the first time: a net that is only run
forward has nothing for backward.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import numpy as np

from caffempi.engines.base import PLAIN, Operands
from caffempi.ops.graph import Node, Value
from caffempi.ops.op import get_op
from caffempi.ops.philox import Rng
from caffempi.plan.blueprint import Blueprint
from caffempi.plan.buffers import Buffer, Draft, Ref, size_of
from caffempi.plan.packs import Pack
from caffempi.plan.program import NewShapes, Program
from caffempi.plan.step import MOVES, Step, view
from caffempi.plan.storage import ParamState, Storage

_DYNAMIC = "shapes depend on data"


class Fires(Protocol):
    """Who is told of buckets whose gradients are final."""

    def fire(self, bucket: int) -> None:
        """All that makes them has been given to the engine."""

    def host(self) -> str | None:
        """Why the host has a part in it; None while nobody listens."""


class Binding:
    """forward, backward (overwrites param gradients) and backward_add (adds to them), bound to one set of shapes.

    fires is told during either backward program when a bucket of the arena is final. generation: that of the
    storage when the addresses were taken; once it has moved on, `renew` must be called.
    """

    def __init__(self, blueprint: Blueprint, storage: Storage, params: ParamState, fires: Fires,
                 seed: int = 0, rank: int = 0) -> None:
        self.blueprint, self.plan, self.storage, self.params = blueprint, blueprint.plan, storage, params
        self.specs, self.nodes, self.whole = blueprint.specs, blueprint.nodes, blueprint.whole
        self._fires, self._seed, self._rank, self._run = fires, seed, rank, 0
        self.renew()

    def renew(self) -> None:
        """Takes memory from the storage as it is now."""
        self.release()
        self.storage.reserve({**self.blueprint.owned, "arena": self.blueprint.arena, "adding": self.blueprint.adding})
        self.generation = self.storage.generation
        self._fill_loss_seeds()

    def release(self) -> None:
        """Lets go of all memory; `renew` must follow before the next run."""
        self._arrays: dict[int, np.ndarray] = {}
        self._steps: dict[int, Step] = {}
        self._programs: dict[str, Program] = {}
        self._rngs: list[Rng] = []
        self.generation = -1

    # ---- programs ----
    @property
    def forward(self) -> Program:
        """All forward steps."""
        return self._program("forward", self.blueprint.forward)

    @property
    def backward(self) -> Program:
        """All backward steps; gradients of params are overwritten."""
        return self._program("backward", self.blueprint.backward)

    @property
    def backward_add(self) -> Program:
        """All backward steps; gradients of params are added to."""
        return self._program("backward_add", self.blueprint.backward_add)

    def _program(self, name: str, drafts: Sequence[Draft]) -> Program:
        engine = self.plan.engine
        if name not in self._programs:
            self._programs[name] = Program([self._step(d) for d in drafts], self.plan.graph.layers, name != "forward",
                                           engine.capture if engine.captures else None)
        return self._programs[name]

    def _step(self, d: Draft) -> Step:
        """The draft with its call; those that both backward programs have are made once."""
        step = self._steps.get(id(d))
        if step is None:
            host = self._fires.host if d.phase == "fire" else _always(_DYNAMIC) if d.make is None else None
            if d.host is not None:
                host = _always(d.host)
            between = (d.ins[-1], d.outs[0]) if d.phase in MOVES and d.make is not None else None
            step = self._steps[id(d)] = Step(d.phase, d.layer, self._call(d), d.node, d.engine, d.impl, d.stored, d.call, host,
                                             between)
        return step

    def _call(self, d: Draft) -> Callable[[], None]:
        if d.phase == "fire":
            return partial(self._fires.fire, d.bucket)
        if d.make is None:
            assert d.node is not None
            return self._watch(d.node, [self._array(r) for r in d.ins])
        ins, outs, saved, state = (tuple([self._array(r) for r in refs]) for refs in (d.ins, d.outs, d.saved, d.state))
        scratch = None if d.scratch is None else self._bytes(d.scratch)
        rng = self._rng(d.node) if d.call is not None and d.node is not None else None
        layers = self.plan.graph.layers
        owner = layers[d.layer] if 0 <= d.layer < len(layers) else None
        call = d.make().bind(Operands(ins, outs, saved, state, scratch, rng, d.add, owner))
        if d.param is None:
            return call
        return Pack(partial(self.params.version, d.param), self.storage.packed, d.outs[0].buffer.key, call)

    def _watch(self, n: Node, ins: Sequence[np.ndarray]) -> Callable[[], None]:
        """Before a dynamic node, the comparison of the shapes that it is about to give with those it is bound to."""
        rule, at, engine = get_op(n.op), self.nodes.index(n), self.plan.engine
        bound = tuple(self.specs[v.id] for v in n.outs)

        def compare() -> None:
            now = tuple(rule.actual(n.attrs, [engine.get(a) for a in ins]))
            if now != bound:
                raise NewShapes(at, n, now)
        return compare

    def _rng(self, node: Node) -> Rng | None:
        """The stream of a node that draws numbers; the same in every binding of a net."""
        if "rng" not in get_op(node.op).effects:
            return None
        place = sum(1 for n in self.plan.forward[:self.plan.forward.index(node)] if n.layer == node.layer)
        stream = Rng(self._seed, f"{node.op}{place}", self.plan.graph.layers[node.layer].name, self._rank)
        stream.run = self._run
        self._rngs.append(stream)
        return stream

    def set_run(self, ordinal: int) -> None:
        """The run that random numbers are keyed by."""
        self._run = ordinal
        for r in self._rngs:
            r.run = ordinal

    # ---- arrays ----
    def array(self, v: Value) -> np.ndarray | None:
        """A value as a plain array; None where it is none, or has no memory. It means something only where it is observed."""
        if v.id not in self._arrays:
            ref = self.blueprint.ref(v)
            if ref is None or ref.layout != PLAIN:
                return None
            self._arrays[v.id] = self._array(ref)
        return self._arrays[v.id]

    def _array(self, ref: Ref) -> np.ndarray:
        b = ref.buffer
        if b.param is not None and b.kind == "param":
            return self.params.array(b.param).reshape(ref.spec.shape)
        if b.param is not None and b.kind == "param grad":
            arena = self.params.arena
            return arena.view(b.param, arena.grad).reshape(ref.spec.shape)
        return view(self._bytes(b), ref.spec, ref.layout)

    def _bytes(self, b: Buffer) -> np.ndarray:
        if b.parent is not None:
            return self._bytes(b.parent)[b.shift:b.shift + b.nbytes]
        if b.offset is None:
            return self.storage.get(b.key)
        return self.storage.get(b.arena)[b.offset:b.offset + b.nbytes]

    def _fill_loss_seeds(self) -> None:
        """Puts the loss weights into the diffs of the loss tops, where memory for them is new; later they are the user's. A
        factor on all losses starts as 1."""
        weights = {v.id: w for info in self.plan.graph.layers
                   for v, w in zip(info.top_values, info.loss_weights, strict=True) if w}
        for seed in self.plan.grads.seeds:
            weight = weights.get(seed.like.id) if seed.like is not None else 1.0
            array = self.array(seed) if weight is not None else None
            new = array is not None and self.storage.is_new(self.plan.groups.of(seed), size_of(self.specs[seed.id]))
            if new and array is not None and weight is not None:
                self.plan.engine.put(array, weight)


def _always(reason: str) -> Callable[[], str | None]:
    return lambda: reason
