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
           "RMSPropSolver", "SGDSolver", "get_solver", "layer_type_list", "set_device", "set_mode_cpu", "set_mode_gpu"]

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


def set_mode_gpu() -> None:
    """As in pycaffe's scripts: nets that name no engine compute on a GPU from now on; without one that works, making them
    raises EngineError with the reason."""
    import os
    os.environ["CAFFEMPI_ENGINE"] = "cuda"


def set_device(index: int) -> None:
    """As in pycaffe's scripts: the GPU of that index, among those that CUDA_VISIBLE_DEVICES leaves, is this process's.

    Raises UsageError where there is none of that index, or once the process works on a GPU: it cannot change then.
    """
    import os
    import sys

    from caffempi.engines.cuda.driver import see_only
    from caffempi.errors import UsageError
    if "cupy" in sys.modules:
        raise UsageError("set_device comes too late: this process works on a GPU already", fix="call it before the first net")
    see_only(index, os.environ)
