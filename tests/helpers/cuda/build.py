"""Builds kernel texts for the host: a C++ compiler, host_shim.h, and one entry point for each name expression."""
from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
FLAGS = ("-std=c++17", "-O1", "-fPIC", "-shared", "-ffp-contract=off", "-Wall", "-Wno-unused-function", "-Wno-unknown-pragmas",
         "-U_FORTIFY_SOURCE", "-DCAFFEMPI_HOST", f"-I{HERE}")
"""Fortified longjmp would refuse to go from stack to stack."""
NO_COMPILER = "no C++ compiler (CXX, c++, g++, clang++): kernel texts cannot be run on the host"


class ShimError(AssertionError):
    """A kernel text that the host compiler refuses, or a rule of the dialect broken at run time."""


def compiler() -> list[str] | None:
    """The command of the C++ compiler: variable CXX, else the first that is installed; None where there is none."""
    if os.environ.get("CXX"):
        return shlex.split(os.environ["CXX"])
    found = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    return [found] if found else None


@dataclass(frozen=True)
class Entry:
    """A kernel built for the host. params: one word each, as `signature` in host_shim.h gives them."""

    name: str
    params: tuple[str, ...]
    function: Any
    fibres: bool

    def start(self, dims: Sequence[int], args: Sequence[Any], dynamic: int = 0, seed: int = 0) -> None:
        """Runs it: dims = grid x, y, z, block x, y, z; args as C values. Raises ShimError where the shim finds a fault."""
        pointers = (ctypes.c_void_p * max(len(args), 1))(*[ctypes.addressof(a) for a in args])
        said = self.function(pointers, (ctypes.c_uint * 6)(*dims), dynamic, seed & 0xFFFFFFFF, int(self.fibres))
        if said is not None:
            raise ShimError(f"{self.name}: {said.decode()}")


def word(dtype: np.dtype[Any]) -> str:
    """A dtype as the signatures of host_shim.h write it."""
    return "b2" if dtype.name == "bfloat16" else f"{dtype.kind}{dtype.itemsize}"


def scalar(arg: np.generic) -> Any:
    """A NumPy scalar as a C value of the same type."""
    return np.ctypeslib.as_ctypes_type(arg.dtype)(arg.item())


def needs_fibres(text: str, include: Path) -> bool:
    """Whether a kernel file uses barriers or warp operations, itself or by a header; comments do not count."""
    text = re.sub(r"//.*", "", text)
    headers = re.findall(r'#include "([^"]+)"', text)
    return re.search(r"__sync|_sync\(", text) is not None or any(
        needs_fibres((include / name).read_text(), include) for name in headers if (include / name).exists())


def compile_text(text: str, names: Sequence[str], include: Path, flags: Sequence[str] = ()) -> Path:
    """The shared library of the kernels `names` in a .cu text whose headers lie in `include`; flags: more of them for the
    compiler. Kept by hash of all that counts. Raises ShimError with the compiler's message where the text is not legal C++.
    """
    command = compiler()
    assert command is not None, NO_COMPILER
    source = f'#include "host_shim.h"\n#line 1 "kernel.cu"\n{text}\n'
    for i, name in enumerate(names):
        source += (f'extern "C" const char* run{i}(void** args, const unsigned* dims, size_t dynamic, unsigned seed, '
                   f"int fibres) {{ return shim::start(&{name}, args, dims, dynamic, seed, fibres); }}\n"
                   f'extern "C" const char* params{i}() {{ return shim::signature(&{name}); }}\n')
    return _library(command, source, include, (*FLAGS, *flags))


def build(text: str, names: Sequence[str], include: Path, flags: Sequence[str] = ()) -> dict[str, Entry]:
    """Entries of the kernels; arguments and errors as of `compile_text`."""
    library = ctypes.CDLL(str(compile_text(text, names, include, flags)))
    entries = {}
    for i, name in enumerate(names):
        run, params = getattr(library, f"run{i}"), getattr(library, f"params{i}")
        run.restype = params.restype = ctypes.c_char_p
        run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int]
        entries[name] = Entry(name, tuple(params().decode().split()), run, needs_fibres(text, include))
    return entries


@cache
def _version(*command: str) -> str:
    return subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout


def _library(command: list[str], source: str, include: Path, flags: tuple[str, ...]) -> Path:
    """The shared library of the source, from the cache where it has been built before."""
    h = hashlib.sha256(repr((command, _version(*command), flags, source)).encode())
    for header in sorted([*HERE.glob("*.h"), *include.glob("*.h")]):
        h.update(header.read_bytes())
    folder = HERE.parents[1] / "_made" / "cuda"
    library = folder / f"shim-{h.hexdigest()[:24]}.so"
    if library.exists():
        return library
    folder.mkdir(parents=True, exist_ok=True)
    with open(library.with_suffix(".lock"), "w") as lock, tempfile.TemporaryDirectory(dir=folder) as work:
        fcntl.flock(lock, fcntl.LOCK_EX)                       # whoever wants the same text waits for it
        if library.exists():
            return library
        (Path(work) / "kernel.cpp").write_text(source)
        made = Path(work) / "kernel.so"
        done = subprocess.run([*command, *flags, f"-I{include}", "-o", str(made), str(Path(work) / "kernel.cpp")],
                              capture_output=True, text=True)
        if done.returncode:
            raise ShimError(f"{' '.join(command)} refuses the kernel text:\n{done.stderr[:3000]}")
        os.replace(made, library)                              # made aside and moved: seen whole or not at all
    return library
