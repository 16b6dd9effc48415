"""Compiles the .cu files of the kernels, each once an engine and storage type, and hands out their kernels."""
from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from caffempi.engines.cuda.kernels import expressions
from caffempi.errors import EngineError

FOLDER = Path(__file__).parent
"""Where the headers lie."""
TEXTS = FOLDER / "rules"
"""Where the .cu files lie."""


@cache
def headers_digest() -> str:
    """Hash of the headers here. CuPy's disk cache is keyed by a file's own text and the options, not by what it includes."""
    h = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.h")):
        h.update(path.read_bytes())
    return h.hexdigest()[:16]


def options() -> tuple[str, ...]:
    """What the compiler is told: the language, where the headers lie, and which state of them this is."""
    return "-std=c++17", f"-I{FOLDER}", f"-DCAFFEMPI_HEADERS={headers_digest()}"


class Modules:
    """Kernels by file, name expression and dtype, compiled at first use through the `cupy` that it is given."""

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._modules: dict[tuple[str, str], Any] = {}

    def kernel(self, file: str, expression: str, dtype: str) -> Any:
        """The compiled kernel of that name expression. Raises EngineError where the file cannot be compiled here."""
        module = self._modules.get((file, dtype))
        try:
            if module is None:
                module = self._cupy.RawModule(code=(TEXTS / file).read_text(), options=options(),
                                              name_expressions=expressions(file, dtype))
                self._modules[file, dtype] = module
            return module.get_function(expression)
        except Exception as e:                                 # CuPy raises its own types: compiler, driver, missing headers
            reason = next((line for line in str(e).splitlines() if line.strip()), type(e).__name__)
            raise EngineError(f"engine cuda cannot compile {file}: {reason.strip()}",
                              fix="install the CUDA headers and NVRTC of CuPy's CUDA version: "
                                  'pip install "caffempi[cuda12]" or "caffempi[cuda13]"') from e
