"""Which engine runs a net: an argument, else the variable CAFFEMPI_ENGINE, else the best that the machine has."""
from __future__ import annotations

import importlib
import os

from caffempi.engines.base import ENGINES, Engine
from caffempi.errors import EngineError, did_you_mean

_MODULES = {"numpy": "caffempi.engines.numpy.engine", "onednn": "caffempi.engines.onednn.engine",
            "cuda": "caffempi.engines.cuda.engine"}
BEST_FIRST = ("onednn", "numpy")


def engine_names() -> list[str]:
    """All engines that there are, whether they work here or not."""
    return list(_MODULES)


def make_engine(name: str | None = None, dtype: str = "float32") -> Engine:
    """The engine of that name, or the best that works here for the dtype; its notes say what was passed over, and why.

    Raises EngineError where the named one is unknown, cannot be loaded, or does not offer the dtype.
    """
    name = name or os.environ.get("CAFFEMPI_ENGINE") or None
    if name is not None:
        engine = _load(name)
        if dtype not in engine.dtypes:
            raise EngineError(f"engine {name} computes in {', '.join(engine.dtypes)}, not {dtype}", fix="use engine numpy")
        return engine
    reasons, notes = [], []
    for candidate in BEST_FIRST:
        dtypes = _class(candidate).dtypes
        if dtype not in dtypes:
            reasons.append(f"engine {candidate} computes in {', '.join(dtypes)}, not {dtype}")
            continue
        try:
            engine = _load(candidate)
        except EngineError as e:
            reasons.append(str(e))
            notes.append(f"engine {candidate} is not used, which makes nets several times slower: {e}")
            continue
        engine.notes = tuple(notes)
        return engine
    raise EngineError("no engine works here: " + "; ".join(reasons))


def _load(name: str) -> Engine:
    return _class(name)()


def _class(name: str) -> type[Engine]:
    if name not in _MODULES:
        raise EngineError(f'unknown engine "{name}"',
                          fix=f"{did_you_mean(name, _MODULES)} known: {', '.join(_MODULES)}".strip())
    importlib.import_module(_MODULES[name])
    return ENGINES.get(name)
