"""From nodes to drafts of steps: the reorders, copies and additions around each kernel, and the buffers of all.

A kernel reads and writes the layouts of its offer. Where a buffer has another one, a reorder step stands between; elsewhere
than in observed nets a reordered copy serves all later readers. Kernels that want a param otherwise than plain read a
private copy, which a pack step renews only when the param has changed; where it changes with every run and has one such
reader, a reorder step as any other. Layouts may store elements as another dtype: then these steps cast, and nothing else here
knows of it.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count

from caffempi.engines.base import PLAIN, Call, Kernel, Layout, Near, resolve
from caffempi.errors import EngineError
from caffempi.ops.graph import Node, Spec, Value
from caffempi.ops.op import get_op
from caffempi.plan.buffers import Buffer, Draft, Ref, size_of
from caffempi.plan.choose import Chooser
from caffempi.plan.plan import Plan

Pair = tuple[list[Draft], list[Draft]]
Make = Callable[[], Kernel]


class Drafter:
    """buffers: group of values -> its buffer, of the groups that the drafts made so far touch (or somebody asked for)."""

    def __init__(self, plan: Plan, specs: Mapping[int, Spec], chosen: Chooser) -> None:
        self.plan, self.specs, self.chosen = plan, specs, chosen
        self.buffers: dict[int, Buffer] = {}
        self._copies: dict[tuple[int, Layout], Ref] = {}
        self._packs: dict[object, Buffer] = {}
        self._readers = self._count_readers()
        self._refs: dict[int, Ref] = {}
        self._helpers: dict[object, Make] = {}
        self._count = count()
        self._sizes, self._owned = self._find_sizes()

    def _find_sizes(self) -> tuple[dict[int, int], set[int]]:
        """Bytes of each group: room for every value in it, plain or not; and the groups that outside code may look into."""
        of, sizes, owned = self.plan.groups.of, dict[int, int](), set[int]()
        for v in self.plan.graph.values:
            spec = self.specs.get(v.id)
            if spec is None:
                continue
            g = of(v)
            sizes[g] = max(sizes.get(g, 0), size_of(spec, self.chosen.layout(v)))
            if v.kind in ("in", "seed", "state") or self.plan.observed(v.blob):
                owned.add(g)
        for n in self.plan.forward:                            # counts of labels, which ranks agree on between the runs
            if getattr(n.attrs, "counts_vary", False):
                owned.update(of(v) for v in n.saved)
        return sizes, owned

    def _count_readers(self) -> Counter[object]:
        """How many nodes read each param in each layout."""
        made = [(n, self.chosen.made.get(id(n))) for n in (*self.plan.forward, *self.plan.backward)]
        return Counter((v.param, want) for n, choice in made if choice is not None
                       for v, want in zip(n.ins, choice.offer.ins, strict=True) if v.param is not None)

    def ref(self, v: Value) -> Ref:
        """The value where it lies."""
        found = self._refs.get(v.id)
        if found is not None:
            return found
        spec, g = self.specs[v.id], self.plan.groups.of(v)
        buffer = self.buffers.get(g)
        if buffer is None:
            if v.param is not None:
                buffer = Buffer(g, self._sizes[g], "param grad" if v.kind == "grad" else "param", True, v.param)
            else:
                buffer = Buffer(g, self._sizes[g], v.kind, g in self._owned)
            self.buffers[g] = buffer
        found = self._refs[v.id] = Ref(buffer, spec, self.chosen.layout(v))
        return found

    def node(self, n: Node, phase: str) -> Pair:
        """The steps of a node: reorders of its ins, the kernel, and what brings its outs where they belong.

        Twice: overwriting gradients of params, and adding to what is there. They differ only where there are such outs.
        """
        if self.chosen.idle(n):
            return [], []
        _, offer, call = self.chosen.made[id(n)]
        before: list[Draft] = []
        if not self.chosen.carry:
            self._copies = {}
        rule = get_op(n.op)
        ins = tuple([self._operand(v, want, before, n) for v, want in zip(n.ins, offer.ins, strict=True)])
        if "dynamic" in rule.effects:
            before.append(Draft("shape", n.layer, n, ins=ins))
        fresh = rule.replaces(n.attrs, call.ins, call.outs)
        writing, adding = ([v.id in self.plan.adds or (v.param is not None and ((add and o not in fresh) or
                            v.id in self.plan.later_uses)) for o, v in enumerate(n.outs)] for add in (False, True))
        temps: dict[tuple[int, Layout], Ref] = {}
        write = [*before, *self._run(n, phase, ins, writing, temps)]
        return write, write if writing == adding else [*before, *self._run(n, phase, ins, adding, temps)]

    def _run(self, n: Node, phase: str, ins: tuple[Ref, ...], adding: Sequence[bool],
             temps: dict[tuple[int, Layout], Ref]) -> list[Draft]:
        """The kernel's step and those behind it. adding: of each out, whether it is added to what is there."""
        of = self.plan.groups.of
        engine, offer, call = self.chosen.made[id(n)]
        native = offer.accumulates and all(adding)
        after: list[Draft] = []

        def temp(v: Value, layout: Layout) -> Ref:
            if (v.id, layout) not in temps:
                temps[v.id, layout] = self._temp(v, layout)
            return temps[v.id, layout]
        outs, within = [], [of(u) for u in n.ins]
        for o, (v, layout) in enumerate(zip(n.outs, offer.outs, strict=True)):
            target, g = self.ref(v), of(v)
            clash = g in within and any(of(u) == g and (i, o) not in offer.inplace for i, u in enumerate(n.ins))
            if not clash and (native or not adding[o]) and layout == target.layout:
                outs.append(target)
                continue
            first = made = temp(v, layout)
            if layout != target.layout:
                made = temp(v, target.layout) if adding[o] else target
                after.append(self._reorder("reorder", n, first, made))
            if made is not target:
                after.append(self._together("add" if adding[o] else "copy", n, made, target))
            outs.append(first)
        stored = {layout.dtype for layout in (*offer.ins, *offer.outs) if layout.dtype is not None}
        scratch = Buffer("scratch", offer.scratch, "scratch") if offer.scratch else None
        host = None if offer.capturable else f'op "{n.op}" runs on the host'
        main = Draft(phase, n.layer, n, partial(engine.compile, call, offer), ins, tuple(outs),
                     tuple([self.ref(v) for v in n.saved]), tuple([self.ref(v) for v in n.state]), scratch, native,
                     offer.adjacent and not any(adding), host=host,
                     engine=engine.name, impl=offer.impl, stored=" ".join(sorted(stored)), call=call)
        return [main, *after]

    def _reorder(self, phase: str, n: Node, source: Ref, target: Ref) -> Draft:
        make = partial(self.plan.engine.reorder, source.spec, source.layout, target.layout)
        return Draft(phase, n.layer, n, make, (source,), (target,), param=source.buffer.param if phase == "pack" else None)

    def _together(self, phase: str, n: Node, source: Ref, target: Ref) -> Draft:
        """target += source, or target = source, of one value in one layout, by the engine's kernel for sums or copies.

        Copies, and additions where only the order is another than in plain arrays, take the bytes as one row of numbers.
        """
        if phase == "copy" or target.layout.dtype is None:
            size, dtype = size_of(target.spec, target.layout), target.spec.dtype
            dtype = dtype if size % size_of(Spec((), dtype)) == 0 else "uint8"
            row = Spec((size // size_of(Spec((), dtype)),), dtype)
            source, target = Ref(source.buffer, row, PLAIN), Ref(target.buffer, row, PLAIN)
        ins = (target, source) if phase == "add" else (source,)
        key = phase, target.spec, target.layout
        if key not in self._helpers:
            self._helpers[key] = self._helper(phase, target.spec, target.layout)
        return Draft(phase, n.layer, n, self._helpers[key], ins, (target,))

    def _helper(self, phase: str, spec: Spec, layout: Layout) -> Make:
        """The engine's kernel that adds, or copies, an array of that kind to one like it."""
        op, count = ("sum", 2) if phase == "add" else ("copy", 1)
        call = Call(op, None, (spec,) * count, (spec,))
        engine, offers, _ = resolve(self.plan.engine, call, Near((layout,) * count, (layout,)))
        offer = next((o for o in offers if {*o.ins, *o.outs} == {layout} and not o.scratch
                      and (phase == "copy" or (0, 0) in o.inplace)), None)
        if offer is None:
            stored = layout.dtype or spec.dtype
            raise EngineError(f"engine {engine.name} cannot {phase} arrays of {stored} in layout {layout.tag}")
        return partial(engine.compile, call, offer)

    def _operand(self, v: Value, want: Layout, before: list[Draft], n: Node) -> Ref:
        """The in as the kernel wants it, behind a reorder or pack step where it lies otherwise."""
        source = self.ref(v)
        if want == source.layout:
            return source
        if v.param is not None and (self.plan.stays(v.param) or self._readers[v.param, want] > 1):
            key = "pack", v.param, want, source.spec.shape     # one copy for all bindings of the net
            if key not in self._packs:
                self._packs[key] = Buffer(key, size_of(source.spec, want), "pack", True)
            copy = Ref(self._packs[key], source.spec, want)
            before.append(self._reorder("pack", n, source, copy))
            return copy
        if (v.id, want) not in self._copies:
            shared = self.chosen.carry and v.param is None
            copy = self._copies[v.id, want] = self._temp(v, want, "copy" if shared else "temp")
            before.append(self._reorder("reorder", n, source, copy))
        return self._copies[v.id, want]

    def _temp(self, v: Value, layout: Layout, kind: str = "temp") -> Ref:
        """A new buffer for one value in that layout; of kind 'copy' where other nodes read it too."""
        spec = self.specs[v.id]
        return Ref(Buffer(("temp", next(self._count)), size_of(spec, layout), kind), spec, layout)
