"""Things that a net may say but seldom means: the warnings of `check` about a net that can be built.

Each rule is a function of the net; `RULES` lists them all.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from caffempi.cli.problems import WARNING, Problems
from caffempi.ops.graph import Graph, LayerInfo
from caffempi.proto import caffe_pb2

Place = Callable[[int, Sequence[str | int]], str | None]       # layer index in the net, path of a field -> file:line
_READS_TOP = ("LRN", "Sigmoid", "TanH", "Softmax", "ELU")      # Caffe's backward of these reads the values of their top
_LEARNS = ("Convolution", "InnerProduct")


class Finding(NamedTuple):
    """layer: index in the net; path: of the field; text: what is odd, and what to do."""

    layer: int
    path: Sequence[str | int]
    text: str


class LintNet:
    """What a rule looks at. layers: (index, text, what was built of it) in order, without the splits that were put in."""

    def __init__(self, graph: Graph, net: caffe_pb2.NetParameter) -> None:
        self.graph = graph
        self.layers: list[tuple[int, caffe_pb2.LayerParameter, LayerInfo]] = []
        todo = list(enumerate(net.layer))
        for info in graph.layers:
            if todo and (todo[0][1].name, todo[0][1].type) == (info.name, info.type):
                self.layers.append((*todo.pop(0), info))
        self.training = graph.phase == "TRAIN" and any(w for info in graph.layers for w in info.loss_weights)


def lint(graph: Graph, net: caffe_pb2.NetParameter, place: Place, problems: Problems) -> None:
    """Adds the warnings of all rules."""
    looked = LintNet(graph, net)
    for rule in RULES:
        for found in rule(looked):
            lp = net.layer[found.layer]
            problems.add(WARNING, place(found.layer, found.path), f'layer "{lp.name}" ({lp.type}): {found.text}')


def doubled_names(net: LintNet) -> Iterator[Finding]:
    """Weights are stored by layer name, so two layers of one name get the same ones."""
    seen: set[str] = set()
    for k, lp, info in net.layers:
        if lp.name in seen:
            again = ", and weights are stored by name" if info.blobs else ""
            yield Finding(k, ("name",), f"another layer has this name too{again}; rename one of them")
        seen.add(lp.name)
        if not lp.name:
            yield Finding(k, (), "has no name")


def overwritten_tops(net: LintNet) -> Iterator[Finding]:
    """Caffe computes a wrong gradient where a layer in place overwrites what the one before it reads in backward."""
    last: dict[str, caffe_pb2.LayerParameter] = {}
    for k, lp, info in net.layers:
        before = last.get(lp.bottom[0]) if lp.bottom and list(lp.bottom[:1]) == list(lp.top[:1]) else None
        if before is not None and before.type in _READS_TOP and info.need_backward:
            yield Finding(k, ("top",), f'runs in place over "{before.name}" ({before.type}), whose gradient the original Caffe '
                          "then computes from overwritten values; caffempi computes the right one. Give the top a name of its "
                          "own for the same training in both")
        last.update(dict.fromkeys(lp.top, lp))


def odd_propagation(net: LintNet) -> Iterator[Finding]:
    """propagate_down that changes nothing useful."""
    made = {t: info for _, _, info in net.layers for t in info.tops}
    for k, lp, info in net.layers:
        for i, flag in enumerate(lp.propagate_down):
            maker = made.get(lp.bottom[i])
            if flag and maker is not None and not maker.bottoms and info.need_backward:
                yield Finding(k, ("propagate_down", i), f'propagate_down: true computes a gradient for the input '
                              f'"{lp.bottom[i]}", which nothing uses in training')
        if lp.propagate_down and not any(lp.propagate_down) and net.training and not info.blobs:
            yield Finding(k, ("propagate_down",), "no bottom gets a gradient, so nothing below is trained through this layer")


def lone_sharing(net: LintNet) -> Iterator[Finding]:
    """A param with a name is meant to be shared; with one use it may be misspelled."""
    uses = Counter(ps.name for _, lp, _ in net.layers for ps in lp.param if ps.name)
    for k, lp, _ in net.layers:
        for i, ps in enumerate(lp.param):
            if ps.name and uses[ps.name] == 1 and len(uses) > 1:
                yield Finding(k, ("param", i, "name"), f'no other layer shares the param "{ps.name}"')


def unread_tops(net: LintNet) -> Iterator[Finding]:
    """In training, a top that nobody reads and that is no loss is computed for nothing."""
    if not net.training:
        return
    for k, lp, info in net.layers:
        for j, top in enumerate(lp.top):
            if top in net.graph.outputs and not any(info.loss_weights) and info.bottoms and lp.type != "Accuracy":
                yield Finding(k, ("top", j), f'its top "{top}" is no loss, and no layer reads it')


def zero_weights(net: LintNet) -> Iterator[Finding]:
    """A weight that starts at zero by default learns nothing where all its neighbours do the same."""
    for k, lp, info in net.layers:
        weight = info.blobs[0].param if info.blobs else None
        if net.training and lp.type in _LEARNS and weight is not None and weight.lr_mult and not weight.share_name:
            message = lp.convolution_param if lp.type == "Convolution" else lp.inner_product_param
            if not message.HasField("weight_filler"):
                yield Finding(k, (), 'has no weight_filler, so unless weights are loaded they start at 0; set one, such as '
                              'weight_filler { type: "xavier" }')


def wrong_statistics(net: LintNet) -> Iterator[Finding]:
    """BatchNorm against the phase: batch statistics in TEST, running ones in a TRAIN net."""
    for k, lp, _ in net.layers:
        p = lp.batch_norm_param
        if lp.type == "BatchNorm" and p.HasField("use_global_stats"):
            path = ("batch_norm_param", "use_global_stats")
            if net.graph.phase == "TEST" and not p.use_global_stats:
                yield Finding(k, path, "in TEST it normalises by each batch's own statistics, so results depend on the batch")
            if net.training and p.use_global_stats:
                yield Finding(k, path, "in TRAIN it normalises by stored statistics, which stay as they were loaded")


RULES = (doubled_names, overwritten_tops, odd_propagation, lone_sharing, unread_tops, zero_weights, wrong_statistics)
