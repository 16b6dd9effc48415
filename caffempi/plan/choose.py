"""Which kernel runs each node, in which layouts: by its time and that of the reorders around it.

A blob that is observed is always plain, and nothing but the blob itself is carried from layer to layer; elsewhere the first
writer's layout becomes the buffer's. Params stay plain.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from caffempi.engines.base import PLAIN, Call, Engine, Layout, Near, Offer, resolve, stored_bytes
from caffempi.errors import CaffempiError, EngineError
from caffempi.ops.graph import Node, Spec, Value
from caffempi.ops.op import get_op
from caffempi.plan.plan import Plan


class Choice(NamedTuple):
    """What runs a node."""

    engine: Engine
    offer: Offer
    call: Call


class Chooser:
    """layouts: group -> the layout of its buffer, where it is settled (else plain). made: id of a node -> its choice.

    carry: whether layouts, and reordered copies, are handed from layer to layer. log: what runs elsewhere than the engine
    that was asked for, and why. unheeded: reason -> names of layers whose wish for a code is not fulfilled. Raises EngineError
    where no engine runs a node.
    """

    def __init__(self, plan: Plan, specs: Mapping[int, Spec], nodes: Sequence[Node], back: Sequence[Node]) -> None:
        self.plan, self.specs = plan, specs
        self.carry = not plan.observes_all and "layout" not in plan.off
        self.layouts: dict[int, Layout] = {}
        self.made: dict[int, Choice] = {}
        self.log: list[str] = []
        self.unheeded: dict[str, dict[str, None]] = {}
        self._said: set[str] = set()
        self._planned: set[tuple[int, Layout]] = set()         # reordered copies that some kernel has asked for
        order = [*nodes, *back]
        self._free = self._free_groups(order)
        for n in order:
            if not self.idle(n):
                self.made[id(n)] = self._choose(n)

    def idle(self, n: Node) -> bool:
        """Whether nothing need run: the outs are the ins under another shape, or a copy is one onto itself."""
        return get_op(n.op).alias or (n.op == "copy" and self.plan.groups.of(n.ins[0]) == self.plan.groups.of(n.outs[0]))

    def layout(self, v: Value) -> Layout:
        """How the value's buffer lies."""
        return self.layouts.get(self.plan.groups.of(v), PLAIN)

    def _free_groups(self, order: Sequence[Node]) -> set[int]:
        """Groups whose buffer may have another layout than plain."""
        if not self.carry:
            return set()
        groups = self.plan.groups
        fixed = {groups.of(v) for v in self.plan.graph.values
                 if v.param is not None or v.kind in ("in", "seed", "state") or self.plan.observed(v.blob)}
        for n in order:
            if get_op(n.op).alias and any(self.specs[v.id].shape != self.specs[n.ins[0].id].shape for v in n.outs):
                fixed.add(groups.of(n.ins[0]))
        return {groups.of(v) for v in self.plan.graph.values} - fixed

    def _choose(self, n: Node) -> Choice:
        """Picks engine and offer, and fixes the layouts of new buffers."""
        info = self.plan.graph.layers[n.layer]
        call, near = self._call(n), self._near(n)
        try:
            engine, offers, reasons = resolve(self.plan.engine, call, near)
        except CaffempiError as e:
            raise e.at(layer=info.name, type=info.type, where=n.where) from None
        for reason in reasons:
            if reason not in self._said:
                self._said.add(reason)
                self.log.append(f"{info.name}: {reason}; {engine.name} runs it")
        kept = [i for i, v in enumerate(n.ins) if v.kind == "saved"]
        fits = [o for o in offers if all(o.ins[i] == near.ins[i] for i in kept)]
        if not fits:
            raise EngineError(f'engine {engine.name} offers op "{n.op}" in no form that reads what forward saved',
                              layer=info.name, where=n.where)

        offer = fits[0] if len(fits) == 1 else min(fits, key=lambda o: self._moved(n, near, o) + o.cost)
        why = engine.unheeded(call, offer) if call.wish else None
        if why:
            self.unheeded.setdefault(why, {})[info.name] = None
        if self.carry:
            self._planned.update((v.id, w) for v, w in zip(n.ins, offer.ins, strict=True))
        for v, layout in zip([*n.outs, *n.saved], [*offer.outs, *offer.saved], strict=True):
            g = self.plan.groups.of(v)
            if g not in self.layouts and (g in self._free or v.kind == "saved"):
                self.layouts[g] = layout
        return Choice(engine, offer, call)

    def _call(self, n: Node) -> Call:
        """The node with its specs, as engines are asked."""
        specs = self.specs

        def of(values: Sequence[Value]) -> tuple[Spec, ...]:
            return tuple([specs[v.id] for v in values])
        wish = self.plan.graph.layers[n.layer].wish
        return Call(n.op, n.attrs, of(n.ins), of(n.outs), of(n.saved), of(n.state), wish)

    def _near(self, n: Node) -> Near:
        """The layouts around a node, as far as they are fixed; a gradient's first writer is shown that of its primal."""
        of = self.plan.groups.of

        def out(v: Value) -> Layout | None:
            while of(v) in self._free and of(v) not in self.layouts:
                if v.like is None:
                    return None
                v = v.like
            return self.layout(v)
        return Near(tuple([self.layout(v) for v in n.ins]), tuple([out(v) for v in n.outs]))

    def _moved(self, n: Node, near: Near, offer: Offer) -> float:
        """The time that reorders around an offer would take, in bytes."""
        total = 0.0
        for v, have, want in zip(n.ins, near.ins, offer.ins, strict=True):
            if have is not want and have != want and (v.id, want) not in self._planned and (
                    v.param is None or self.plan.backward):     # params that no solver changes are packed but once
                total += self._half_traffic(v, have, want)
        for v, best, made in zip(n.outs, near.outs, offer.outs, strict=True):
            if best is not None and best is not made and best != made:
                total += self._half_traffic(v, made, best)
        return total

    def _half_traffic(self, v: Value, src: Layout, dst: Layout) -> float:
        """Half the bytes that a reorder reads and writes."""
        spec = self.specs[v.id]
        return (stored_bytes(spec, src) + stored_bytes(spec, dst)) / 2
