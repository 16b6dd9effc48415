"""Which layers exist in which state."""
from __future__ import annotations

import itertools

import pytest

from caffempi.errors import NetError
from caffempi.proto.caffe_pb2 import TEST, TRAIN, LayerParameter, NetParameter, NetState, NetStateRule
from caffempi.proto.parse import parse
from caffempi.proto.phase import filter_net, rule_holds

STATE = NetState(phase=TEST, level=2, stage=["a", "b"])


@pytest.mark.parametrize(("rule", "holds"), [
    ({}, True), ({"phase": TEST}, True), ({"phase": TRAIN}, False),
    ({"min_level": 2}, True), ({"min_level": 3}, False), ({"max_level": 2}, True), ({"max_level": 1}, False),
    ({"min_level": -1, "max_level": 5}, True), ({"min_level": 0, "max_level": 1}, False),
    ({"stage": ["a"]}, True), ({"stage": ["b", "a"]}, True), ({"stage": ["a", "c"]}, False), ({"stage": [""]}, False),
    ({"not_stage": ["c"]}, True), ({"not_stage": ["c", "b"]}, False), ({"stage": ["a"], "not_stage": ["b"]}, False),
    ({"phase": TEST, "min_level": 1, "stage": ["a"], "not_stage": ["c"]}, True),
    ({"phase": TEST, "min_level": 1, "stage": ["c"]}, False),
])
def test_rules(rule: dict[str, object], holds: bool) -> None:
    assert rule_holds(NetStateRule(**rule), STATE) is holds  # type: ignore[arg-type]


def test_a_bare_state_is_test_level_0_without_stages() -> None:
    assert rule_holds(NetStateRule(phase=TEST, min_level=0, max_level=0), NetState())
    assert not rule_holds(NetStateRule(stage=["a"]), NetState())


@pytest.mark.parametrize("holding", ["include", "exclude"])
@pytest.mark.parametrize("kept", list(itertools.product([False, True], repeat=2)))
def test_any_rule_decides(holding: str, kept: tuple[bool, bool]) -> None:
    """include: in if any of the rules holds; exclude: out if any does."""
    rules = [NetStateRule(phase=TEST if hold else TRAIN) for hold in kept]
    net = NetParameter(layer=[LayerParameter(name="x", **{holding: rules})])  # type: ignore[arg-type]
    assert len(filter_net(net, STATE)[0].layer) == (any(kept) if holding == "include" else not any(kept))


TEXT = """name: "n" force_backward: true
layer { name: "data" include { phase: TRAIN } top: "data" }
layer { name: "data" include { phase: TEST } top: "data" }
layer { name: "fc" phase: TRAIN }
layer { name: "deploy" include { stage: "deploy" } include { min_level: 9 } }
layer { name: "loss" exclude { stage: "deploy" } }
"""


@pytest.mark.parametrize(("state", "kept"), [
    (NetState(phase=TRAIN), [0, 2, 4]), (NetState(phase=TEST), [1, 2, 4]), (NetState(), [1, 2, 4]),
    (NetState(phase=TEST, stage=["deploy"]), [1, 2, 3]), (NetState(phase=TRAIN, level=9), [0, 2, 3, 4]),
])
def test_a_net_in_its_states(state: NetState, kept: list[int]) -> None:
    net = NetParameter()
    parse(TEXT, net, "f")
    before = NetParameter()
    before.CopyFrom(net)
    filtered, indexes = filter_net(net, state)
    assert indexes == kept and net == before
    assert [layer.name for layer in filtered.layer] == [net.layer[k].name for k in kept]
    assert filtered.name == "n" and filtered.force_backward and filtered.state == state
    assert {layer.name: layer.phase for layer in filtered.layer} == {
        layer.name: TRAIN if layer.name == "fc" else state.phase for layer in filtered.layer}


def test_other_fields_are_kept() -> None:
    net = NetParameter(input=["a", "b"], input_dim=[1, 2], debug_info=True, state=NetState(level=7))
    net.input_shape.add(dim=[3])
    filtered, indexes = filter_net(net, NetState(phase=TRAIN))
    assert indexes == [] and filtered.state == NetState(phase=TRAIN)
    filtered.state.CopyFrom(net.state)
    assert filtered == net


def test_both_kinds_of_rules_in_one_layer_are_refused() -> None:
    net = NetParameter()
    places = parse('layer { name: "a" }\nlayer { name: "b" type: "T" include { phase: TEST }\n exclude { level: 1 } }'
                   .replace("level", "min_level"), net, "f")
    with pytest.raises(NetError, match="not both") as caught:
        filter_net(net, STATE, places)
    assert (caught.value.layer, caught.value.type, caught.value.where) == ("b", "T", "f:2")
    with pytest.raises(NetError, match='layer "b"'):
        filter_net(net, STATE)
