"""From nodes to steps: which kernel, which layouts, which reorders and copies around it.

A kernel reads and writes the layouts of its offer. Where a buffer has another one, a reorder step stands between. A blob
that is observed is always plain, and nothing but the blob itself is carried from layer to layer; elsewhere the first
writer's layout becomes the buffer's, and a reordered copy serves all later readers. Params stay plain; kernels that want
them otherwise read a private copy, which a pack step renews only when the param has changed. Layouts may store elements as
another dtype: then these steps cast, and nothing else here knows of it.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from caffempi.engines.base import PLAIN, Call, Engine, Kernel, Layout, Near, Offer, Operands, resolve, stored_bytes
from caffempi.errors import CaffempiError, EngineError
from caffempi.ops.graph import Node, Param, Spec, Value
from caffempi.ops.op import get_op
from caffempi.plan.step import Step, plain_view

if TYPE_CHECKING:
    from caffempi.plan.binding import Binding

_Key = tuple[int, Layout]


class Compiler:
    """Chooses kernels for all nodes of a binding at once, then binds them to its memory, program by program."""

    def __init__(self, binding: Binding) -> None:
        self.b, self.plan = binding, binding.plan
        self._made: dict[int, tuple[Engine, Offer, Kernel, Call]] = {}
        self._carry = not self.plan.observes_all and "layout" not in self.plan.off
        self._copies: dict[_Key, np.ndarray] = {}
        self._planned: set[_Key] = set()                        # reordered copies that some kernel has asked for
        self._temps = count()
        self._free = self._free_groups()
        said: set[str] = set()
        for n in [*binding.nodes, *binding.back]:
            if not get_op(n.op).alias and not self._idle(n):
                self._choose(n, said)

    def _free_groups(self) -> set[int]:
        """Groups whose buffer may have another layout than plain."""
        if not self._carry:
            return set()
        groups = self.plan.groups
        fixed = {groups.of(v) for v in self.plan.graph.values
                 if v.param is not None or v.kind in ("in", "seed", "state") or self.plan.observed(v.blob)}
        for n in [*self.b.nodes, *self.b.back]:
            if get_op(n.op).alias and any(self.b.specs[v.id].shape != self.b.specs[n.ins[0].id].shape for v in n.outs):
                fixed.add(groups.of(n.ins[0]))
        return {groups.of(v) for v in self.plan.graph.values} - fixed

    def _choose(self, n: Node, said: set[str]) -> None:
        """Picks engine and offer for a node, by its time and that of reorders, and fixes the layouts of new buffers."""
        call = self.b.call_of(n)
        try:
            engine, reasons = resolve(self.plan.engine, call)
        except CaffempiError as e:
            info = self.plan.graph.layers[n.layer]
            raise e.at(layer=info.name, type=info.type, where=n.where) from None
        for reason in reasons:
            if reason not in said:
                said.add(reason)
                self.b.log.append(f"{self.plan.graph.layers[n.layer].name}: {reason}; {engine.name} runs it")
        of, layouts = self.plan.groups.of, self.b.layouts
        near = self._near(n)
        fits = [o for o in engine.offers(call, near)
                if all(v.kind != "saved" or layouts.get(of(v), PLAIN) == want for v, want in zip(n.ins, o.ins, strict=True))]
        if not fits:
            raise EngineError(f'engine {engine.name} offers op "{n.op}" in no form that reads what forward saved',
                              layer=self.plan.graph.layers[n.layer].name, where=n.where)

        def moved(offer: Offer) -> float:
            reads = sum(self._half_traffic(v, layouts.get(of(v), PLAIN), w) for v, w in zip(n.ins, offer.ins, strict=True)
                        if self._moves(v, w))
            writes = sum(self._half_traffic(v, w, best) for v, w, best in zip(n.outs, offer.outs, near.outs, strict=True)
                         if best is not None and best != w)
            return reads + writes + offer.cost
        offer = min(fits, key=moved)
        if self._carry:
            self._planned.update((v.id, w) for v, w in zip(n.ins, offer.ins, strict=True))
        for v, layout in zip([*n.outs, *n.saved], [*offer.outs, *offer.saved], strict=True):
            g = of(v)
            if g not in layouts and (g in self._free or v.kind == "saved"):
                layouts[g] = layout
        self._made[id(n)] = (engine, offer, engine.compile(call, offer), call)

    def _near(self, n: Node) -> Near:
        """The layouts around a node, as far as they are fixed; a gradient's first writer is shown that of its primal."""
        of, layouts = self.plan.groups.of, self.b.layouts

        def out(v: Value) -> Layout | None:
            while of(v) in self._free and of(v) not in layouts:
                if v.like is None:
                    return None
                v = v.like
            return layouts.get(of(v), PLAIN)
        return Near(tuple(layouts.get(of(v), PLAIN) for v in n.ins), tuple(out(v) for v in n.outs))

    def _half_traffic(self, v: Value, src: Layout, dst: Layout) -> float:
        """Half the bytes that a reorder reads and writes."""
        spec = self.b.specs[v.id]
        return (stored_bytes(spec, src) + stored_bytes(spec, dst)) / 2

    def _moves(self, v: Value, want: Layout) -> bool:
        """Whether reading v so costs a copy at each run. Params that no solver changes are packed but once."""
        if v.param is not None and not self.plan.backward:
            return False
        return self.b.layouts.get(self.plan.groups.of(v), PLAIN) != want and (v.id, want) not in self._planned

    @property
    def scratch(self) -> int:
        """Bytes of scratch memory that the hungriest kernel wants."""
        return max((offer.scratch for _, offer, _, _ in self._made.values()), default=0)

    def bind(self, n: Node, phase: str) -> tuple[list[Step], list[Step]]:
        """The steps of a node: reorders of its ins, the kernel, and what brings its outs where they belong.

        Twice: overwriting gradients of params, and adding to what is there. They differ only where there are such outs.
        """
        if get_op(n.op).alias or self._idle(n):
            return [], []
        _, offer, _, call = self._made[id(n)]
        before: list[Step] = []
        if not self._carry:
            self._copies = {}
        ins = tuple(self._operand(v, want, before, n) for v, want in zip(n.ins, offer.ins, strict=True))
        if "dynamic" in get_op(n.op).effects:
            before.append(Step("shape", n.layer, self.b.watch(n, ins), n))
        fresh = get_op(n.op).replaces(n.attrs, call.ins, call.outs)
        writing, adding = ([v.id in self.plan.adds or (v.param is not None and ((add and o not in fresh) or
                            v.id in self.plan.later_uses)) for o, v in enumerate(n.outs)] for add in (False, True))
        temps: dict[tuple[int, Layout], np.ndarray] = {}
        write = [*before, *self._run(n, phase, ins, writing, temps)]
        return write, write if writing == adding else [*before, *self._run(n, phase, ins, adding, temps)]

    def _idle(self, n: Node) -> bool:
        """Whether the node copies something onto itself."""
        return n.op == "copy" and self.plan.groups.of(n.ins[0]) == self.plan.groups.of(n.outs[0])

    def _run(self, n: Node, phase: str, ins: tuple[np.ndarray, ...], adding: Sequence[bool],
             temps: dict[tuple[int, Layout], np.ndarray]) -> list[Step]:
        """The kernel's step and those behind it. adding: of each out, whether it is added to what is there."""
        of = self.plan.groups.of
        engine, offer, kernel, call = self._made[id(n)]
        native = offer.accumulates and all(adding)
        after: list[Step] = []

        def temp(v: Value, layout: Layout) -> np.ndarray:
            if (v.id, layout) not in temps:
                temps[v.id, layout] = self._temp(v, layout)
            return temps[v.id, layout]
        outs = []
        for o, (v, layout) in enumerate(zip(n.outs, offer.outs, strict=True)):
            g = of(v)
            have = self.b.layouts.get(g, PLAIN)
            clash = any(of(u) == g and (i, o) not in offer.inplace for i, u in enumerate(n.ins))
            if not clash and layout == have and (native or not adding[o]):
                outs.append(self._array(v, have))
                continue
            first = made = temp(v, layout)
            target = self._array(v, have)
            if layout != have:
                made = temp(v, have) if adding[o] else target
                kern = self.plan.engine.reorder(self.b.specs[v.id], layout, have)
                after.append(Step("reorder", n.layer, kern.bind(Operands((first,), (made,))), n))
            if made is not target:
                run = self._addition(v, have, target, made) if adding[o] else partial(np.copyto, target, made)
                after.append(Step("add" if adding[o] else "copy", n.layer, run, n))
            outs.append(first)
        saved = tuple(self._array(v, self.b.layouts.get(of(v), PLAIN)) for v in n.saved)
        main = kernel.bind(Operands(ins, tuple(outs), saved, tuple(self.b.arrays[v.id] for v in n.state),
                                   self.b.scratch, self.b.rng(n), native))
        stored = {layout.dtype for layout in (*offer.ins, *offer.outs) if layout.dtype is not None}
        cost = get_op(n.op).cost(n.attrs, call.ins, call.outs)
        return [Step(phase, n.layer, main, n, engine.name, cost, offer.impl, " ".join(sorted(stored))), *after]

    def _addition(self, v: Value, layout: Layout, total: np.ndarray, more: np.ndarray) -> Callable[[], None]:
        """total += more, two arrays of a value in one layout, by the engine's kernel for sums.

        Where only the order is another than in plain arrays, the bytes are added as one row of numbers.
        """
        spec = self.b.specs[v.id]
        if layout.dtype is None:
            total, more = total.reshape(-1).view(spec.dtype), more.reshape(-1).view(spec.dtype)
            spec, layout = Spec(total.shape, spec.dtype), PLAIN
        call = Call("sum", None, (spec, spec), (spec,))
        engine, _ = resolve(self.plan.engine, call)
        offer = next((o for o in engine.offers(call, Near((layout, layout), (layout,)))
                      if {*o.ins, *o.outs} == {layout} and (0, 0) in o.inplace and not o.scratch), None)
        if offer is None:
            raise EngineError(f"engine {engine.name} cannot add arrays of {layout.dtype} in layout {layout.tag}")
        return engine.compile(call, offer).bind(Operands((total, more), (total,)))

    def _operand(self, v: Value, want: Layout, before: list[Step], n: Node) -> np.ndarray:
        """The in as the kernel wants it, behind a reorder or pack step where it lies otherwise."""
        have = self.b.layouts.get(self.plan.groups.of(v), PLAIN)
        if want == have:
            return self._array(v, have)
        spec, source = self.b.specs[v.id], self._array(v, have)
        if v.param is not None:
            key = "pack", v.param, want, spec.shape            # one copy for all bindings of the net
            copy = self._as(want, spec, self.b.storage.get(key, want.nbytes or self.b.nbytes(v)))
            run = self.plan.engine.reorder(spec, have, want).bind(Operands((source,), (copy,)))
            renew = partial(_pack, self.b.params.version, v.param, self.b.storage.packed, key, run)
            before.append(Step("pack", n.layer, renew, n))
            return copy
        if (v.id, want) not in self._copies:
            copy = self._copies[v.id, want] = self._temp(v, want)
            run = self.plan.engine.reorder(spec, have, want).bind(Operands((source,), (copy,)))
            before.append(Step("reorder", n.layer, run, n))
        return self._copies[v.id, want]

    def _array(self, v: Value, layout: Layout) -> np.ndarray:
        """Where the value lies: shaped if plain, bytes otherwise."""
        if layout == PLAIN:
            return self.b.arrays[v.id]
        return self.b.buffers[self.plan.groups.of(v)][:layout.nbytes]

    def _temp(self, v: Value, layout: Layout) -> np.ndarray:
        """A new buffer for one value in that layout."""
        raw = self.b.storage.get(("temp", v.id, next(self._temps)), layout.nbytes or self.b.nbytes(v))
        return self._as(layout, self.b.specs[v.id], raw)

    @staticmethod
    def _as(layout: Layout, spec: Spec, raw: np.ndarray) -> np.ndarray:
        """A buffer as a kernel of that layout sees it."""
        return plain_view(raw, spec) if layout == PLAIN else raw[:layout.nbytes]


def _pack(version: Callable[[Param], int | None], p: Param, packed: dict[object, int | None], key: object,
          reorder: Callable[[], None]) -> None:
    """Renews a private copy of a param if the param has changed since (or may have)."""
    now = version(p)
    if now is None or now != packed.get(key):
        reorder()
        packed[key] = now
