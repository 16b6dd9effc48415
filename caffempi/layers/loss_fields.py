"""What losses read from loss_param: the label that does not count, and what the sum is divided by."""
from __future__ import annotations

from caffempi.proto import caffe_pb2

_Loss = caffe_pb2.LossParameter
_MODES = {_Loss.FULL: "full", _Loss.VALID: "valid", _Loss.BATCH_SIZE: "batch", _Loss.NONE: "none"}


def ignored(p: caffe_pb2.LossParameter) -> int | None:
    """ignore_label; None where there is none."""
    return int(p.ignore_label) if p.HasField("ignore_label") else None


def normalization(p: caffe_pb2.LossParameter, default: str) -> str:
    """full, valid, batch or none: the field normalization, else the old normalize (true: valid, false: batch), else default."""
    if p.HasField("normalization"):
        return _MODES[p.normalization]
    if p.HasField("normalize"):
        return "valid" if p.normalize else "batch"
    return default
