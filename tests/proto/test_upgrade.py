"""Old notations: real nets against what the original makes of them, and each step on its own."""
from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import text_format

from caffempi.errors import NetError, SolverError
from caffempi.proto.caffe_pb2 import NetParameter, SolverParameter
from caffempi.proto.parse import parse
from caffempi.proto.places import Places
from caffempi.proto.text import read_net
from caffempi.proto.upgrade import upgrade_net, upgrade_solver

OLD = sorted((Path(__file__).resolve().parents[1] / "golden" / "upgrade").glob("*.old.prototxt"))


def new_of(path: Path) -> Path:
    return path.with_name(path.name.replace(".old.", ".new."))


def upgraded(text: str) -> tuple[NetParameter, Places, list[str]]:
    net = NetParameter()
    places = parse(text, net, "f")
    return net, places, upgrade_net(net, places)


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_old_nets_become_what_the_original_makes_of_them(path: Path) -> None:
    net, places = read_net(path)
    expected = NetParameter()
    text_format.Parse(new_of(path).read_text(), expected)
    assert net == expected
    assert places.notes
    assert upgrade_net(net) == [], "nothing is left to upgrade"


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_messages_without_places_are_upgraded_alike(path: Path) -> None:
    net = NetParameter()
    text_format.Parse(path.read_text(), net)
    notes = upgrade_net(net)
    assert (net, notes) == (read_net(path)[0], read_net(path)[1].notes)


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_places_follow_the_layers(path: Path) -> None:
    net, places = read_net(path)
    lines = path.read_text().splitlines()

    def line(*field: str | int) -> str:
        return lines[int(places.at(*field).rsplit(":", 1)[1]) - 1].strip()

    for index, layer in enumerate(net.layer):
        if layer.type == "Input":
            assert line("layer", index).startswith("input:")
            continue
        assert line("layer", index).startswith("layers"), layer.name
        assert line("layer", index, "name") == f'name: "{layer.name}"'
        for field, value in (("num_output", layer.convolution_param.num_output),
                             ("kernel_size", layer.convolution_param.kernel_size)):
            if layer.HasField("convolution_param"):
                value = value if isinstance(value, int) else value[0]
                assert line("layer", index, "convolution_param", field).replace("kernelsize", "kernel_size") == \
                    f"{field}: {value}"
        for k, spec in enumerate(layer.param):
            if spec.HasField("lr_mult"):
                assert line("layer", index, "param", k, "lr_mult").startswith("blobs_lr")
        if layer.transform_param.HasField("mean_file"):
            assert line("layer", index, "transform_param", "mean_file").startswith(("mean_file", "meanfile"))


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_nets_of_today_stay_as_they_are(path: Path) -> None:
    net, places = read_net(new_of(path))
    assert places.notes == [] and net == text_format.Parse(new_of(path).read_text(), NetParameter())


@pytest.mark.parametrize(("text", "shapes", "line"), [
    ('name: "n"\ninput: "a" input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4', [[1, 2, 3, 4]], 2),
    ('input: "a" input: "b" input_dim: [1, 2, 3, 4, 5, 6, 7, 8]', [[1, 2, 3, 4], [5, 6, 7, 8]], 1),
    ('layer { name: "x" }\n\ninput: "a" input_shape { dim: 7 dim: 8 }', [[7, 8]], 3),
    ('input: "a" input: "b" input_shape { dim: 7 } input_shape { }', [[7], []], 1),
    ('input: "a" input_shape { dim: 7 } input_dim: 9', [[7]], 1),
])
def test_inputs_become_the_first_layer(text: str, shapes: list[list[int]], line: int) -> None:
    net, places, notes = upgraded(text)
    layer = net.layer[0]
    assert (layer.name, layer.type, list(layer.top)) == ("input", "Input", ["a", "b"][:len(shapes)])
    assert [list(shape.dim) for shape in layer.input_param.shape] == shapes
    assert not net.input and not net.input_shape and not net.input_dim and len(notes) == 1
    assert places.layer(0) == f"f:{line}"
    assert len(net.layer) == 1 or places.layer(1) == "f:1"


def test_inputs_without_shapes_are_dropped_with_a_note() -> None:
    net, _, notes = upgraded('input: "a" layer { name: "x" }')
    assert len(net.layer) == 1 and not net.input and "dropped" in notes[0]


@pytest.mark.parametrize("text", ['input: "a" input_dim: 1', 'input: "a" input: "b" input_dim: [1, 2, 3, 4]',
                                  'input: "a" input: "b" input_shape { dim: 1 }',
                                  'input: "a" input_dim: [1, 2, 3, 4, 5]'])
def test_inputs_and_shapes_must_be_as_many(text: str) -> None:
    with pytest.raises(NetError, match="inputs need") as caught:
        upgraded("# x\n" + text)
    assert caught.value.where == "f:2"


@pytest.mark.parametrize(("type_", "param"), [("Data", "data_param"), ("ImageData", "image_data_param"),
                                              ("WindowData", "window_data_param")])
def test_transformations_move_out_of_data_layers(type_: str, param: str) -> None:
    net, places, notes = upgraded(f'layer {{ name: "d" type: "{type_}"\n {param} {{ source: "s" batch_size: 3\n '
                                  'scale: 0.5\nmirror: true crop_size: 9 mean_file: "m" } }')
    layer, message = net.layer[0], getattr(net.layer[0], param)
    assert (message.source, message.batch_size) == ("s", 3)
    assert not any(message.HasField(name) for name in ("scale", "mirror", "crop_size", "mean_file"))
    transform = layer.transform_param
    assert (transform.scale, transform.mirror, transform.crop_size, transform.mean_file) == (0.5, True, 9, "m")
    assert len(notes) == 1 and '"d"' in notes[0] and places.at("layer", 0, "transform_param", "scale") == "f:3"


@pytest.mark.parametrize(("params", "changed"), [(0, False), (1, False), (2, False), (3, True), (4, False)])
def test_statistics_of_batch_norm_are_not_learned(params: int, changed: bool) -> None:
    net, _, notes = upgraded('layer { type: "BatchNorm" ' + "param { lr_mult: 1 decay_mult: 2 }" * params + "}")
    assert all((spec.lr_mult, spec.decay_mult) == ((0, 0) if changed else (1, 2)) for spec in net.layer[0].param)
    assert len(notes) == changed


def test_statistics_that_are_frozen_already_give_no_note() -> None:
    net, _, notes = upgraded('layer { type: "BatchNorm" ' + "param { lr_mult: 0 decay_mult: 0 }" * 3 + "}")
    assert notes == [] and len(net.layer[0].param) == 3


@pytest.mark.parametrize(("old", "new"), [("SGD", "SGD"), ("NESTEROV", "Nesterov"), ("ADAGRAD", "AdaGrad"),
                                          ("RMSPROP", "RMSProp"), ("ADADELTA", "AdaDelta"), ("ADAM", "Adam"),
                                          ("3", "RMSProp"), ("SAG", "SAG"), ("6", "SAG")])
def test_solver_types(old: str, new: str) -> None:
    solver = SolverParameter()
    parse(f"solver_type: {old}", solver, "f")
    assert len(upgrade_solver(solver)) == 1
    assert solver == SolverParameter(type=new)
    assert upgrade_solver(solver) == []


def test_two_solver_types_are_refused() -> None:
    solver = SolverParameter()
    places = parse('type: "SGD"\nsolver_type: ADAM', solver, "f")
    with pytest.raises(SolverError, match="both given") as caught:
        upgrade_solver(solver, places)
    assert caught.value.where == "f:2"


def test_nets_inside_a_solver_are_upgraded_with_their_places() -> None:
    solver = SolverParameter()
    places = parse('net_param {\n layers { name: "a" type: RELU } }\ntest_net_param { }\n'
                   'test_net_param {\n layers { layer { name: "b" type: "tanh" } } }', solver, "f")
    notes = upgrade_solver(solver, places)
    assert solver.net_param.layer[0].type == "ReLU" and solver.test_net_param[1].layer[0].type == "TanH"
    assert places.at("net_param", "layer", 0, "name") == "f:2"
    assert places.at("test_net_param", 1, "layer", 0) == "f:5"
    assert [note.split(":")[0] for note in notes] == ["net_param", "test_net_param", "test_net_param"]


@pytest.mark.parametrize(("old", "new"), [
    ("pooling_param { ceil_mode: false }", "pooling_param { round_mode: FLOOR }"),
    ("pooling_param { ceil_mode: true pad: 1 }", "pooling_param { round_mode: CEIL pad: 1 }"),
    ("pooling_param { ceil_mode: true round_mode: FLOOR }", "pooling_param { round_mode: FLOOR }"),
    ("convolution_param { hole: 2 }", "convolution_param { dilation: 2 }"),
    ("convolution_param { hole: 2 hole: 3 }", "convolution_param { dilation: 2 dilation: 3 }"),
    ("convolution_param { hole_h: 2 hole_w: 3 }", "convolution_param { dilation: 2 dilation: 3 }"),
    ("convolution_param { dilation_w: 3 }", "convolution_param { dilation: 1 dilation: 3 }"),
    ("convolution_param { dilation: 4 hole: 2 }", "convolution_param { dilation: 4 hole: 2 }"),
])
def test_spellings_of_forks_that_caffe_has_another_field_for(old: str, new: str) -> None:
    net, expected = NetParameter(), NetParameter()
    places = parse(f'layer {{ name: "a"\n {old} }}', net, "f")
    parse(f'layer {{ name: "a" {new} }}', expected, "g")
    notes = upgrade_net(net, places)
    assert net == expected and len(notes) <= 1 and upgrade_net(net) == []
    if notes:
        field = "pooling_param" if "round_mode" in notes[0] else "convolution_param"
        assert places.at("layer", 0, field, notes[0].split()[-1]) == "f:2"
