"""The bench's modules stand beside its program, where no package looks."""
from __future__ import annotations

import sys

import pytest

from tests.tools.conftest import TOOLS

sys.path.insert(0, str(TOOLS))

TINY = """
name: "tiny"
layer { name: "in" type: "Input" top: "data" top: "label"
  input_param { shape { dim: 4 dim: 3 dim: 8 dim: 8 } shape { dim: 4 } } }
layer { name: "conv" type: "Convolution" bottom: "data" top: "conv"
  convolution_param { num_output: 4 kernel_size: 3 weight_filler { type: "xavier" } } }
layer { name: "relu" type: "ReLU" bottom: "conv" top: "conv" }
layer { name: "ip" type: "InnerProduct" bottom: "conv" top: "ip" inner_product_param { num_output: 5 weight_filler { type: "xavier" } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" include { phase: TRAIN } }
"""


@pytest.fixture
def tiny(tmp_path):
    """Path of a small net."""
    path = tmp_path / "tiny.prototxt"
    path.write_text(TINY)
    return str(path)


@pytest.fixture
def settings(tiny):
    """A side's settings for that net."""
    return {"path": tiny, "train": True, "threads": 1, "precision": "fp32"}
