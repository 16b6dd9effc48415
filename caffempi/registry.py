"""Named tables filled at import by decorator: layers, ops, engines, solver rules, command-line verbs."""
from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from caffempi.errors import CaffempiError, did_you_mean

T = TypeVar("T")


class Registry(Generic[T]):
    """A table name -> thing. A name given twice is an error at import; an unknown one lists the nearest, then all."""

    def __init__(self, kind: str, error: type[CaffempiError]) -> None:
        self._kind, self._error = kind, error
        self._items: dict[str, T] = {}

    def register(self, *names: str) -> Callable[[T], T]:
        """Decorator: enters the decorated class (or function) under each of the names."""
        def enter(item: T) -> T:
            for name in names:
                if name in self._items:
                    raise ValueError(f"{self._kind} {name!r} is registered twice")
                self._items[name] = item
            return item
        return enter

    def get(self, name: str) -> T:
        """The thing of that name. Raises the registry's error with near names where there is none."""
        try:
            return self._items[name]
        except KeyError:
            hint = did_you_mean(name, self._items)
            raise self._error(f'unknown {self._kind} "{name}"',
                              fix=" ".join(filter(None, [hint, f"known: {', '.join(self.names())}"]))) from None

    def names(self) -> list[str]:
        """All names in alphabetical order."""
        return sorted(self._items)

    def items(self) -> Iterator[tuple[str, T]]:
        """(name, thing) in alphabetical order of the names."""
        return iter(sorted(self._items.items()))

    def __contains__(self, name: object) -> bool:
        return name in self._items


@contextmanager
def looking_in(folder: str) -> Iterator[None]:
    """Imports within the block look in that folder first, and ever after in it last: so that what is imported can import
    its neighbours at any time without hiding anything."""
    new = folder not in sys.path
    if new:
        sys.path.insert(0, folder)
    try:
        yield
    finally:
        if new:
            sys.path.remove(folder)
            sys.path.append(folder)


def import_all(package: str) -> None:
    """Imports every module of a package, so that their decorators run (a new module needs no list to be kept)."""
    found = importlib.import_module(package)
    for info in pkgutil.iter_modules(found.__path__):
        if not info.name.startswith("_"):
            importlib.import_module(f"{package}.{info.name}")
