"""Holds a layer that works in place to the same layer with a top of its own: forward, and the gradient below it."""
from __future__ import annotations

import numpy as np
from google.protobuf import text_format

from caffempi import TRAIN, Net
from caffempi.proto import caffe_pb2


def check_in_place(layer: str, x: np.ndarray) -> None:
    """layer: inner text of the layer without name, bottom and top. Both nets run all observed and optimised, in float64."""
    want = _run(layer, "y", x, False)
    for top, optimised in (("s", False), ("s", True), ("y", True)):
        for name, a, b in zip(("output", "gradient"), _run(layer, top, x, optimised), want, strict=True):
            assert a.shape == b.shape and np.allclose(a, b, rtol=1e-12, atol=1e-12), f"{layer}, top {top}, {optimised}: {name}"


def _run(layer: str, top: str, x: np.ndarray, optimised: bool) -> tuple[np.ndarray, np.ndarray]:
    """(output, gradient of the input) of x -> Scale -> layer -> Scale by 1."""
    dims = " ".join(f"dim: {d}" for d in x.shape)
    fixed = 'param { lr_mult: 0 } scale_param { num_axes: 0 }'
    text = f"""force_backward: true
        layer {{ name: "x" type: "Input" top: "x" input_param {{ shape {{ {dims} }} }} }}
        layer {{ name: "s" type: "Scale" bottom: "x" top: "s" {fixed} }}
        layer {{ name: "l" bottom: "s" top: "{top}" {layer} }}
        layer {{ name: "out" type: "Scale" bottom: "{top}" top: "out" {fixed} }}"""
    net = Net(text_format.Parse(text, caffe_pb2.NetParameter()), TRAIN, optimised=optimised, dtype="float64", engine="numpy")
    net.blobs["x"].data[...] = x
    out = net.forward()["out"].copy()
    net.blobs["out"].diff[...] = np.cos(np.arange(out.size)).reshape(out.shape)
    net.backward()
    return out, net.blobs["x"].diff.copy()
