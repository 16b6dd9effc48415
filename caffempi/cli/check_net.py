"""All problems of a net that show without its data.

The net is built as often as it takes: a layer at fault is noted and left out, and so are the layers that need its tops; an
in-place layer at fault leaves its blob as it is. So one fault does not hide the next. Where the shape of an input is not
known, a guess stands for it, and shapes that do not fit are passed over.
"""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from caffempi.cli.inputs import Shape, guess_shapes, replace_data
from caffempi.cli.lint import lint
from caffempi.cli.problems import WARNING, Problems
from caffempi.errors import CaffempiError, NetError, ShapeError, TextError, did_you_mean
from caffempi.layers import LAYERS, BuildContext
from caffempi.layers.build import build_graph
from caffempi.net.load import net_state
from caffempi.net.outside import Outside
from caffempi.ops.graph import Graph
from caffempi.plan.gradients import differentiate
from caffempi.proto import caffe_pb2
from caffempi.proto.phase import filter_net
from caffempi.proto.places import Places
from caffempi.proto.text import read_net

M = TypeVar("M")
_PHASES = {"TRAIN": caffe_pb2.TRAIN, "TEST": caffe_pb2.TEST}


def check_net_file(path: str, phases: Sequence[str], level: int, stages: Sequence[str], shapes: Mapping[str, Shape],
                   problems: Problems, allow_unknown: bool = False, no_data: bool = False) -> None:
    """Checks a net's file in the given phases, or of several in those for which it has inputs. no_data: see replace_data."""
    found = read_text(read_net, path, problems, allow_unknown)
    if found is None:
        return
    message, places = found
    states = {phase: net_state(message, _PHASES[phase], level, stages) for phase in phases}
    fed = [phase for phase, state in states.items() if any(not lp.bottom for lp in _layers_in(message, state))]
    built = {}
    for phase in fed or phases:                                # a net without inputs in one phase is meant for the other
        built[phase] = check_net(message, places, states[phase], shapes, problems, no_data)
    problems.enter("")
    if not any(_layers_in(message, state) for state in states.values()):
        problems.error(NetError(f"the net has no layers{' in this state' if message.layer else ''}"), path)
    never_learned(built, places, problems)


def read_text(read: Callable[..., tuple[M, Places]], path: str, problems: Problems,
              allow_unknown: bool) -> tuple[M, Places] | None:
    """A text's message and places, with all its faults told; None where there is none to go on with."""
    errors: list[TextError] = []
    try:
        message, places = read(path, allow_unknown=allow_unknown, errors=errors)
    except CaffempiError as e:
        for error in [*errors, e]:
            problems.error(error, path)
        return None
    for error in errors:
        problems.error(error, path)
    note_reading(places, problems)
    return message, places


def note_reading(places: Places, problems: Problems) -> None:
    """What reading a text gave cause to say."""
    for text in places.warnings:
        where, _, why = text.partition(": ")
        problems.add(WARNING, where, why)
    for text in places.notes:
        problems.add(WARNING, places.filename, f"old notation: {text}")


def check_net(message: caffe_pb2.NetParameter, places: Places | None, state: caffe_pb2.NetState,
              shapes: Mapping[str, Shape], problems: Problems, no_data: bool = False) -> Graph | None:
    """Checks a net in one state; returns the graph of what could be built."""
    problems.enter(caffe_pb2.Phase.Name(state.phase))
    file = places.filename if places else "net"
    net = caffe_pb2.NetParameter()
    net.CopyFrom(message)
    net.ClearField("state")
    try:
        left = {name: shape for name, shape in shapes.items() if any(name in lp.top for lp in _layers_in(net, state))}
        given = replace_data(net, places, state.phase, state.level, tuple(state.stage), left, no_data=no_data)
    except CaffempiError as e:
        problems.error(e, file)
        return None
    for text in given.notes:
        problems.add(WARNING, *_split_place(text, file))
    for fault in given.faults:
        problems.error(fault, file)
    for index, unknown in given.unknown:
        if unknown not in given.faults:
            problems.error(unknown, file, WARNING)
        guess_shapes(net, index)
    return _Building(net, places, state, problems, file, guessed=bool(given.unknown)).run()


class _Building:
    """A net in one state, built again without the layers at fault until it builds."""

    def __init__(self, net: caffe_pb2.NetParameter, places: Places | None, state: caffe_pb2.NetState, problems: Problems,
                 file: str, guessed: bool) -> None:
        self.net, self.origin = filter_net(net, state, places)
        self.places, self.problems, self.file, self.guessed = places, problems, file, guessed
        outside = Outside(os.path.dirname(places.filename) if places else None)
        self.ctx = BuildContext(caffe_pb2.Phase.Name(state.phase), extra=outside.extra)
        self.kept = list(range(len(self.net.layer)))

    def run(self) -> Graph | None:
        """The graph of the layers that are left; None where none are, or a fault is no layer's."""
        while self.kept:
            part = caffe_pb2.NetParameter(name=self.net.name, force_backward=self.net.force_backward)
            part.layer.extend(self.net.layer[k] for k in self.kept)
            try:
                graph = build_graph(part, self.ctx, self._place_in_part)
                differentiate(graph)
            except CaffempiError as e:
                if not (self.guessed and isinstance(e, ShapeError)):
                    self.problems.error(e, self.file)
                bad = self._layer_of(e)
                if bad is None:
                    return None
                self._other_limits(bad, e)
                self._leave_out(bad)
                continue
            lint(graph, part, self._place_in_part, self.problems)
            return graph
        return None

    def _place_in_part(self, index: int, path: Sequence[str | int]) -> str | None:
        return self._place(self.kept[index], path) if index >= 0 else None

    def _place(self, k: int, path: Sequence[str | int]) -> str | None:
        return self.places.at("layer", self.origin[k], *path) if self.places is not None else None

    def _layer_of(self, e: CaffempiError) -> int | None:
        """The layer at fault: by name, and among several of that name by place."""
        named = [k for k in self.kept if self.net.layer[k].name == e.layer]
        if len(named) > 1 and self.places is not None:
            named = [k for k in named if e.where in self._places_of(k)] or named
        return named[0] if named else None

    def _places_of(self, k: int) -> set[str]:
        """All places in the text of a layer."""
        assert self.places is not None
        below = self.places.below("layer", self.origin[k])
        return {below.of(below.root), *(where for _, where in below)}

    def _leave_out(self, bad: int) -> None:
        """Takes the layer away, and those that need its tops; of these, what shows without shapes is still checked."""
        lp = self.net.layer[bad]
        lost = {top for j, top in enumerate(lp.top) if list(lp.bottom[j:j + 1]) != [top]}
        rest = []
        for k in self.kept:
            lp = self.net.layer[k]
            if k == bad:
                continue
            if lost & set(lp.bottom):
                lost.update(lp.top)
                self._check_alone(k)
            else:
                rest.append(k)
                lost -= set(lp.top)
        self.kept = rest

    def _check_alone(self, k: int) -> None:
        """Type, numbers of blobs, fields out of range and unknown bottoms of a layer that is not built."""
        lp = self.net.layer[k]
        made = {top for other in self.net.layer[:k] for top in other.top}
        for j, bottom in enumerate(lp.bottom):
            if bottom not in made:
                self.problems.error(NetError(f'unknown bottom blob "{bottom}": no layer above makes it', layer=lp.name,
                                             type=lp.type, where=self._place(k, ("bottom", j)),
                                             fix=did_you_mean(bottom, made) or None), self.file)
        try:
            LAYERS.get(lp.type)(lp, self.ctx)
        except CaffempiError as e:
            path = (e.field or "").replace("[", ".").replace("]", "").split(".")
            steps = [int(part) if part.isdigit() else part for part in path if part]
            self.problems.error(e.at(layer=lp.name, type=lp.type, where=self._place(k, steps)), self.file)
            self._other_limits(k, e)

    def _other_limits(self, k: int, said: CaffempiError) -> None:
        """Fields out of range beside the one that the error tells of."""
        lp = self.net.layer[k]
        if lp.type not in LAYERS:
            return
        kind = LAYERS.get(lp.type)
        for name, limit in kind.limits.items():
            value = getattr(getattr(lp, kind.param), name)
            field = f"{kind.param}.{name}"
            for v in value if hasattr(value, "__len__") and not isinstance(value, str) else [value]:
                why = limit(v)
                if why and field != said.field:
                    self.problems.error(NetError(why, layer=lp.name, type=lp.type, field=field, value=v,
                                                 where=self._place(k, (kind.param, name))), self.file)
                    break


def _layers_in(message: caffe_pb2.NetParameter, state: caffe_pb2.NetState) -> list[caffe_pb2.LayerParameter]:
    try:
        return list(filter_net(message, state)[0].layer)
    except NetError:
        return list(message.layer)


def has_loss(message: caffe_pb2.NetParameter, state: caffe_pb2.NetState) -> bool:
    """Whether the net has a loss in that state, as far as its text tells."""
    for lp in _layers_in(message, state):
        known = lp.type not in LAYERS or LAYERS.get(lp.type).loss
        if any(lp.loss_weight) or (known and not lp.loss_weight):
            return True
    return False


def never_learned(built: Mapping[str, Graph | None], places: Places, problems: Problems) -> None:
    """Params that only the TEST net has: training never touches them."""
    train, test = built.get("TRAIN"), built.get("TEST")
    if train is None or test is None or not any(p.lr_mult for p in train.params):
        return
    known = {p.layer_name for p in train.params}
    for p in test.params:
        if p.layer_name not in known and not p.share_name:
            known.add(p.layer_name)
            problems.add(WARNING, p.where or places.filename, f'layer "{p.layer_name}" has params in TEST, but is not in the '
                         "TRAIN net: nothing is learned for it")


def _split_place(text: str, file: str) -> tuple[str, str]:
    """(place, words) of a message that has its place in brackets."""
    head, bracket, rest = text.partition(f" ({file}:")
    line, closing, tail = rest.partition(")")
    return (f"{file}:{line}", head + tail) if bracket and closing and line.isdigit() else (file, text)
