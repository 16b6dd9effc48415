"""Where oneDNN's library may lie."""
from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path

INSTALL = "pip install onednn-cpu-gomp, or put a libdnnl.so.3 where the loader looks"
_FILE = "libdnnl.so.3"


def find_library() -> Iterator[str]:
    """Names to try, best first: the wheel's file, this environment's (conda's), then whatever the loader finds."""
    try:
        for f in importlib.metadata.files("onednn-cpu-gomp") or ():
            if f.name == _FILE:
                yield str(Path(str(f.locate())).resolve())
    except importlib.metadata.PackageNotFoundError:
        pass
    beside = Path(sys.prefix) / "lib" / _FILE
    if beside.exists():
        yield str(beside)
    yield _FILE
