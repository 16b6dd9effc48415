"""All problems of a net that show without its data.

The net is built as often as it takes: a layer at fault is noted and left out, and so are the layers that need its tops; an
in-place layer at fault leaves its blob as it is. So one fault does not hide the next.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from caffempi.cli.inputs import Shape, replace_data
from caffempi.cli.lint import lint
from caffempi.cli.problems import WARNING, Problems
from caffempi.errors import CaffempiError, NetError, TextError
from caffempi.layers import LAYERS, BuildContext
from caffempi.layers.build import build_graph
from caffempi.net.load import net_state
from caffempi.ops.graph import Graph
from caffempi.plan.gradients import differentiate
from caffempi.proto import caffe_pb2
from caffempi.proto.phase import filter_net
from caffempi.proto.places import Places
from caffempi.proto.text import read_net

_PHASES = {"TRAIN": caffe_pb2.TRAIN, "TEST": caffe_pb2.TEST}


def check_net_file(path: str, phases: Sequence[str], level: int, stages: Sequence[str], shapes: Mapping[str, Shape],
                   problems: Problems, allow_unknown: bool = False) -> None:
    """Checks a net's file in the given phases."""
    errors: list[TextError] = []
    try:
        message, places = read_net(path, allow_unknown=allow_unknown, errors=errors)
    except CaffempiError as e:
        for error in [*errors, e]:
            problems.error(error, path)
        return
    for error in errors:
        problems.error(error, path)
    note_reading(places, problems)
    built = {}
    for phase in phases:
        state = net_state(message, _PHASES[phase], level, stages)
        if len(phases) > 1 and not _layers_in(message, state):
            continue                                           # a net for one phase alone
        built[phase] = check_net(message, places, state, shapes, problems)
    problems.enter("")
    if not message.layer or not built:
        problems.error(NetError("the net has no layers"), path)
    never_learned(built, places, problems)


def note_reading(places: Places, problems: Problems) -> None:
    """What reading a text gave cause to say."""
    for text in places.warnings:
        where, _, why = text.partition(": ")
        problems.add(WARNING, where, why)
    for text in places.notes:
        problems.add(WARNING, places.filename, f"old notation: {text}")


def check_net(message: caffe_pb2.NetParameter, places: Places | None, state: caffe_pb2.NetState,
              shapes: Mapping[str, Shape], problems: Problems) -> Graph | None:
    """Checks a net in one state; returns the graph of what could be built."""
    phase = caffe_pb2.Phase.Name(state.phase)
    problems.enter(phase)
    file = places.filename if places else "net"
    net = caffe_pb2.NetParameter()
    net.CopyFrom(message)
    net.ClearField("state")
    left = {name: shape for name, shape in shapes.items() if any(name in lp.top for lp in _layers_in(net, state))}
    try:
        given = replace_data(net, places, state.phase, state.level, tuple(state.stage), left)
        filtered, origin = filter_net(net, state, places)
    except CaffempiError as e:
        problems.error(e, file)
        return None
    for text in given.notes:
        problems.add(WARNING, *_split_place(text, file))
    for fault in given.faults:
        problems.error(fault, file)
    for _, unknown in given.unknown:
        problems.error(unknown, file, WARNING)
    gone = [origin.index(index) for index, _ in given.unknown]
    kept = [k for k in range(len(filtered.layer)) if k not in gone]
    kept = _drop(filtered, kept, gone)
    while True:
        part = caffe_pb2.NetParameter(name=net.name, force_backward=net.force_backward)
        part.layer.extend(filtered.layer[k] for k in kept)

        def place(index: int, path: Sequence[str | int], kept: list[int] = kept) -> str | None:
            return places.at("layer", origin[kept[index]], *path) if places is not None and index >= 0 else None
        try:
            graph = build_graph(part, BuildContext(phase), place)
            differentiate(graph)
        except CaffempiError as e:
            problems.error(e, file)
            bad = next((k for k in kept if filtered.layer[k].name == e.layer and
                        (e.where is None or places is None or _inside(e, places, origin[k]))), None)
            if bad is None:
                return None
            _other_limits(filtered.layer[bad], e, places, origin[bad], problems, file)
            kept = _drop(filtered, [k for k in kept if k != bad], [bad])
            if not kept:
                return None
            continue
        lint(graph, part, place, problems)
        return graph


def _layers_in(message: caffe_pb2.NetParameter, state: caffe_pb2.NetState) -> list[caffe_pb2.LayerParameter]:
    try:
        return list(filter_net(message, state)[0].layer)
    except NetError:
        return list(message.layer)


def _inside(e: CaffempiError, places: Places, index: int) -> bool:
    """Whether the error's place is in the text of that layer (names may be given twice)."""
    mark = places.root.child("layer", index)
    todo, found = [mark], {places.of(mark)}
    while todo:
        for items in todo.pop().fields.values():
            for item in items:
                found.add(places.of(item if not isinstance(item, int) else type(mark)(item)))
                if not isinstance(item, int):
                    todo.append(item)
    return e.where in found


def _drop(net: caffe_pb2.NetParameter, kept: list[int], bad: Sequence[int]) -> list[int]:
    """What is left of `kept` without the layers that need what the bad ones would have made."""
    lost: set[str] = set()
    for k in bad:
        lost.update(top for j, top in enumerate(net.layer[k].top) if list(net.layer[k].bottom[j:j + 1]) != [top])
    rest = []
    for k in kept:
        lp = net.layer[k]
        if lost & set(lp.bottom):
            lost.update(lp.top)
        else:
            rest.append(k)
            lost -= set(lp.top)
    return rest


def _other_limits(lp: caffe_pb2.LayerParameter, said: CaffempiError, places: Places | None, index: int, problems: Problems,
                  file: str) -> None:
    """Fields out of range beside the one that the error tells of."""
    kind = LAYERS.get(lp.type) if lp.type in LAYERS else None
    for name, limit in kind.limits.items() if kind is not None and kind.param else ():
        message = getattr(lp, kind.param)
        value = getattr(message, name)
        for v in value if hasattr(value, "__len__") and not isinstance(value, str) else [value]:
            why = limit(v)
            field = f"{kind.param}.{name}"
            if why and field != said.field:
                where = places.at("layer", index, kind.param, name) if places else None
                problems.error(NetError(why, layer=lp.name, type=lp.type, field=field, value=v, where=where), file)
                break


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
