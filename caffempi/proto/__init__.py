"""The messages of nets and solvers (`caffe_pb2`), their text, its upgrade from old notations, and phase filtering."""
from __future__ import annotations

from caffempi.proto import caffe_pb2

__all__ = ["caffe_pb2"]
