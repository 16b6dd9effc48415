"""Text into messages: the legal, the odd, and what errors say."""
from __future__ import annotations

import pytest
from google.protobuf.message import Message

from caffempi.errors import TextError
from caffempi.proto.caffe_pb2 import LayerParameter, NetParameter, SolverParameter
from caffempi.proto.parse import parse

LEGAL = {
    "tabs and CRLF": '\tname:\t"n"\r\nlayer {\r\n\tname: "a"\r\n}\r\n',
    "no final newline": 'name: "n" layer { name: "a" }',
    "colon before a block": 'name: "n" layer: { name: "a" }',
    "angle brackets": 'name: "n" layer < name: "a" >',
    "single quotes": "name: 'n' layer { name: 'a' }",
    "joined strings": 'name: "n" "" layer { name: "" \'a\' }',
    "commas and semicolons": 'name: "n", layer { name: "a"; };',
    "comments": '# x\nname: "n" # {\n// }\nlayer { name: "a" // "\n}',
    "list of blocks": 'name: "n" layer [ { name: "a" } ]',
    "list of blocks with colon": 'name: "n" layer: [ < name: "a" > ]',
    "no blanks": 'name:"n"layer{name:"a"}',
    "GBK in a comment": 'name: "n" # \udcd6\udcd0\udcce\udcc4\nlayer { name: "a" }',
    "empty list": 'name: "n" layer { name: "a" } input: []',
}


@pytest.mark.parametrize("text", LEGAL.values(), ids=LEGAL.keys())
def test_odd_but_legal(text: str) -> None:
    net = NetParameter()
    places = parse(text, net, "f")
    assert net == NetParameter(name="n", layer=[LayerParameter(name="a")]) and places.warnings == []


@pytest.mark.parametrize(("text", "expected"), [
    ("convolution_param { pad: [0, 1] }", {"convolution_param": {"pad": [0, 1]}}),
    ("convolution_param { pad: [0, 1] pad: 2 }", {"convolution_param": {"pad": [0, 1, 2]}}),
    ("convolution_param { engine: 2 }", {"convolution_param": {"engine": 2}}),
    ("convolution_param { engine: CUDNN bias_term: 0 }", {"convolution_param": {"engine": 2, "bias_term": False}}),
    ("phase: TEST", {"phase": 1}), ("phase: 0", {"phase": 0}), ("propagate_down: [t, 0, true]",
                                                               {"propagate_down": [True, False, True]}),
    ("relu_param { }", {"relu_param": {}}),
    ("relu_param {}", {"relu_param": {}}), ("relu_param <>", {"relu_param": {}}),
    ("power_param { shift: -0.5f scale: 1. power: 2 }", {"power_param": {"shift": -.5, "scale": 1, "power": 2}}),
    ("reshape_param { shape { dim: 0 dim: -1 } }", {"reshape_param": {"shape": {"dim": [0, -1]}}}),
    ('name: "a\\n\\303\\251"', {"name": "a\né"}), ('name: "层"', {"name": "层"}),
    ("loss_weight: 1 loss_weight: [.5]", {"loss_weight": [1, .5]}),
    ("clip_param { min: -1 max: 1 }", {"clip_param": {"min": -1, "max": 1}}),
    ('name: "a" name: "b"', {"name": "b"}), ("lrn_param { k: 2 } lrn_param { beta: 2 }", {"lrn_param": {"beta": 2}}),
])
def test_values(text: str, expected: dict[str, object]) -> None:
    layer = LayerParameter()
    parse(text, layer, "f")
    assert layer == LayerParameter(**expected)  # type: ignore[arg-type]


def test_a_singular_field_given_twice_is_warned_of() -> None:
    layer = LayerParameter()
    places = parse('name: "a"\nname: "b"\nrelu_param { negative_slope: 1\nnegative_slope: 2 }', layer, "f")
    assert layer.name == "b" and layer.relu_param.negative_slope == 2
    assert places.warnings == ["f:2:1: field name is given twice; this one counts",
                               "f:4:1: field negative_slope is given twice; this one counts"]
    assert places.at("name") == "f:2"


FAULTS: list[tuple[type[Message], str, str, str]] = [
    (NetParameter, 'layer {\n  convolutoin_param { }\n}', "f:2:3",
     'LayerParameter has no field "convolutoin_param"; did you mean convolution_param'),
    (NetParameter, "net: 'x'", "f:1:1", 'NetParameter has no field "net"; it is a field of SolverParameter'),
    (NetParameter, "layer {\n kernel_size: 3 }", "f:2:2", "it is a field of convolution_param or pooling_param"),
    (NetParameter, "layer { pooling_param { pool: AVG } }", "f:1:31",
     'field pool (f:1:31): there is no value "AVG"; did you mean AVE? known: MAX, AVE, STOCHASTIC'),
    (NetParameter, "layer { pooling_param { pool: 3 } }", "f:1:31", "there is no value 3; known: MAX"),
    (NetParameter, 'layer { pooling_param { pool: "AVE" } }', "f:1:31", "write AVE without quotes"),
    (NetParameter, "layer {\n pad: 3 }", "f:2:2", "it is a field of convolution_param or pooling_param"),
    (NetParameter, "top: 'a'", "f:1:1", "it is a field of LayerParameter"),
    (NetParameter, "layer { scale_bias: true }", "f:1:9", "it is a field of batch_norm_param in NVCaffe, Caffe-MPI"),
    (NetParameter, "layer { batch_norm_param { larc: true } }", "f:1:28",
     'BatchNormParameter has no field "larc"; it is a field of SolverParameter in NVCaffe'),
    (NetParameter, "layer { upsample_parm { } }", "f:1:9", "did you mean upsample_param"),
    (NetParameter, "layer { type: ReLU }", "f:1:15", 'write type: "ReLU"'),
    (NetParameter, "layer { name 'a' }", "f:1:14", "expected \":\" after name, found 'a'"),
    (NetParameter, "layer { name: 'a'", "f:1:18", '"}" is missing at the end of the file; the block opened at line 1'),
    (NetParameter, "layer { name: 'a' > }", "f:1:19", 'expected a field of LayerParameter, found ">"'),
    (NetParameter, "}", "f:1:1", 'expected a field of NetParameter, found "}"'),
    (NetParameter, "layer: 3", "f:1:8", 'expected "{" after layer, found "3"'),
    (NetParameter, "layer", "f:1:6", 'expected "{" after layer, found the end of the file'),
    (NetParameter, "name: [ 'a' ]", "f:1:7", "name takes one value, not a list"),
    (NetParameter, "input: [ 'a' 'b' ; ]", "f:1:18", 'expected "," or "]" in the list of input'),
    (NetParameter, "input: [ 'a',, ]", "f:1:14", "expected a string in quotes"),
    (NetParameter, "input: [ [ 'a' ] ]", "f:1:10", 'found "["'),
    (NetParameter, "layer { convolution_param { num_output: -1 } }", "f:1:41", "-1 is outside 0..4294967295"),
    (NetParameter, "layer { convolution_param { num_output: 3.5 } }", "f:1:41", "expected a whole number"),
    (NetParameter, "layer {\n clip_param { min: 0 } }", "f:2:2", "ClipParameter needs field max"),
    (NetParameter, "name: '\udcff'", "f:1:7", "not UTF-8"),
    (NetParameter, "[a.b.c] { }", "f:1:1", "expected a field"),
    (NetParameter, "force_backward: yes", "f:1:17", "expected true or false"),
    (SolverParameter, "base_lr: 0,01", "f:1:12", "expected a field of SolverParameter, found \"01\""),
    (SolverParameter, "base_lr: 1e", "f:1:10", "expected a number"),
    (SolverParameter, "layer { }", "f:1:1", "it is a field of NetParameter"),
    (SolverParameter, "max_iter: 99999999999", "f:1:11", "outside"),
    (SolverParameter, "lr_policy: 'step\n'", "f:1:12", "does not end"),
    (SolverParameter, "quite_unknown_zzz: 1", "f:1:1", 'SolverParameter has no field "quite_unknown_zzz"'),
]


@pytest.mark.parametrize(("message", "text", "where", "words"), FAULTS)
def test_faults(message: type[Message], text: str, where: str, words: str) -> None:
    with pytest.raises(TextError) as caught:
        parse(text, message(), "f")
    assert caught.value.where == where
    assert words in str(caught.value)


@pytest.mark.parametrize("value", [": 1", ": -1.5", ': "a" "b"', ": ENUM", " { a: 1 b { c: [1, 2] } }", ": { }",
                                   " < a < > >", ": [1, 2]", ": [ { a: 1 }, { a: 2 } ]", " [ ]",
                                   " { any: \"}\" # }\n }"])
def test_unknown_fields_are_skipped_on_request(value: str) -> None:
    net = NetParameter()
    places = parse(f'name: "n"\n  fork_field{value}, input: "i"', net, "f", allow_unknown=True)
    assert net == NetParameter(name="n", input=["i"])
    assert places.warnings == ['f:2:3: NetParameter has no field "fork_field"; skipped']


@pytest.mark.parametrize("value", ["", " 1", ": }", ":", " { ", " { a: 1 ]", " [ { ] }", " { < } >", ": { a { }"])
def test_broken_unknown_fields_are_errors(value: str) -> None:
    with pytest.raises(TextError):
        parse(f"fork_field{value}", NetParameter(), "f", allow_unknown=True)


@pytest.mark.parametrize("bracket", ["{", "<", "[", "a {", "layer {"])
@pytest.mark.parametrize("allow_unknown", [False, True])
def test_deep_nesting_is_an_error_not_a_crash(bracket: str, allow_unknown: bool) -> None:
    with pytest.raises(TextError):
        parse("a " + bracket * 100_000, NetParameter(), "f", allow_unknown=allow_unknown)


def test_deep_nesting_in_an_unknown_field_can_be_skipped() -> None:
    net = NetParameter()
    parse("a " + "{a" * 100_000 + "}" * 100_000 + " name: 'n'", net, "f", allow_unknown=True)
    assert net.name == "n"


def test_bytes_fields_take_any_bytes() -> None:
    from caffempi.proto.caffe_pb2 import Datum

    datum = Datum()
    parse(r'channels: 1 data: "\377\000a"', datum, "f")
    assert datum.data == b"\xff\0a"


def test_errors_are_collected_where_reading_can_go_on() -> None:
    net, errors = NetParameter(), []
    text = ('nme: "x"\nname: 3 force_backward: maybe\n'
            'layer { phase: TRIAN loss_weight: [1, two, 3] fork { a: 1 } name: "l" }\nstate { level: 99999999999 level: -x }\n')
    with pytest.raises(TextError):
        parse(text, NetParameter(), "f", errors=[])            # a sign without a number cannot be passed over
    parse(text.replace("level: -x ", ""), net, "f", errors=errors)
    assert [e.where for e in errors] == ["f:1:1", "f:2:7", "f:2:25", "f:3:16", "f:3:39", "f:3:47", "f:4:16"]
    assert net.layer[0].name == "l" and list(net.layer[0].loss_weight) == [1, 3]


@pytest.mark.parametrize("text", ["layer {", "layer { name: } }", 'name "x"', "layer { type: [", "}", '"x"'])
def test_what_reading_cannot_go_on_after_is_raised_all_the_same(text: str) -> None:
    errors: list[TextError] = []
    with pytest.raises(TextError):
        parse(f"nme: 1 {text}", NetParameter(), "f", errors=errors)
    assert len(errors) == 1
