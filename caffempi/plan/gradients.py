"""The backward half of a graph: each op's rule is asked to emit its gradient nodes, last layer first.

Within a layer a value that several nodes read gets the sum of their gradients. At a blob the diff is what its one reader
wrote; where nobody writes it, it is a 'seed': a buffer that holds the loss weight, or what the user put there (0 at first).
Gradients may be asked for of a factor times the loss: then the seeds of losses are multiplied by it on their way down.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from caffempi.errors import CaffempiError, NetError
from caffempi.ops.graph import Graph, LayerInfo, Node, Param, Spec, Value
from caffempi.ops.op import get_op


@dataclass
class Backward:
    """nodes: in order of execution. diffs: value id -> its diff. param_grads: param -> gradients in order of execution.

    seeds: the diffs that no node writes. factor: what losses are multiplied by, one number, or None.
    """

    nodes: list[Node] = field(default_factory=list)
    diffs: dict[int, Value] = field(default_factory=dict)
    param_grads: dict[Param, list[Value]] = field(default_factory=dict)
    seeds: list[Value] = field(default_factory=list)
    factor: Value | None = None


def differentiate(graph: Graph, scaled: bool = False) -> Backward:
    """Appends the backward nodes to the graph. scaled: with a factor on the loss.

    Raises NetError where a layer cannot give a gradient that is needed.
    """
    return _Walk(graph, scaled).run()


class _Walk:
    def __init__(self, graph: Graph, scaled: bool) -> None:
        self.graph, self.out = graph, Backward()
        if scaled:
            self.out.factor = graph.value(Spec((), graph.dtype), "seed")
            self.out.seeds.append(self.out.factor)
        self.got: dict[int, list[Value]] = {}                  # value id -> gradients that its readers gave
        self.made: dict[int, Node] = {}                        # gradient id -> node that makes it
        self.taken: set[int] = set()                           # gradients that are some value's diff already

    def run(self) -> Backward:
        graph, forward = self.graph, list(self.graph.nodes)
        by_layer: dict[int, list[Node]] = {}
        for n in forward:
            by_layer.setdefault(n.layer, []).append(n)
        for index in reversed(range(len(graph.layers))):
            info = graph.layers[index]
            if not info.need_backward:
                continue
            graph.layer, graph.where = index, info.where
            try:
                self._layer(info, by_layer.get(index, []))
            except CaffempiError as e:
                raise e.at(layer=info.name, type=info.type, where=info.where) from None
        graph.layer, graph.where = -1, None
        self.out.nodes = graph.nodes[len(forward):]
        del graph.nodes[len(forward):]
        return self.out

    def _layer(self, info: LayerInfo, nodes: list[Node]) -> None:
        wanted = {v.id for v, need in zip(info.bottom_values, info.bottom_need, strict=True) if need}
        wanted |= {v.id for v in info.blobs if v.need and v.kind == "param"}
        for n in nodes:
            if any(v.id in wanted for v in n.ins):
                wanted.update(v.id for v in n.outs)
        tops = {v.id: w for v, w in zip(info.top_values, info.loss_weights, strict=True)}
        for n in reversed(nodes):
            rule = get_op(n.op)
            able = range(len(n.ins)) if rule.differentiable is None else rule.differentiable
            need = [v.id in wanted and i in able for i, v in enumerate(n.ins)]
            if not any(need):
                continue
            if rule.grad == "refuse":
                raise NetError("has no gradient, but one is needed below it",
                               fix="set propagate_down: false for its bottom, or keep it off the path to the loss")
            douts = [self._top_diff(v, tops[v.id]) if v.id in tops else self._total(v) for v in n.outs]
            start = len(self.graph.nodes)
            grads = rule.backward(self.graph, n, douts, need)
            for made in self.graph.nodes[start:]:
                if rule.reads_newest(n):
                    made.ins = tuple(self._newest(v) if v in n.ins or v in n.outs else v for v in made.ins)
                self.made.update((v.id, made) for v in made.outs)
            for v, d, wants in zip(n.ins, grads, need, strict=True):
                if wants and d is not None:
                    self.got.setdefault(v.id, []).append(d)
        for v, needs in zip(info.bottom_values, info.bottom_need, strict=True):
            if needs:
                self._bottom_diff(v)
        for v in info.blobs:
            if v.need and v.kind == "param" and v.param is not None:
                for d in self.got.get(v.id, []):
                    grad = self._own(d, v)
                    grad.param = v.param
                    self.out.param_grads.setdefault(v.param, []).append(grad)

    def _newest(self, v: Value) -> Value:
        return v if v.blob is None else self.graph.blobs[v.blob][-1]

    def _total(self, v: Value) -> Value | None:
        """The sum of the gradients that a value's readers in the layer gave; None where there are none."""
        parts = self.got.get(v.id, [])
        if len(parts) < 2:
            return parts[0] if parts else None
        (total,) = self._emit("sum", None, parts, v)
        self.got[v.id] = [total]
        return total

    def _top_diff(self, v: Value, loss_weight: float) -> Value:
        """The diff of a layer's top: what the layer above wrote, or a seed, or both for a loss that is also read."""
        diff = self.out.diffs.get(v.id)
        if diff is not None and not loss_weight:
            return diff
        seed = self._seed(v)
        if diff is None:
            self.out.diffs[v.id] = seed
        if loss_weight and self.out.factor is not None:
            (seed,) = self._emit("scale_seed", None, [seed, self.out.factor], v)
        return seed if diff is None else self._emit("sum", None, [diff, seed], v)[0]

    def _seed(self, v: Value) -> Value:
        seed = self.graph.value(v.spec, "seed", like=v)
        seed.blob, seed.version = v.blob, v.version
        self.out.seeds.append(seed)
        return seed

    def _bottom_diff(self, v: Value) -> None:
        """The diff of a layer's bottom is one value of its own, zero where the layer's gradient is."""
        total = self._total(v)
        diff = self._own(total, v) if total is not None else self._emit("zeros", None, [], v)[0]
        diff.blob, diff.version = v.blob, v.version
        self.out.diffs[v.id] = diff

    def _own(self, d: Value, like: Value) -> Value:
        """The gradient itself, or a copy where it is already another value's diff, or only another name for one."""
        made = self.made.get(d.id)
        fresh = made is not None and d.id not in self.taken
        if like.kind == "param" and made is not None and get_op(made.op).alias:
            fresh = False
        if not fresh:
            (d,) = self._emit("copy", None, [d], like)
        self.taken.add(d.id)
        return d

    def _emit(self, op: str, attrs: object, ins: list[Value], like: Value) -> list[Value]:
        outs = self.graph.emit_grad(op, attrs, ins, [like])
        self.made.update((v.id, self.graph.nodes[-1]) for v in outs)
        return outs
