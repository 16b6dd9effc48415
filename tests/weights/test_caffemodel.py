"""Binary weights of all generations, cross-checked with protobuf, and written byte for byte as the original does."""
from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from caffempi.errors import WeightsError
from caffempi.proto import caffe_pb2
from caffempi.weights.caffemodel import LayerBlobs, LayerRecord, dump_caffemodel, parse_caffemodel
from caffempi.weights.wire import Source, bytes_field, int_field

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"
TRUTH = caffe_pb2.NetParameter.FromString((GOLDEN / "sgd.caffemodel").read_bytes())


def blob(*shape: int) -> caffe_pb2.BlobProto:
    return caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=shape), data=np.arange(np.prod(shape)))


def parse(message: caffe_pb2.NetParameter | bytes) -> LayerBlobs:
    return parse_caffemodel(Source(message if isinstance(message, bytes) else message.SerializeToString()))


def shapes(layers: LayerBlobs) -> dict[str, list[tuple[int, ...]]]:
    return {name: [b.shape for b in blobs if b is not None] for name, blobs in layers.items()}


def test_the_originals_file_reads_as_protobuf_reads_it() -> None:
    layers = parse((GOLDEN / "sgd.caffemodel").read_bytes())
    assert list(layers) == [layer.name for layer in TRUTH.layer]
    for layer in TRUTH.layer:
        for got, want in zip(layers[layer.name], layer.blobs, strict=True):
            assert got is not None and got.shape == tuple(want.shape.dim)
            np.testing.assert_array_equal(got.ravel(), np.array(want.data, np.float32))


def test_a_net_written_again_has_the_originals_bytes() -> None:
    layers = parse((GOLDEN / "sgd.caffemodel").read_bytes())
    records = [LayerRecord(p.name, p.type, p.bottom, p.top, [b for b in layers[p.name] if b is not None], settings=p)
               for p in TRUTH.layer]
    out = io.BytesIO()
    dump_caffemodel(out, TRUTH.name, records)
    assert out.getvalue() == (GOLDEN / "sgd.caffemodel").read_bytes()


def test_diffs_and_layers_without_settings_read_in_protobuf() -> None:
    data, diff = np.ones((2, 3), np.float32), np.full((2, 3), 7, np.float32)
    out = io.BytesIO()
    dump_caffemodel(out, "net", [LayerRecord("a", "InnerProduct", ["x", "y"], ["z"], [data], [diff]),
                                 LayerRecord("b", "ReLU", ["z"], ["z"], [])])
    net = caffe_pb2.NetParameter.FromString(out.getvalue())
    assert (net.name, [p.name for p in net.layer], [p.type for p in net.layer]) == ("net", ["a", "b"],
                                                                                   ["InnerProduct", "ReLU"])
    assert (list(net.layer[0].bottom), list(net.layer[0].top)) == (["x", "y"], ["z"])
    assert list(net.layer[0].blobs[0].diff) == [7] * 6 and list(net.layer[0].blobs[0].data) == [1] * 6


def test_v1_layers() -> None:
    net = caffe_pb2.NetParameter(name="old", layers=[
        caffe_pb2.V1LayerParameter(bottom=["x"], top=["y"], name="conv", blobs=[blob(2, 3), blob(2)]),
        caffe_pb2.V1LayerParameter(name="relu")])
    assert shapes(parse(net)) == {"conv": [(2, 3), (2,)], "relu": []}


def test_v0_layers_inside_v1() -> None:
    net = caffe_pb2.NetParameter(name="oldest", layers=[caffe_pb2.V1LayerParameter(
        bottom=["x"], layer=caffe_pb2.V0LayerParameter(name="conv", type="conv", blobs=[blob(4), blob(1)]))])
    assert shapes(parse(net)) == {"conv": [(4,), (1,)]}


def test_fields_of_unknown_programs_are_stepped_over() -> None:
    odd = int_field(555, 3) + b"".join(bytes_field(12345, b"whatever"))
    layer = caffe_pb2.LayerParameter(name="a", blobs=[blob(3)]).SerializeToString() + odd
    assert shapes(parse(odd + b"".join(bytes_field(100, layer)) + odd)) == {"a": [(3,)]}


def test_of_two_layers_with_one_name_the_last_with_blobs_counts() -> None:
    layers = [caffe_pb2.LayerParameter(name="a", blobs=[blob(n)] if n else []) for n in (2, 3, 0)]
    assert shapes(parse(caffe_pb2.NetParameter(layer=layers))) == {"a": [(3,)]}


def test_names_of_other_encodings_do_not_stop_reading() -> None:
    assert list(parse(b"".join(bytes_field(100, *bytes_field(1, b"\xb0\xa1"))))) == ["\\xb0\\xa1"]


@pytest.mark.parametrize(("data", "why"), [
    (b"\x0a\x01n", "holds no layers"),
    (caffe_pb2.NetParameter(layer=[caffe_pb2.LayerParameter()],
                            layers=[caffe_pb2.V1LayerParameter()]).SerializeToString(), "two generations"),
    (int_field(100, 1), "field 100 has wire type 0"),
    (b"".join(bytes_field(100, int_field(1, 5))), "field 1 has wire type 0"),
    (b"".join(bytes_field(100, *bytes_field(1, b"fc"), int_field(7, 5))), "field 7 has wire type 0"),
    ((GOLDEN / "sgd.solverstate").read_bytes(), "solver state"), ((GOLDEN / "mean.binaryproto").read_bytes(), "blob")])
def test_what_is_no_net_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(WeightsError, match=why):
        parse(data)


def test_a_fault_in_a_blob_names_the_layer() -> None:
    bad = caffe_pb2.BlobProto(shape=caffe_pb2.BlobShape(dim=[5]), data=[1])
    with pytest.raises(WeightsError, match=r'layer "fc": a blob of shape .5,. wants 5 values, the file has 1'):
        parse(caffe_pb2.NetParameter(layer=[caffe_pb2.LayerParameter(name="fc", blobs=[bad])]))


def test_a_file_cut_at_any_byte_is_refused_or_ends_between_layers() -> None:
    data = (GOLDEN / "sgd.caffemodel").read_bytes()
    whole = list(parse(data))
    readable = 0
    for cut in range(1, len(data)):
        try:
            got = list(parse(data[:cut]))
        except WeightsError:
            continue
        readable += 1
        assert got == whole[:len(got)]
    assert readable == len(whole) - 1
