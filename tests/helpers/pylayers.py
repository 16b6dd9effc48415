"""Nets with Python layers: each test gets a module of a name of its own, since Python keeps modules for the process."""
from __future__ import annotations

import textwrap
from itertools import count
from pathlib import Path
from typing import Any

from caffempi import TRAIN, Net

_NUMBERS = count()


def module_name() -> str:
    """A name that no module has."""
    return f"user_layers_{next(_NUMBERS)}"


def write(folder: Path, code: str, text: str) -> Path:
    """A module of that code and beside it a net of that text, in which MODULE is the module's name."""
    name = module_name()
    (folder / f"{name}.py").write_text(textwrap.dedent(code))
    path = folder / "net.prototxt"
    path.write_text(text.replace("MODULE", name))
    return path


def make(folder: Path, code: str, text: str, phase: int = TRAIN, **options: Any) -> Net:
    """The net of such a text."""
    return Net(write(folder, code, text), phase, seed=1, **options)


def layer(name: str, kind: str, *bottoms: str, top: str = "", more: str = "", param_str: str = "") -> str:
    """The text of a Python layer of class `kind`."""
    ends = "".join(f' bottom: "{b}"' for b in bottoms) + "".join(f' top: "{t}"' for t in (top or name).split() if t != "-")
    said = f' param_str: "{param_str}"' if param_str else ""
    return f'layer {{ name: "{name}" type: "Python"{ends} python_param {{ module: "MODULE" layer: "{kind}"{said} }} {more} }}\n'


def inputs(**shapes: tuple[int, ...]) -> str:
    """An Input layer."""
    dims = "".join(" shape {" + "".join(f" dim: {d}" for d in s) + " }" for s in shapes.values())
    return f'layer {{ name: "in" type: "Input"{"".join(f""" top: "{b}" """ for b in shapes)} input_param {{{dims} }} }}\n'
