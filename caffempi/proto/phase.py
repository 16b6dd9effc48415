"""Which layers of a net exist in a given state (phase, level, stages).

A layer without rules exists. One with `include` rules exists if any of them holds; one with `exclude` rules exists
unless any of them holds; both kinds in one layer are an error. A rule holds if all that it gives holds: the phase is
equal, the level is within min_level..max_level, every `stage` is among the state's stages and no `not_stage` is.
"""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.proto.caffe_pb2 import LayerParameter, NetParameter, NetState, NetStateRule
from caffempi.proto.places import Places


def filter_net(net: NetParameter, state: NetState, places: Places | None = None) -> tuple[NetParameter, list[int]]:
    """The net as it is in `state`, and for each of its layers the index that it has in `net`.

    The new net carries the state; a layer without a phase of its own gets the state's. `net` is not changed. Raises
    NetError for a layer with both include and exclude rules, naming file:line where `places` are given.
    """
    kept: list[int] = []
    for index, layer in enumerate(net.layer):
        if layer.include and layer.exclude:
            raise NetError("a layer has include or exclude rules, not both", layer=layer.name, type=layer.type,
                           where=places.layer(index) if places else None, fix="remove one kind")
        if _exists(layer, state):
            kept.append(index)
    filtered = NetParameter()
    for field, value in net.ListFields():
        if field.name not in ("layer", "state"):
            target = getattr(filtered, field.name)
            if hasattr(target, "MergeFrom"):
                target.MergeFrom(value)
            else:
                setattr(filtered, field.name, value)
    filtered.state.CopyFrom(state)
    for index in kept:
        layer = filtered.layer.add()
        layer.CopyFrom(net.layer[index])
        if not layer.HasField("phase"):
            layer.phase = state.phase
    return filtered, kept


def rule_holds(rule: NetStateRule, state: NetState) -> bool:
    """Whether all that a rule gives holds in a state."""
    if rule.HasField("phase") and rule.phase != state.phase:
        return False
    if rule.HasField("min_level") and state.level < rule.min_level:
        return False
    if rule.HasField("max_level") and state.level > rule.max_level:
        return False
    stages = set(state.stage)
    return stages.issuperset(rule.stage) and stages.isdisjoint(rule.not_stage)


def _exists(layer: LayerParameter, state: NetState) -> bool:
    if layer.include:
        return any(rule_holds(rule, state) for rule in layer.include)
    return not any(rule_holds(rule, state) for rule in layer.exclude)
