"""The Binding: a plan with shapes, kernels and memory. Running it is calling prebuilt functions in order."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from caffempi.engines.base import PLAIN, Call, Layout
from caffempi.ops.graph import Node, Param, Spec, Value
from caffempi.ops.op import get_op
from caffempi.ops.philox import Rng
from caffempi.plan.compile import Compiler
from caffempi.plan.infer import infer_specs
from caffempi.plan.plan import Plan
from caffempi.plan.program import NewShapes, Program
from caffempi.plan.step import Step, plain_view
from caffempi.plan.storage import ParamState, Storage


class Binding:
    """forward, backward (overwrites param gradients) and backward_add (adds to them), bound to one set of shapes.

    arrays: value id -> array of every value that is in plain layout. specs: value id -> Spec. on_fire(bucket) is called
    during either backward program when a bucket of the arena is final. until: binds no more than the forward nodes before
    that index (then `whole` is false): for a run on its way to what tells the shapes of the rest.
    """

    def __init__(self, plan: Plan, shapes: Mapping[str, tuple[int, ...]], storage: Storage, params: ParamState,
                 on_fire: Callable[[int], None], seed: int = 0, rank: int = 0,
                 known: Mapping[int, tuple[Spec, ...]] | None = None, until: int | None = None) -> None:
        self.plan, self.storage, self.params = plan, storage, params
        self.specs = infer_specs(plan, shapes, known, until)
        self.nodes = list(plan.forward) if until is None else plan.forward[:until]
        self.back = plan.backward if until is None else []
        self.whole = until is None
        self.seed, self.rank = seed, rank
        self.rngs: list[Rng] = []
        self.log: list[str] = []
        self.layouts: dict[int, Layout] = {}                   # group -> layout of its buffer
        compiler = Compiler(self)
        self._make_arrays()
        self.scratch = storage.get("scratch", compiler.scratch)
        layers = plan.graph.layers
        steps = []
        for n in self.nodes:
            steps += compiler.bind(n, "F")[0]
        self.forward = Program(steps, layers)
        self.backward = self.backward_add = Program([], layers, falling=True)
        if not self.whole:
            return
        write, add = self._with_fires(compiler, on_fire)
        zero = [Step("B", len(plan.graph.layers), self._zero_unwritten())]
        self.backward = Program(zero + write, layers, falling=True)
        self.backward_add = Program(add, layers, falling=True)
        self._fill_loss_seeds()

    def nbytes(self, v: Value) -> int:
        """Plain size of a value."""
        spec = self.specs[v.id]
        return spec.count * np.dtype(spec.dtype).itemsize

    def _make_arrays(self) -> None:
        """One buffer a group, large enough for every value in it; an array for every value that is plain in it."""
        plan, arena = self.plan, self.params.arena
        size: dict[int, int] = {}
        owner: dict[int, Param] = {}
        for v in plan.graph.values:
            if v.id in self.specs:
                g = plan.groups.of(v)
                layout = self.layouts.get(g, PLAIN)
                size[g] = max(size.get(g, 0), self.nbytes(v) if layout.nbytes is None else layout.nbytes)
                if v.param is not None:
                    owner[g] = v.param
        used = {v.id for n in [*self.nodes, *self.back] for v in (*n.ins, *n.outs, *n.saved, *n.state)}
        used |= {v.id for vs in plan.graph.blobs.values() for v in vs} | {v.id for v in plan.grads.seeds}
        live = {plan.groups.of(v) for v in plan.graph.values if v.id in used}
        used |= {d.id for d in plan.grads.diffs.values() if plan.groups.of(d) in live}   # sums that became additions too
        self.buffers: dict[int, np.ndarray] = {}
        self.arrays: dict[int, np.ndarray] = {}
        for v in plan.graph.values:
            if v.id not in self.specs or (v.id not in used and v.param is None):
                continue
            g, spec = plan.groups.of(v), self.specs[v.id]
            if g in owner:
                p = owner[g]
                array = arena.view(p, arena.grad) if v.kind == "grad" else self.params.array(p)
                self.arrays[v.id] = array.reshape(spec.shape)
                continue
            if g not in self.buffers:
                self.buffers[g] = self.storage.get(g, size[g])
            if self.layouts.get(g, PLAIN) == PLAIN:
                self.arrays[v.id] = plain_view(self.buffers[g], spec)

    def watch(self, n: Node, ins: Sequence[np.ndarray]) -> Callable[[], None]:
        """Before a dynamic node, the comparison of the shapes that it is about to give with those it is bound to."""
        rule, at = get_op(n.op), self.nodes.index(n)
        bound = tuple(self.specs[v.id] for v in n.outs)

        def compare() -> None:
            now = tuple(rule.actual(n.attrs, ins))
            if now != bound:
                raise NewShapes(at, n, now)
        return compare

    def rng(self, node: Node) -> Rng | None:
        """The stream of a node that draws numbers; the same in every binding of a net."""
        if "rng" not in get_op(node.op).effects:
            return None
        place = sum(1 for n in self.plan.forward[:self.plan.forward.index(node)] if n.layer == node.layer)
        stream = Rng(self.seed, f"{node.op}{place}", self.plan.graph.layers[node.layer].name, self.rank)
        self.rngs.append(stream)
        return stream

    def call_of(self, n: Node) -> Call:
        """The node with its specs, as engines are asked."""
        def of(values: Sequence[Value]) -> tuple[Spec, ...]:
            return tuple(self.specs[v.id] for v in values)
        return Call(n.op, n.attrs, of(n.ins), of(n.outs), of(n.saved), of(n.state))

    def _with_fires(self, compiler: Compiler, on_fire: Callable[[int], None]) -> tuple[list[Step], list[Step]]:
        """The steps of both backward programs with the buckets' events between them."""
        programs: tuple[list[Step], list[Step]] = ([], [])
        count = len(self.plan.backward)
        for at in range(count + 1):
            bound = compiler.bind(self.plan.backward[at], "B") if at < count else ([], [])
            layer = self.plan.backward[at].layer if at < count else -1
            fires = [Step("fire", layer, _fire(on_fire, k)) for k in self.plan.fires.get(at, [])]
            for program, steps in zip(programs, bound, strict=True):
                program += [*steps, *fires]
        return programs

    def _zero_unwritten(self) -> Callable[[], None]:
        """Params that no step writes get a zero gradient in the overwriting program."""
        arena = self.params.arena
        idle = [arena.view(p, arena.grad) for p in arena.params if p not in self.plan.grads.param_grads]

        def zero() -> None:
            for g in idle:
                g.fill(0)
        return zero

    def _fill_loss_seeds(self) -> None:
        """Puts the loss weights into the diffs of the loss tops, where memory for them is new; later they are the user's."""
        weights = {v.id: w for info in self.plan.graph.layers
                   for v, w in zip(info.top_values, info.loss_weights, strict=True) if w}
        for seed in self.plan.grads.seeds:
            weight = weights.get(seed.like.id) if seed.like is not None else None
            if weight is not None and self.storage.is_new(self.plan.groups.of(seed), self.nbytes(seed)):
                self.arrays[seed.id].fill(weight)

    def set_run(self, ordinal: int) -> None:
        """The run that random numbers are keyed by."""
        for r in self.rngs:
            r.run = ordinal


def _fire(on_fire: Callable[[int], None], bucket: int) -> Callable[[], None]:
    return lambda: on_fire(bucket)
