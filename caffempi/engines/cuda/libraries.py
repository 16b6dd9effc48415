"""NVIDIA's libraries by their names, called through their C interfaces."""
from __future__ import annotations

import ctypes
import importlib
from typing import Any


def open_library(name: str, files: tuple[str, ...]) -> Any:
    """A library of NVIDIA's wherever pip, conda or the system put it. Raises OSError where it is nowhere."""
    try:
        path: str | None = importlib.import_module("cuda.pathfinder").load_nvidia_dynamic_lib(name).abs_path
    except Exception:                                           # no pathfinder, or it finds nothing: the loader may
        path = None
    for file in filter(None, (path, *files)):
        try:
            return ctypes.CDLL(file)
        except OSError:
            continue
    raise OSError(f"none of {', '.join(files)} can be loaded")
