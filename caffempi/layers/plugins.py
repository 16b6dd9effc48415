"""Layers and ops from outside the package: a user's file, or installed packages with entry points `caffempi.layers`.

Their modules register as the package's own do (`@LAYERS.register`, `@op`), and are held to the same rules. How to write
one: docs/extending.md.
"""
from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import zlib
from importlib.metadata import entry_points
from types import ModuleType

from google.protobuf.message import Message

from caffempi.errors import CodeError, NetError, UsageError
from caffempi.layers.base import LAYERS, Layer
from caffempi.ops.op import OPS, Op
from caffempi.proto import caffe_pb2
from caffempi.registry import looking_in

GROUP = "caffempi.layers"
_GRADS, _EFFECTS = ("exact", "declared", "none", "refuse"), {"rng", "state", "host", "dynamic"}


def load_plugin(name: str) -> None:
    """Imports a Python file, or else a module by its name; a second time does nothing.

    Raises UsageError where there is none, CodeError where its code fails, NetError where it registers what cannot be used.
    """
    if not name.endswith(".py") and not os.path.exists(name):
        _import(name)
        return
    path = os.path.realpath(name)
    if not os.path.isfile(path):
        raise UsageError(f"there is no file {name} to import")
    key = f"caffempi_plugin_{zlib.crc32(path.encode(errors='surrogateescape')):08x}"
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{name} is no Python file", fix="give a file that ends in .py, or the name of a module")
    if key in sys.modules:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module                                  # as an import does: dataclasses look themselves up
    try:
        with looking_in(os.path.dirname(path)):
            spec.loader.exec_module(module)
    except Exception as e:
        del sys.modules[key]
        raise CodeError(f"importing {name} failed", e) from e
    check_registered(name)


def load_installed() -> None:
    """Loads the entry points of all installed packages. Raises CodeError, NetError, naming the package."""
    for point in entry_points(group=GROUP):
        package = point.dist.name if point.dist is not None else point.module
        try:
            point.load()
        except Exception as e:
            raise CodeError(f'the package {package}, which adds layers as "{point.name}", failed', e) from e
        check_registered(f"the package {package}")


def check_registered(source: str) -> None:
    """Raises NetError, naming the source, for a registered layer type or op that breaks the rules of all."""
    for name, kind in LAYERS.items():
        why = _layer_fault(kind)
        if why:
            raise NetError(f'layer type "{name}" of {source} {why}')
    for name, rule in OPS.items():
        why = _op_fault(name, rule)
        if why:
            raise NetError(f'op "{name}" of {source} {why}')


def _import(name: str) -> ModuleType:
    try:
        module = importlib.import_module(name)
    except (ModuleNotFoundError, TypeError, ValueError) as e:
        if isinstance(e, ModuleNotFoundError) and e.name is not None and not f"{name}.".startswith(f"{e.name}."):
            raise CodeError(f"importing {name} failed", e) from e
        raise UsageError(f'there is no file and no module "{name}" to import') from None
    except Exception as e:
        raise CodeError(f"importing {name} failed", e) from e
    check_registered(name)
    return module


def _layer_fault(kind: type[Layer]) -> str | None:
    if not (isinstance(kind, type) and issubclass(kind, Layer)):
        return "does not derive from caffempi.layers.Layer"
    if kind.build is Layer.build:
        return "has no build"
    message = getattr(caffe_pb2.LayerParameter(), kind.param, None) if kind.param else None
    if kind.param and not isinstance(message, Message):
        return f'names as its `param` "{kind.param}", which is no message of a layer'
    wrong = [name for name in kind.limits if not hasattr(message, name)]
    if wrong:
        return f"has limits for {', '.join(wrong)}, which its message {kind.param or '(none)'} does not have"
    return None


def _op_fault(name: str, rule: Op) -> str | None:
    if not isinstance(rule, Op):
        return "does not derive from caffempi.ops.op.Op"
    if rule.name != name:
        return f'has the name "{rule.name}"'
    if rule.grad not in _GRADS:
        return f'has grad "{rule.grad}"; possible: {", ".join(_GRADS)}'
    if not rule.effects <= _EFFECTS:
        return f"has effects {', '.join(sorted(rule.effects - _EFFECTS))}; possible: {', '.join(sorted(_EFFECTS))}"
    if not rule.alias and type(rule).forward is Op.forward:
        return "has no forward"
    return None
