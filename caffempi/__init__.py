"""caffempi: Caffe for clusters, in Python.

    import caffempi
    net = caffempi.Net("deploy.prototxt", caffempi.TEST, weights="net.caffemodel")
    solver = caffempi.get_solver("solver.prototxt")

Names are loaded when they are first used, so that importing the package is quick.
"""
from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"
__all__ = ["TEST", "TRAIN", "AdaDeltaSolver", "AdaGradSolver", "AdamSolver", "Layer", "NesterovSolver", "Net",
           "RMSPropSolver", "SGDSolver", "get_solver", "layer_type_list", "set_mode_cpu"]

TRAIN, TEST = 0, 1
_HOMES = {"Net": "caffempi.net", "Layer": "caffempi.net.python_layer"} | dict.fromkeys(
    ["AdaDeltaSolver", "AdaGradSolver", "AdamSolver", "NesterovSolver", "RMSPropSolver", "SGDSolver", "get_solver"],
    "caffempi.solver")

_PARTS = ("data", "engines", "errors", "exchange", "layers", "net", "ops", "plan", "proto", "solver", "weights")


def __getattr__(name: str) -> Any:
    """Finds Net, Layer, get_solver and the solver classes in their packages, and the packages themselves."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _PARTS:
        return importlib.import_module(f"caffempi.{name}")
    raise AttributeError(f"module 'caffempi' has no attribute {name!r}")


def layer_type_list() -> list[str]:
    """All layer types that nets can use, in alphabetical order."""
    from caffempi.layers import LAYERS
    return LAYERS.names()


def set_mode_cpu() -> None:
    """As in pycaffe's scripts: nets that name no engine compute on the CPU from now on (CAFFEMPI_ENGINE of this process)."""
    import os
    os.environ["CAFFEMPI_ENGINE"] = "cpu"
