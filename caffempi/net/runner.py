"""Runs a plan: shapes to bindings, batches into them, programs through them, and blobs by name out of them."""
from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from time import perf_counter

import numpy as np

from caffempi.data.feed import Feed
from caffempi.errors import ShapeError, UsageError
from caffempi.net.values import Values
from caffempi.ops.graph import Spec
from caffempi.ops.op import get_op
from caffempi.plan.binding import Binding
from caffempi.plan.blueprint import Blueprint
from caffempi.plan.plan import Plan
from caffempi.plan.program import Clock, NewShapes, Record
from caffempi.plan.step import Step
from caffempi.plan.storage import ParamState, Storage

_KEPT = 8                                                       # bindings of recent shapes that are kept


class Runner:
    """The state of a running net.

    ordinal: forward runs so far. ready_hook(bucket): during backward, as a bucket's gradients are final.
    counts_hook(counts) -> (totals, ranks): between forward and backward, if losses divide by counts of labels that can
    differ between ranks: the losses then divide by max(1, total) / ranks, so that the plain mean over ranks is exact.
    """

    def __init__(self, plan: Plan, params: ParamState, seed: int, rank: int) -> None:
        self.plan, self.params, self._seed, self._rank = plan, params, seed, rank
        self.ordinal = 0
        self.feeds: dict[str, Feed] = {}
        self.ready_hook: Callable[[int], None] | None = None
        self.counts_hook: Callable[[np.ndarray], tuple[np.ndarray, int]] | None = None
        self._fires = _Fires(self)
        self._storage = Storage(plan.engine)
        self._bindings: OrderedDict[tuple[object, ...], Binding] = OrderedDict()
        self._shapes: dict[str, tuple[int, ...]] = {}           # of what comes from outside
        self._known: dict[int, tuple[Spec, ...]] = {}           # dynamic nodes -> shapes when they ran last
        self._pending: dict[str, tuple[int, ...]] = {}          # given to blobs, and not yet settled
        self._sources = {i: info for i, info in enumerate(plan.graph.layers) if info.source}
        self._outside = [v for v in plan.graph.values if v.kind == "in" and v.blob is not None]
        for v in self._outside:
            self._shapes[v.blob or ""] = v.spec.shape
        self._kept = [v for v in plan.graph.values if v.kind == "state"]
        self._kept_specs: dict[int, Spec] = {}                  # as they were when a binding last came into use
        self._varying = [n for n in plan.forward if getattr(n.attrs, "counts_vary", False)]
        self._left: Binding | None = None                       # what the last forward left for backward lies there
        self.values = Values(plan, self._storage, self._pending, _bound(weakref.ref(self)))
        self.binding = self._bind()

    # ---- shapes ----
    def set_shape(self, blob: str, shape: tuple[int, ...]) -> None:
        """A user's new shape for a blob: its data and diff have it at once, the net follows when it settles."""
        self._pending[blob] = shape

    def settle(self) -> None:
        """Binds to the shapes that inputs and feeds have now. A failure leaves the old binding in use."""
        shapes = {**self._shapes, **{b: s for b, s in self._pending.items() if b in self._shapes}}
        if self._pending or shapes != self._shapes or self.binding.generation != self._storage.generation:
            before, self._shapes, known, self._known = self._shapes, shapes, self._known, {}
            try:
                self.binding = self._bind()
            except Exception:
                self._shapes, self._known = before, known
                raise
            self._pending.clear()

    def forget(self) -> None:
        """Takes all memory anew (the params' arrays have changed)."""
        for binding in self._bindings.values():
            binding.release()
        self._storage.packed.clear()
        self.binding = self._bind()

    def _bind(self, until: int | None = None) -> Binding:
        key = (*(self._shapes[v.blob or ""] for v in self._outside), tuple(sorted(self._known.items())), until)
        found = self._bindings.pop(key, None)
        if found is None:
            blueprint = Blueprint(self.plan, self._shapes, self._known, until)
            found = Binding(blueprint, self._storage, self.params, self._fires, self._seed, self._rank)
        elif found.generation != self._storage.generation:
            found.renew()
        self._bindings[key] = found
        while len(self._bindings) > _KEPT:
            self._bindings.popitem(last=False)
        for other in self._bindings.values():                   # so that what has grown is not held twice
            if other.generation != self._storage.generation:
                other.release()
        self._renew_kept(found)
        return found

    def _renew_kept(self, binding: Binding) -> None:
        """Zeroes what layers keep from run to run where its shape is no longer what it was."""
        for v in self._kept:
            spec = binding.specs.get(v.id)
            if spec is not None and self._kept_specs.get(v.id) != spec:
                self.plan.engine.put(self.values.at(v, binding), 0)
                self._kept_specs[v.id] = spec

    # ---- runs ----
    def run_forward(self, first: int, last: int, record: Record | None = None, clock: Clock = perf_counter) -> None:
        """Layers first..last; data layers among them take their next batch. record(step, seconds) is told of each step, and
        of each data layer as if it were one."""
        whole = first == 0 and last == len(self.plan.graph.layers) - 1
        self._refuse_part(whole)
        self._left = None
        due = [(i, self.feeds[info.name]) for i, info in self._sources.items() if first <= i <= last]
        for i, feed in due:
            for blob, shape in zip(self._sources[i].tops, feed.shapes(), strict=True):
                if self._shapes[blob] != shape:
                    self._pending[blob] = shape
        self.settle()
        self.binding.set_run(self.ordinal)
        self.ordinal += 1
        self.plan.engine.settle()
        for i, feed in due:
            start = clock()
            arrays, recipe = [self.values.at(v) for v in self._sources[i].top_values], feed.recipe()
            if recipe is None:
                self.plan.engine.feed(arrays, feed.next)
            else:
                self.plan.engine.feed_images(arrays, recipe, feed.next)
            if record is not None:
                record(Step("F", i, _nothing), clock() - start)
        whole_net, known = self.binding, self._known
        try:
            self._run_dynamic(first, last, record, clock)
        except BaseException:
            if not self.binding.whole:
                self.binding, self._known = whole_net, known
            raise
        self._left = self.binding

    def _run_dynamic(self, first: int, last: int, record: Record | None, clock: Clock) -> None:
        """Runs the forward program; where a node's shapes turn out to be new, goes on from it in another binding."""
        after = None
        while True:
            try:
                self.binding.forward.run_layers(first, last, after, record, clock)
                if self.binding.whole:
                    return
                at = len(self.binding.nodes) - 1                # a dynamic node that has run in the shapes it was bound to
                after = self.binding.nodes[at]
                specs = tuple(self.binding.specs[v.id] for v in after.outs)
            except NewShapes as new:
                at, after, specs = new.index, new.node, new.specs
            self._known = {i: s for i, s in self._known.items() if i < at} | {at: specs}
            self.binding = self._bind_after(at)
            self.binding.set_run(self.ordinal - 1)

    def _bind_after(self, at: int) -> Binding:
        """The binding to go on in when a dynamic node's shapes are known: of the whole net, or, where that does not fit
        with the shapes that later dynamic nodes had, of the nodes up to the next such one. Raises ShapeError."""
        try:
            return self._bind()
        except ShapeError:
            later = (i for i, n in enumerate(self.plan.forward) if i > at and "dynamic" in get_op(n.op).effects)
            until = next(later, None)
            if until is None:
                raise
            return self._bind(until + 1)

    def run_backward(self, first: int, last: int) -> None:
        """Layers first down to last; gradients of params are added to."""
        whole = last == 0 and first == len(self.plan.graph.layers) - 1
        self._refuse_part(whole)
        self._claim()
        self.plan.engine.settle()
        if whole:
            self.binding.backward_add.run()
        else:
            self.binding.backward_add.run_layers(first, last)

    def begin_pass(self, add: bool) -> Callable[[], float]:
        """forward and backward with the loss between them; what is returned gives it, and waits for it on a device."""
        self.run_forward(0, len(self.plan.graph.layers) - 1)
        if self.counts_hook is not None and self._varying:
            self._agree_counts(self.counts_hook)
        loss = self.values.begin_loss()
        self._claim()
        (self.binding.backward_add if add else self.binding.backward).run()
        return loss

    def profile(self, forward: Record, backward: Record, clock: Clock) -> None:
        """A whole forward and backward run; the functions are told of each step and its seconds by the clock."""
        last = len(self.plan.graph.layers) - 1
        self.run_forward(0, last, forward, clock)
        self._claim()
        self.binding.backward.run_layers(last + 1, 0, record=backward, clock=clock)   # what precedes all layers too

    def _refuse_part(self, whole: bool) -> None:
        if not whole and not self.plan.observes_all:
            raise UsageError("a run of part of the layers needs all blobs observed", fix="build the net without optimised")

    def _claim(self) -> None:
        """Backward is about to use what forward left; where memory is shared, that is possible once."""
        if self.plan.forward_only:
            raise UsageError("the net was built for forward runs only", fix="build it without forward_only")
        if not self.plan.observes_all and self.plan.backward and (
                self._left is not self.binding or self.binding.generation != self._storage.generation):
            raise UsageError("backward of an optimised net must follow a forward run, and only one may: memory is used again",
                             fix="run forward first, or build the net without optimised")
        self._left = None

    def _agree_counts(self, hook: Callable[[np.ndarray], tuple[np.ndarray, int]]) -> None:
        """Makes each loss with varying counts divide by max(1, total) / ranks."""
        at, engine = self.values.at, self.plan.engine
        losses = [(n, get_op(n.op)) for n in self._varying if n.saved]
        counts = np.array([float(engine.get(at(n.saved[op.count_saved]))[0]) for n, op in losses])
        totals, ranks = hook(counts)
        for (n, op), total in zip(losses, totals, strict=True):
            divisor, loss = engine.lend(at(n.saved[op.normalizer_saved])), engine.lend(at(n.outs[0]))
            new = max(1.0, float(total)) / ranks
            loss *= divisor[0] / new
            divisor[0] = new
        engine.settle()


def _nothing() -> None:
    """The call of a step that stands for a data layer."""


def _bound(runner: weakref.ref[Runner]) -> Callable[[], Binding]:
    """What gives the binding in use, without a circle that would keep the memory."""
    def binding() -> Binding:
        alive = runner()
        assert alive is not None
        return alive.binding
    return binding


class _Fires:
    """Hands on to the runner's ready_hook, if it has one. Bindings hold it: weakly, so that no circle keeps the memory."""

    def __init__(self, runner: Runner) -> None:
        self._runner = weakref.ref(runner)

    def fire(self, bucket: int) -> None:
        """A bucket's gradients are final."""
        alive = self._runner()
        if alive is not None and alive.ready_hook is not None:
            alive.ready_hook(bucket)

    def host(self) -> str | None:
        """A reason while there is a hook."""
        alive = self._runner()
        return "gradients are handed on" if alive is not None and alive.ready_hook is not None else None
