"""What layers need from outside the net's text while it is built, and what of it must be closed."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from caffempi.data.hdf5_output import Hdf5Output, rank_path
from caffempi.errors import NetError
from caffempi.net.python_layer import PythonHost
from caffempi.net.python_module import find_class
from caffempi.ops.graph import Param, Spec
from caffempi.proto import caffe_pb2
from caffempi.weights import read_blob


class Outside:
    """Blob files, the objects of Python layers, the files of HDF5Output layers.

    folder: where the net's file lies (None: it has none), in which modules of Python layers are looked for first. base:
    folder that relative paths start from (None: the working directory). rank, ranks: this process among others.
    """

    def __init__(self, folder: str | None, dtype: str = "float32", *, base: str | None = None, rank: int = 0,
                 ranks: int = 1) -> None:
        self._folder, self._dtype, self._base, self._rank, self._ranks = folder, dtype, base, rank, ranks
        self._hosts: dict[str, PythonHost] = {}
        self._outputs: dict[str, Hdf5Output] = {}

    @property
    def extra(self) -> Mapping[str, Any]:
        """As BuildContext wants it."""
        return {"blob": self._blob, "python": self._python, "hdf5_output": self._hdf5_output}

    def first_values(self, p: Param) -> np.ndarray | None:
        """What a Python layer's setup wrote into a blob that it owns; None for other params."""
        host = self._hosts.get(p.layer_name)
        return host.first[p.index] if host is not None else None

    def close(self) -> None:
        """Finishes the files that were written; idempotent."""
        for output in self._outputs.values():
            output.close()

    def _blob(self, path: str) -> np.ndarray:
        return read_blob(self._at(path))

    def _python(self, lp: caffe_pb2.LayerParameter, specs: Sequence[Spec]) -> PythonHost:
        kind = find_class(lp.python_param.module, lp.python_param.layer, self._folder)
        host = PythonHost(kind, lp, specs, self._dtype, self._rank, self._ranks)
        self._hosts[lp.name] = host
        return host

    def _hdf5_output(self, file_name: str) -> Any:
        path = rank_path(self._at(file_name), self._rank)
        if path in self._outputs:
            raise NetError("another layer of the net writes this file", fix="give each layer a file of its own")
        self._outputs[path] = Hdf5Output(path)
        return self._outputs[path].write

    def _at(self, path: str) -> str:
        return os.path.join(self._base or "", path)
