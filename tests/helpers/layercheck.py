"""Builds small nets from text without a plan, runs them op by op, and catches what building them refuses."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from google.protobuf import text_format

from caffempi.errors import CaffempiError
from caffempi.layers import BuildContext
from caffempi.layers.build import build_graph
from caffempi.ops import Graph
from caffempi.proto import caffe_pb2
from tests.helpers.opcheck import run_nodes


def one_layer(layer: str, **shapes: Sequence[int]) -> str:
    """Text of a net: an Input layer for each blob named, then the layer (its inner text)."""
    inputs = [f'layer {{ name: "in_{blob}" type: "Input" top: "{blob}" input_param {{ shape {{ '
              + " ".join(f"dim: {d}" for d in shape) + " } } }\n" for blob, shape in shapes.items()]
    return "".join(inputs) + f'layer {{ name: "l" {layer} }}\n'


def build(text: str, phase: str = "TRAIN", dtype: str = "float32", **context: Any) -> Graph:
    """The graph of a net's text."""
    net = text_format.Parse(text, caffe_pb2.NetParameter())
    return build_graph(net, BuildContext(phase=phase, dtype=dtype, **context))


def run(text: str, inputs: Mapping[str, Any], blobs: Sequence[Any] = (), phase: str = "TRAIN",
        dtype: str = "float32") -> tuple[dict[str, np.ndarray], list[np.ndarray]]:
    """(the newest version of each blob after forward, the last layer's own blobs). blobs: their values before."""
    graph = build(text, phase, dtype)
    own = graph.layers[-1].blobs
    arrays = {v.id: np.array(a, dtype) for v, a in zip(own, blobs, strict=True)}
    for name in graph.inputs:
        arrays[graph.blobs[name][0].id] = np.asarray(inputs[name], dtype)
    run_nodes(graph, arrays)
    return {name: arrays[versions[-1].id] for name, versions in graph.blobs.items()}, [arrays[v.id] for v in own]


def refused(text: str, phase: str = "TRAIN", **context: Any) -> str:
    """The one line that building the net is refused with."""
    with pytest.raises(CaffempiError) as caught:
        build(text, phase, **context)
    message = str(caught.value)
    assert "\n" not in message
    return message
