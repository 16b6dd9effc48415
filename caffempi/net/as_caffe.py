"""What `import caffe` gives to the code of Python layers where no Caffe is installed: the names that such code uses.

`install` enters this module as `caffe` into Python's table of modules, for the rest of the process, unless a Caffe can be
imported; `caffe.proto.caffe_pb2` are this package's messages.
"""
from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any

import caffempi
from caffempi.net.python_layer import Layer
from caffempi.place import place

__all__ = ["TEST", "TRAIN", "Layer", "install", "solver_count", "solver_rank"]

TRAIN, TEST = caffempi.TRAIN, caffempi.TEST
proto = importlib.import_module("caffempi.proto")
_PARTS = {"caffe.proto": "caffempi.proto", "caffe.proto.caffe_pb2": "caffempi.proto.caffe_pb2"}


def __getattr__(name: str) -> Any:
    """Net, get_solver and whatever else the package itself has under the same name."""
    if name in caffempi.__all__ or name == "layer_type_list":
        return getattr(caffempi, name)
    raise AttributeError(f"no Caffe is installed, and caffempi has nothing that stands for caffe.{name}", name=name)


def solver_rank() -> int:
    """This process's number among those that train together."""
    return place().rank


def solver_count() -> int:
    """How many processes train together (0 where only MPI knows)."""
    return place().size


def install() -> None:
    """Makes `import caffe` find this module, where it would find nothing (a folder of that name is no Caffe)."""
    if "caffe" in sys.modules:
        return
    spec = importlib.util.find_spec("caffe")
    if spec is None or spec.loader is None or spec.origin is None:
        sys.modules["caffe"] = sys.modules[__name__]
        sys.modules.update((name, importlib.import_module(real)) for name, real in _PARTS.items())
