"""From nodes to steps: which kernel, which layouts, which reorders and copies around it.

A kernel reads and writes the layouts of its offer. Where a buffer has another one, a reorder step stands between. A blob
that is observed is always plain, and nothing but the blob itself is carried from layer to layer; elsewhere the first
writer's layout becomes the buffer's, and a reordered copy serves all later readers. Params stay plain; kernels that want
them otherwise read a private copy, which a pack step renews only when the param has changed.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from caffempi.engines.base import PLAIN, Call, Engine, Kernel, Layout, Offer, Operands, resolve
from caffempi.errors import CaffempiError, EngineError
from caffempi.ops.graph import Node, Param, Value
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
        self._forward_copies: dict[_Key, np.ndarray] = {}
        self._copies: dict[_Key, np.ndarray] = {}
        self._packed: dict[tuple[Param, Layout, tuple[int, ...]], tuple[np.ndarray, list[int | None]]] = {}
        self._temps = count()
        self._free = self._free_groups()
        said: set[str] = set()
        for n in [*self.plan.forward, *self.plan.backward]:
            if not get_op(n.op).alias:
                self._choose(n, said)

    def _free_groups(self) -> set[int]:
        """Groups whose buffer may have another layout than plain."""
        if not self._carry:
            return set()
        groups = self.plan.groups
        fixed = {groups.of(v) for v in self.plan.graph.values
                 if v.param is not None or v.kind in ("in", "seed", "state") or self.plan.observed(v.blob)}
        for n in [*self.plan.forward, *self.plan.backward]:
            if get_op(n.op).alias and any(self.b.specs[v.id].shape != self.b.specs[n.ins[0].id].shape for v in n.outs):
                fixed.add(groups.of(n.ins[0]))
        return {groups.of(v) for v in self.plan.graph.values} - fixed

    def _choose(self, n: Node, said: set[str]) -> None:
        """Picks engine and offer for a node, with the fewest bytes to reorder, and fixes the layouts of new buffers."""
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
        fits = [o for o in engine.offers(call)
                if all(v.kind != "saved" or layouts.get(of(v), PLAIN) == want for v, want in zip(n.ins, o.ins, strict=True))]
        if not fits:
            raise EngineError(f'engine {engine.name} offers op "{n.op}" in no form that reads what forward saved',
                              layer=self.plan.graph.layers[n.layer].name, where=n.where)

        def moved(offer: Offer) -> tuple[int, float]:
            have = [layouts.get(of(v), PLAIN) for v in n.ins]
            bytes_in = sum(self.b.nbytes(v) for v, h, w in zip(n.ins, have, offer.ins, strict=True) if h != w)
            fixed = [v for v, w in zip(n.outs, offer.outs, strict=True)
                     if layouts.get(of(v), w if of(v) in self._free else PLAIN) != w]
            return bytes_in + sum(self.b.nbytes(v) for v in fixed), offer.cost
        offer = min(fits, key=moved)
        for v, layout in zip([*n.outs, *n.saved], [*offer.outs, *offer.saved], strict=True):
            g = of(v)
            if g not in layouts and (g in self._free or v.kind == "saved"):
                layouts[g] = layout
        self._made[id(n)] = (engine, offer, engine.compile(call, offer), call)

    @property
    def scratch(self) -> int:
        """Bytes of scratch memory that the hungriest kernel wants."""
        return max((offer.scratch for _, offer, _, _ in self._made.values()), default=0)

    def start(self, forward: bool) -> None:
        """A new program begins: backward programs may read what forward reordered, never what another one did."""
        self._copies = self._forward_copies if forward else dict(self._forward_copies)

    def bind(self, n: Node, phase: str, add: bool) -> list[Step]:
        """The steps of a node: reorders of its ins, the kernel, and what brings its outs where they belong.

        add: gradients of params are added to what is there.
        """
        of, arrays = self.plan.groups.of, self.b.arrays
        if get_op(n.op).alias or (n.op == "copy" and of(n.ins[0]) == of(n.outs[0])):
            return []
        engine, offer, kernel, call = self._made[id(n)]
        before: list[Step] = []
        after: list[Step] = []

        def step(kind: str, run: Callable[[], None]) -> Step:
            return Step(kind, n.layer, run, n)
        if not self._carry:
            self._copies = {}
        ins = tuple(self._operand(v, want, engine, before, step) for v, want in zip(n.ins, offer.ins, strict=True))
        keeps = add and not get_op(n.op).replaces(n.attrs, call.ins, call.outs)
        adding = [v.id in self.plan.adds or (v.param is not None and (keeps or v.id in self.plan.later_uses)) for v in n.outs]
        native = offer.accumulates and all(adding)
        outs = []
        for o, (v, layout) in enumerate(zip(n.outs, offer.outs, strict=True)):
            g = of(v)
            have = self.b.layouts.get(g, PLAIN)
            clash = any(of(u) == g and (i, o) not in offer.inplace for i, u in enumerate(n.ins))
            if not clash and layout == have and (native or not adding[o]):
                outs.append(self._array(v, have))
                continue
            temp = made = self._temp(v, layout)
            if layout != have and (adding[o] or clash or layout != PLAIN):
                made = self._temp(v, have) if adding[o] else self._array(v, have)
                kern = engine.reorder(self.b.specs[v.id], layout, have)
                after.append(step("reorder", kern.bind(Operands((temp,), (made,)))))
            target = self._array(v, have)
            if made is not target:
                run = partial(np.add, target, made, out=target) if adding[o] else partial(np.copyto, target, made)
                after.append(step("add" if adding[o] else "copy", run))
            outs.append(temp)
        saved = tuple(self._array(v, self.b.layouts.get(of(v), PLAIN)) for v in n.saved)
        main = kernel.bind(Operands(ins, tuple(outs), saved, tuple(arrays[v.id] for v in n.state),
                                   self.b.scratch, self.b.rng(n), native))
        kern_step = Step(phase, n.layer, main, n, engine.name, get_op(n.op).cost(n.attrs, call.ins, call.outs))
        return [*before, kern_step, *after]

    def _operand(self, v: Value, want: Layout, engine: Engine, before: list[Step],
                 step: Callable[[str, Callable[[], None]], Step]) -> np.ndarray:
        """The in as the kernel wants it, behind a reorder or pack step where it lies otherwise."""
        have = self.b.layouts.get(self.plan.groups.of(v), PLAIN)
        if want == have:
            return self._array(v, have)
        spec = self.b.specs[v.id]
        if v.param is not None:
            key = v.param, want, spec.shape
            if key not in self._packed:
                self._packed[key] = self._temp(v, want), [None]
            copy, seen = self._packed[key]
            reorder = engine.reorder(spec, have, want).bind(Operands((self._array(v, have),), (copy,)))
            before.append(step("pack", partial(_pack, self.b.params.version, v.param, seen, reorder)))
            return copy
        if (v.id, want) not in self._copies:
            copy = self._copies[v.id, want] = self._temp(v, want)
            before.append(step("reorder", engine.reorder(spec, have, want).bind(Operands((self._array(v, have),), (copy,)))))
        return self._copies[v.id, want]

    def _array(self, v: Value, layout: Layout) -> np.ndarray:
        """Where the value lies: shaped if plain, bytes otherwise."""
        if layout == PLAIN:
            return self.b.arrays[v.id]
        return self.b.buffers[self.plan.groups.of(v)][:layout.nbytes]

    def _temp(self, v: Value, layout: Layout) -> np.ndarray:
        """A new buffer for one value in that layout."""
        raw = self.b.storage.get(("temp", v.id, next(self._temps)), layout.nbytes or self.b.nbytes(v))
        return plain_view(raw, self.b.specs[v.id]) if layout == PLAIN else raw[:layout.nbytes]


def _pack(version: Callable[[Param], int | None], p: Param, seen: list[int | None], reorder: Callable[[], None]) -> None:
    """Renews a private copy of a param if the param has changed since (or may have)."""
    now = version(p)
    if now is None or now != seen[0]:
        reorder()
        seen[0] = now
