"""The table of forks' fields names fields that exist, once each. (That it names all: test_caffe_pb2.)"""
from __future__ import annotations

from caffempi.proto import caffe_pb2
from caffempi.proto.fork_fields import _TABLE, FORK_FIELDS


def test_every_entry_is_a_field() -> None:
    messages = caffe_pb2.DESCRIPTOR.message_types_by_name
    for name, forks in FORK_FIELDS.items():
        message, _, field = name.partition(".")
        assert field in messages[message].fields_by_name, name
        assert forks and all(fork and fork == fork.strip() for fork in forks.split(",")[:1]), name


def test_no_field_is_listed_twice() -> None:
    words = sum(len(line.partition(": ")[2].split()) for text in _TABLE.values()
                for line in text.replace("\n            ", " ").strip().splitlines())
    assert words == len(FORK_FIELDS) > 400


def test_forks_of_some_fields() -> None:
    assert FORK_FIELDS["SolverParameter.larc"] == "NVCaffe"
    assert FORK_FIELDS["BatchNormParameter.scale_bias"] == "NVCaffe, Caffe-MPI"
    assert "LayerParameter.convolution_param" not in FORK_FIELDS
