"""Which engine runs a net: an argument, else the variable CAFFEMPI_ENGINE, else the best that the machine has.

"cpu" stands for the best that computes on the CPU. Where no GPU is, the engine of GPUs is passed over without a word, and
nothing of it is loaded.
"""
from __future__ import annotations

import importlib
import os

from caffempi.engines.base import ENGINES, PRECISIONS, Engine
from caffempi.errors import EngineError, UsageError, did_you_mean

_MODULES = {"numpy": "caffempi.engines.numpy.engine", "onednn": "caffempi.engines.onednn.engine",
            "cuda": "caffempi.engines.cuda.engine"}
BEST_FIRST = ("cuda", "onednn", "numpy")
CPU = "cpu"
_ON_GPUS = ("cuda",)


def engine_names() -> list[str]:
    """All engines that there are, whether they work here or not."""
    return list(_MODULES)


def make_engine(name: str | None = None, dtype: str = "float32", precision: str = "fp32") -> Engine:
    """The engine of that name, or the best that works here for dtype and precision; its notes say what was passed over, why.

    name "cpu": the best among those of the CPU.

    Raises EngineError where the named one is unknown, cannot be loaded, or does not offer dtype or precision; UsageError for
    a precision that there is not, or one that float64 leaves no room for.
    """
    if precision not in PRECISIONS:
        raise UsageError(f'unknown precision "{precision}"',
                         fix=f"{did_you_mean(precision, PRECISIONS)} known: {', '.join(PRECISIONS)}".strip())
    if dtype != "float32" and precision != "fp32":
        raise UsageError(f"precision {precision} is for nets of dtype float32, not {dtype}", fix="leave one of them out")
    name = name or os.environ.get("CAFFEMPI_ENGINE") or None
    if name is not None and name != CPU:
        engine = _class(name)(precision)
        if dtype not in engine.dtypes:
            raise EngineError(f"engine {name} computes in {', '.join(engine.dtypes)}, not {dtype}", fix="use engine numpy")
        return engine
    reasons, notes = [], []
    for candidate in BEST_FIRST:
        absent = _no_device(candidate, name == CPU)
        if absent is not None:
            reasons.append(absent)
            continue
        dtypes = _class(candidate).dtypes
        if dtype not in dtypes:
            reasons.append(f"engine {candidate} computes in {', '.join(dtypes)}, not {dtype}")
            continue
        try:
            engine = _class(candidate)(precision)
        except EngineError as e:
            reasons.append(str(e))
            notes.append(f"engine {candidate} is not used, which makes nets several times slower: {e}")
            continue
        engine.notes = tuple(notes)
        return engine
    what = "no engine works here" if precision == "fp32" else f"no engine computes in {precision} here"
    raise EngineError(f"{what}: " + "; ".join(reasons))


def _no_device(name: str, only_cpu: bool) -> str | None:
    """Why this machine has not the device of an engine, or may not use it; None where it has, as it always has a CPU."""
    if name not in _ON_GPUS:
        return None
    if only_cpu:
        return f"engine {name} does not compute on the CPU"
    from caffempi.engines.cuda.driver import ask
    try:
        ask()
    except EngineError as e:
        return str(e)
    return None


def _class(name: str) -> type[Engine]:
    if name not in _MODULES:
        raise EngineError(f'unknown engine "{name}"',
                          fix=f"{did_you_mean(name, _MODULES)} known: {', '.join(_MODULES)}".strip())
    importlib.import_module(_MODULES[name])
    return ENGINES.get(name)
