"""What we write is read by a program that knows BVLC's fields alone: nothing of ours is needed, and little is left over."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.unknown_fields import UnknownFieldSet

from caffempi import TEST, TRAIN, Net
from caffempi.proto import caffe_pb2
from caffempi.weights import read_state, read_weights, write_state

BVLC = Path(__file__).parents[1] / "golden" / "bvlc_fields.txt"
NET = """layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 2 dim: 3 dim: 4 dim: 4 } } }
layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 4 kernel_size: 3
        weight_filler { type: "xavier" } } }
layer { name: "b" type: "BatchNorm" bottom: "c" top: "b" batch_norm_param { scale_bias: true } }
layer { name: "p" type: "InnerProduct" bottom: "b" top: "p" inner_product_param { num_output: 2 weight_filler { type: "msra" } } }
"""


@pytest.fixture(scope="module")
def bvlc() -> dict[str, Any]:
    """Message classes with BVLC's fields alone."""
    fields = {line.partition(": ")[0]: {f.split()[0] for f in line.partition(": ")[2].split(", ")}
              for line in BVLC.read_text().splitlines()}
    file = descriptor_pb2.FileDescriptorProto()
    caffe_pb2.DESCRIPTOR.CopyToProto(file)
    for k in reversed(range(len(file.message_type))):
        message = file.message_type[k]
        if message.name not in fields:
            del file.message_type[k]
            continue
        for f in reversed(range(len(message.field))):
            if message.field[f].name not in fields[message.name]:
                del message.field[f]
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file) if hasattr(pool, "Add") else pool.AddSerializedFile(file.SerializeToString())
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"caffe.{name}")) for name in fields}


def unknown(message: Any) -> list[tuple[str, int]]:
    """(message, number) of the fields that a message and those inside it do not know."""
    found = [(message.DESCRIPTOR.name, field.field_number) for field in UnknownFieldSet(message)]
    for field, value in message.ListFields():
        if field.message_type:
            for inner in value if hasattr(value, "__len__") else [value]:
                found += unknown(inner)
    return found


@pytest.mark.parametrize("diffs", [False, True])
def test_weights(bvlc: dict[str, Any], tmp_path: Path, diffs: bool) -> None:
    (tmp_path / "n").write_text(NET)
    net, file = Net(str(tmp_path / "n"), TRAIN if diffs else TEST, seed=3), tmp_path / "w.caffemodel"
    net.save(file, write_diff=diffs)
    message = bvlc["NetParameter"].FromString(file.read_bytes())
    assert unknown(message) == [("BatchNormParameter", 7)]                 # scale_bias, under NVCaffe's own number
    ours = read_weights(file)
    assert [lp.name for lp in message.layer] == ["x", "c", "b", "p"]
    for lp in message.layer:
        for k, blob in enumerate(lp.blobs):
            data = net.params[lp.name][k].data
            assert tuple(blob.shape.dim) == data.shape
            np.testing.assert_array_equal(np.array(blob.data, np.float32).reshape(data.shape), data)
            np.testing.assert_array_equal(ours[lp.name][k], data)          # and by us bit for bit
            assert len(blob.diff) == (data.size if diffs else 0)


def test_states(bvlc: dict[str, Any], tmp_path: Path) -> None:
    state = read_state(Path(__file__).parents[1] / "golden" / "weights" / "sgd.solverstate")
    state.resume = caffe_pb2.ResumeState(seed=7)
    write_state(tmp_path / "s", state, "BINARYPROTO")
    message = bvlc["SolverState"].FromString((tmp_path / "s").read_bytes())
    assert unknown(message) == [("SolverState", 2000)] and message.iter == state.iter
    assert [list(b.shape.dim) for b in message.history] == [list(h.shape) for h in state.history]
    assert all(np.array_equal(np.array(b.data, np.float32).reshape(h.shape), h)
               for b, h in zip(message.history, state.history, strict=True))
