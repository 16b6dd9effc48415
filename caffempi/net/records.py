"""A net's layers as files of weights hold them."""
from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from caffempi.ops.graph import Graph, Param
from caffempi.proto import caffe_pb2
from caffempi.weights import LayerRecord, Target

Values = Callable[[Param], np.ndarray]


def layer_records(graph: Graph, settings: Mapping[str, caffe_pb2.LayerParameter], data: Values,
                  grad: Values | None) -> list[LayerRecord]:
    """One a layer, with its blobs in the layer's own shapes. settings: by layer name. data, grad: a param's values and
    gradients on the host (None: without)."""
    records = []
    for info in graph.layers:
        params = [v.param for v in info.blobs if v.param is not None]
        blobs = [data(p).reshape(v.spec.shape) for p, v in zip(params, info.blobs, strict=True)]
        grads = None if grad is None else [grad(p).reshape(v.spec.shape) for p, v in zip(params, info.blobs, strict=True)]
        shared = frozenset(k for k, p in enumerate(params) if p.layer_name != info.name or p.index != k)
        records.append(LayerRecord(info.name, info.type, info.bottoms, info.tops, blobs, grads, shared,
                                   settings.get(info.name)))
    return records


def targets(graph: Graph) -> list[Target]:
    """What a file's layers are matched with."""
    return [Target(i.name, i.type, [v.spec.shape for v in i.blobs],
                   {k for k, v in enumerate(i.blobs) if v.param is not None and v.param.layer_name != i.name})
            for i in graph.layers]
