"""Files of nets and solvers; writing; and a fuzz: whatever is done to a text, only caffempi's errors come out."""
from __future__ import annotations

import random
from pathlib import Path

import pytest
from google.protobuf import text_format

from caffempi.errors import TextError
from caffempi.proto.caffe_pb2 import NetParameter
from caffempi.proto.text import parse, read_net, read_solver, read_text, write

GOLDEN = sorted((Path(__file__).resolve().parents[1] / "golden" / "upgrade").glob("*.prototxt"))
SOLVER = """net: "lenet.prototxt"
test_iter: 100 test_interval: 500
base_lr: 0.01 momentum: 0.9 weight_decay: 5e-4
lr_policy: "multistep" gamma: .1 stepvalue: [3, 4]  # drops
test_state { phase: TEST stage: "fast" } snapshot_format: HDF5 solver_mode: CPU
train_net_param { name: "n" input: "x" input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4 }
"""


def test_a_net_with_places(tmp_path: Path) -> None:
    path = tmp_path / "net.prototxt"
    path.write_text('name: "n"\nlayer { name: "a"\n type: "ReLU" }\n')
    net, places = read_net(path)
    assert net.layer[0].type == "ReLU" and places.notes == places.warnings == []
    assert places.layer("a") == f"{path}:2" and places.at("layer", 0, "type") == f"{path}:3"


def test_old_nets_are_upgraded_on_reading(tmp_path: Path) -> None:
    path = tmp_path / "net.prototxt"
    path.write_text('# old\nlayers { name: "a" type: RELU }\n')
    net, places = read_net(str(path))
    assert net.layer[0].type == "ReLU" and not net.layers and places.notes
    assert places.layer("a") == f"{path}:2"


def test_a_solver(tmp_path: Path) -> None:
    path = tmp_path / "solver.prototxt"
    path.write_text(SOLVER + "solver_type: ADAM\n")
    solver, places = read_solver(path)
    assert solver.type == "Adam" and not solver.HasField("solver_type") and list(solver.stepvalue) == [3, 4]
    assert solver.train_net_param.layer[0].type == "Input"
    assert places.at("type") == f"{path}:7" and places.at("train_net_param", "layer", 0) == f"{path}:6"
    assert len(places.notes) == 2


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfname: 'n'",
                                  b"name: 'n' # \xd6\xd0\xce\xc4", b"# \xff\xff\r\nname: 'n'\r\n",
                                  b"name: 'n'\rinput: []\r"], ids=["BOM", "GBK", "CRLF", "CR"])
def test_encodings(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "net.prototxt"
    path.write_bytes(data)
    assert read_net(path)[0] == NetParameter(name="n")


@pytest.mark.parametrize(("data", "words"), [
    (b"name: 'n'\0", "binary file"), (b"\n\x04name\xa2\x06\0\0", "binary file"), (b"\xff\xfen\0a\0", "UTF-16"),
    (b"name: '\xd6\xd0'", "not UTF-8"),
])
def test_files_that_are_no_text(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "net.prototxt"
    path.write_bytes(data)
    with pytest.raises(TextError, match=words) as caught:
        read_net(path)
    assert str(path) in str(caught.value)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(TextError, match="no such file"):
        read_net(tmp_path / "none.prototxt")
    with pytest.raises(TextError, match="folder"):
        read_solver(tmp_path)
    with pytest.raises(TextError, match="cannot be read"):
        read_text("a\0b")
    (tmp_path / "file").write_text("")
    with pytest.raises(TextError, match="cannot be read"):
        read_text(str(tmp_path / "file" / "inside"))


def test_too_large_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.prototxt"
    path.write_text("# 0123456789\n")
    with pytest.raises(TextError, match="more than 5 bytes, too large"):
        read_net(path, max_bytes=5)
    with pytest.raises(TextError, match="too large"):
        read_solver(path, max_bytes=12)
    assert read_net(path, max_bytes=13)[0] == NetParameter()


def test_unknown_fields(tmp_path: Path) -> None:
    path = tmp_path / "net.prototxt"
    path.write_text("layer {\n  fork_param { a: 1 } }")
    with pytest.raises(TextError, match='LayerParameter has no field "fork_param"') as caught:
        read_net(path)
    assert caught.value.where == f"{path}:2:3"
    net, places = read_net(path, allow_unknown=True)
    assert len(net.layer) == 1 and len(places.warnings) == 1


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_real_texts_read_as_protobuf_reads_them_and_are_written_to_the_same(path: Path) -> None:
    ours, theirs, again = NetParameter(), NetParameter(), NetParameter()
    parse(read_text(str(path)), ours, str(path))
    text_format.Parse(path.read_text(), theirs)
    assert ours == theirs
    parse(write(ours), again, "again")
    assert again == ours and write(again) == write(ours)


def test_every_float_and_string_survives_writing() -> None:
    rng = random.Random(1)
    net = NetParameter(name="".join(map(chr, range(1, 0x250))) + "层\u2028😀\\\"'")
    layer = net.layer.add()
    layer.loss_weight.extend([rng.uniform(-1, 1) * 10.0 ** rng.randint(-40, 38) for _ in range(200)])
    layer.loss_weight.extend([float("inf"), float("-inf"), 0.1, 1e-45, 3.4028235e38, -0.0, 16777217])
    layer.blobs.add(double_data=[rng.uniform(-1, 1) * 10.0 ** rng.randint(-300, 300) for _ in range(200)])
    again = NetParameter()
    parse(write(net), again, "again")
    assert again == net


@pytest.mark.parametrize("read", [read_net, read_solver])
def test_errors_that_reading_can_go_on_after_are_collected(tmp_path, read) -> None:
    file = tmp_path / "f.prototxt"
    file.write_text('oddd: 1\n')
    errors: list[TextError] = []
    read(file, errors=errors)
    assert [e.where for e in errors] == [f"{file}:1:1"]
