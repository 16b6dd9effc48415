"""Finding the class of a Python layer: modules beside the net's prototxt first, then wherever Python looks (PYTHONPATH).

The folder of the prototxt stays at the end of Python's path, so that such modules can import their neighbours at any time
without hiding anything.
"""
from __future__ import annotations

import importlib
import os
import sys
from contextlib import nullcontext
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from caffempi.errors import CodeError, NetError, did_you_mean
from caffempi.net.as_caffe import install
from caffempi.net.python_layer import Layer
from caffempi.registry import looking_in


def find_class(module: str, name: str, folder: str | None) -> type[Layer]:
    """The class `name` of the module (dots allowed), in a net whose file lies in `folder` (None: it has none).

    Raises NetError where there is no such module or class, or another one; CodeError where the module fails.
    """
    install()
    if not all(part.isidentifier() for part in module.split(".")):
        raise NetError("is no name of a module", field="python_param.module", value=module,
                       fix="write it as in an import, without .py")
    found = _import(module, os.path.abspath(folder or ".") if folder is not None else None)
    kind = getattr(found, name, None)
    where = getattr(found, "__file__", None) or module
    if not isinstance(kind, type):
        classes = [n for n, v in vars(found).items() if isinstance(v, type) and issubclass(v, Layer) and v is not Layer]
        raise NetError(f"there is no such class in {where}", field="python_param.layer", value=name,
                       fix=did_you_mean(name, classes) or (f"it has {', '.join(classes)}" if classes else None))
    if not issubclass(kind, Layer):
        other = getattr(sys.modules.get("caffe"), "__file__", None)
        raise NetError(f"the class in {where} does not derive from caffempi.Layer", field="python_param.layer", value=name,
                       fix=f"derive it from caffempi.Layer (`import caffe` finds {other} here)")
    return kind


def _import(module: str, folder: str | None) -> ModuleType:
    importlib.invalidate_caches()
    top = module.partition(".")[0]
    beside = PathFinder.find_spec(top, [folder]) if folder is not None else None
    if beside is not None and beside.origin is not None:
        _refuse_other(top, beside)
    try:
        with looking_in(folder) if beside is not None and folder is not None else nullcontext():
            return importlib.import_module(module)
    except ModuleNotFoundError as e:
        if e.name is None or not f"{module}.".startswith(f"{e.name}."):
            raise CodeError("the module failed", e, field="python_param.module", value=module) from e
        places = f"beside the net (in {folder}) or " if folder is not None else ""
        raise NetError(f'there is no module "{e.name}"', field="python_param.module", value=module,
                       fix=f"put it {places}in a folder named in PYTHONPATH") from None
    except Exception as e:
        raise CodeError("the module failed", e, field="python_param.module", value=module) from e


def _refuse_other(top: str, beside: ModuleSpec) -> None:
    """Raises NetError where another module of that name has been imported before the one beside the net."""
    have = getattr(sys.modules.get(top), "__file__", None) if top in sys.modules else beside.origin
    if have is None or beside.origin is None or os.path.realpath(have) != os.path.realpath(beside.origin):
        raise NetError(f"{beside.origin} cannot be imported: another module of that name is in use already "
                       f"({have or 'built in'})", field="python_param.module", value=top, fix="give the file another name")
