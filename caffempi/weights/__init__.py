"""Weights, solver states and means as files: Caffe's binary and HDF5 formats, read guarded and written atomically."""
from __future__ import annotations

from caffempi.weights.blob import read_blob
from caffempi.weights.caffemodel import LayerBlobs, LayerRecord
from caffempi.weights.copying import ON_MISMATCH, Target, match_layers
from caffempi.weights.files import atomic_write
from caffempi.weights.match import match_blobs, shapes_match
from caffempi.weights.model import read_weights, write_weights
from caffempi.weights.state import State, read_state, write_state

__all__ = ["ON_MISMATCH", "LayerBlobs", "LayerRecord", "State", "Target", "atomic_write", "match_blobs", "match_layers",
           "read_blob", "read_state", "read_weights", "shapes_match", "write_state", "write_weights"]
