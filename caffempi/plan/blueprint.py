"""The Blueprint: a plan with shapes, kernels chosen, steps drafted and memory laid out, but none of it allocated yet."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from caffempi.engines.base import Call, resolve
from caffempi.ops.graph import Spec, Value
from caffempi.plan.buffers import Buffer, Draft, Ref
from caffempi.plan.choose import Chooser
from caffempi.plan.drafts import Drafter, Pair
from caffempi.plan.infer import infer_specs
from caffempi.plan.memory import find_lifetimes, place, settle_owners, touched
from caffempi.plan.plan import Plan
from caffempi.plan.views import share_parts


class Blueprint:
    """specs: value id -> Spec. layouts: group -> layout. forward, backward, backward_add: drafts in order, the last two
    overwriting gradients of params and adding to them. order: all of them, each once; what a buffer's first and last count.

    arena: bytes of the arena that buffers with an offset lie in; adding: of another, which backward_add alone needs. owned:
    key -> bytes of what has memory of its own.
    log: what a user should know of the choice of kernels, unheeded: the part on wishes of the net's text.
    known, until: see `infer_specs`; with until only so many forward nodes are drafted, and `whole` is false.
    """

    def __init__(self, plan: Plan, shapes: Mapping[str, tuple[int, ...]],
                 known: Mapping[int, tuple[Spec, ...]] | None = None, until: int | None = None) -> None:
        self.plan = plan
        self.specs = infer_specs(plan, shapes, known, until)
        self.nodes = list(plan.forward) if until is None else plan.forward[:until]
        self.back = plan.backward if until is None else []
        self.whole = until is None
        chosen = Chooser(plan, self.specs, self.nodes, self.back)
        self.layouts, self.unheeded = chosen.layouts, [_line(why, [*names]) for why, names in chosen.unheeded.items()]
        self.log = [*chosen.log, *self.unheeded]
        self._drafter = drafter = Drafter(plan, self.specs, chosen)
        self.forward = [d for n in self.nodes for d in drafter.node(n, "F")[0]]
        pairs = self._backward(drafter)
        self.backward = [d for pair in pairs for d in pair[0]]
        self.backward_add = [d for pair in pairs for d in pair[1]]
        self.order = [*self.forward, *_merged(pairs)]
        if "alias" not in plan.off and not plan.observes_all and not plan.changes_shapes:
            self._drop(share_parts(self.order))
        buffers = find_lifetimes(self.order)
        settle_owners(plan, self.order, len(self.forward), buffers)
        shared = [b for b in buffers if not b.owned]
        usual = {id(b) for d in (*self.forward, *self.backward) for b in touched(d)}
        self.arena = place([b for b in shared if id(b) in usual])
        extra = [b for b in shared if id(b) not in usual]
        self.adding = place(extra)
        for b in extra:
            b.arena = "adding"
        for v in self._shown():
            drafter.ref(v)
        self.buffers = list({id(b): b for b in (*buffers, *drafter.buffers.values())}.values())
        self.owned: dict[object, int] = {}
        for b in self.buffers:
            if b.offset is None and b.parent is None and b.kind not in ("param", "param grad"):
                self.owned[b.key] = max(b.nbytes, self.owned.get(b.key, 0))

    def _drop(self, needless: Sequence[Draft]) -> None:
        """Takes steps out of all programs."""
        gone = {id(d) for d in needless}
        if gone:
            self.forward, self.backward, self.backward_add, self.order = (
                [d for d in drafts if id(d) not in gone]
                for drafts in (self.forward, self.backward, self.backward_add, self.order))
            self.log.append(f"{len(gone)} concatenations and slices copy nothing")

    def ref(self, v: Value) -> Ref | None:
        """Where a value lies; None where nothing of it is kept."""
        g = self.plan.groups.of(v)
        return self._drafter.ref(v) if v.id in self.specs and g in self._drafter.buffers else None

    def _shown(self) -> list[Value]:
        """Values that outside code may look at though no step touches them: blobs that are observed, and the seeds."""
        plan = self.plan
        named = [v for blob, versions in plan.graph.blobs.items() if plan.observed(blob) for v in versions]
        return [v for v in (*named, *plan.grads.seeds) if v.id in self.specs]

    def _backward(self, drafter: Drafter) -> list[Pair]:
        """Drafts of both backward programs, node by node, the buckets' events between them."""
        if not self.whole:
            return []
        plan = self.plan
        pairs: list[Pair] = [(self._zero_unwritten(), [])]
        count = len(plan.backward)
        for at in range(count + 1):
            n = plan.backward[at] if at < count else None
            write, add = drafter.node(n, "B") if n is not None else ([], [])
            layer = n.layer if n is not None else -1
            due = plan.fires.get(at, [])
            pairs.append(([*write, *_fires(due, layer)], [*add, *_fires(due, layer)]))
        return pairs

    def _zero_unwritten(self) -> list[Draft]:
        """Params that no step writes get a zero gradient in the overwriting program."""
        plan = self.plan
        drafts = []
        for p in plan.arena.params:
            if p in plan.grads.param_grads:
                continue
            buffer = Buffer(("grad", p), 0, "param grad", True, p)
            call = Call("zeros", None, (), (p.spec,))
            engine, offers, _ = resolve(plan.engine, call)
            drafts.append(Draft("zero", len(plan.graph.layers), None, partial(engine.compile, call, offers[0]), (),
                                (Ref(buffer, p.spec, offers[0].outs[0]),)))
        return drafts


def _line(why: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"engine: CUDNN of layer {names[0]}{more} is without effect: {why}"


def _fires(buckets: Sequence[int], layer: int) -> list[Draft]:
    return [Draft("fire", layer, bucket=k) for k in buckets]


def _merged(pairs: Sequence[Pair]) -> Iterator[Draft]:
    """The steps of both backward programs, each once."""
    for write, add in pairs:
        yield from write
        known = {id(d) for d in write}
        yield from (d for d in add if id(d) not in known)
