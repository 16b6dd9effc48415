"""loss_param: the new field before the old, the default of each layer, the label that is ignored."""
import pytest
from google.protobuf import text_format

from caffempi.layers.loss_fields import ignored, normalization
from caffempi.proto import caffe_pb2


def fields(text):
    return text_format.Parse(text, caffe_pb2.LossParameter())


@pytest.mark.parametrize("default", ["valid", "batch"])
@pytest.mark.parametrize("text,mode", [
    ("", None), ("normalization: FULL", "full"), ("normalization: VALID", "valid"), ("normalization: BATCH_SIZE", "batch"),
    ("normalization: NONE", "none"), ("normalize: true", "valid"), ("normalize: false", "batch"),
    ("normalize: false normalization: NONE", "none"), ("ignore_label: 3", None)])
def test_normalization(text, mode, default):
    assert normalization(fields(text), default) == (mode or default)


@pytest.mark.parametrize("text,label", [("", None), ("ignore_label: 0", 0), ("ignore_label: 255", 255), ("ignore_label: -1", -1)])
def test_ignored(text, label):
    assert ignored(fields(text)) == label
