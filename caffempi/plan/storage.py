"""The memory behind bindings: growable buffers, and the params' arenas with what changes them."""
from __future__ import annotations

import weakref
from collections.abc import Mapping

import numpy as np

from caffempi.engines.base import Engine
from caffempi.errors import NetError
from caffempi.ops.graph import Param
from caffempi.plan.params import ParamArena


class Storage:
    """key -> bytes. A buffer is allocated when it is asked for, and keeps its address until a larger one is reserved; then it
    starts from zeros.

    `generation` counts the growths: bindings made before one hold old addresses and must be renewed.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._buffers: dict[object, np.ndarray] = {}
        self._sizes: dict[object, int] = {}
        self._begun: dict[object, int] = {}
        self.generation = 0
        self.packed: dict[object, int | None] = {}             # key of a param's private copy -> version that it holds

    def reserve(self, sizes: Mapping[object, int]) -> None:
        """Makes sure that each buffer is, or will be, at least so long."""
        grown = False
        for key, nbytes in sizes.items():
            if self._sizes.get(key, -1) < nbytes:
                self._sizes[key] = nbytes
                grown |= self._buffers.pop(key, None) is not None
        self.generation += grown

    def get(self, key: object) -> np.ndarray:
        """The buffer of that key, which must have been reserved."""
        have = self._buffers.get(key)
        if have is None:
            have = self._buffers[key] = self._engine.alloc(max(self._sizes[key], 1))
        return have

    def is_new(self, key: object, nbytes: int) -> bool:
        """True the first time that so many bytes of a buffer come into use: they want their first values."""
        new = self._begun.get(key, -1) < nbytes
        if new:
            self._begun[key] = nbytes
        return new

    @property
    def nbytes(self) -> int:
        """Bytes that have been allocated."""
        return sum(b.size for b in self._buffers.values())


class _Loan:
    """Stands behind an array that is lent: NumPy lets views of views point past arrays, but not past this, so that the
    array lent lives as long as any view of it does."""

    def __init__(self, array: np.ndarray) -> None:
        self._array, self.__array_interface__ = array, array.__array_interface__


class ParamState:
    """What derived copies of params need to know: a counter of changes, and whether a user holds a view.

    A user's view can be written at any time, so while one is alive the param counts as changed at every run.
    """

    def __init__(self, arena: ParamArena, lenders: dict[Param, tuple[ParamState, Param]] | None = None) -> None:
        self.arena = arena
        self.lenders: dict[Param, tuple[ParamState, Param]] = {}   # params whose data is another net's, and whose as which
        self._version: dict[Param, int] = dict.fromkeys(arena.slots, 0)
        self._views: dict[Param, list[weakref.ref[np.ndarray]]] = {}
        self._zeros: dict[Param, np.ndarray] = {}
        self.borrow(lenders or {})

    def borrow(self, lenders: dict[Param, tuple[ParamState, Param]]) -> None:
        """From now on the data of these params is what the lenders' is now, their own or lent in its turn. Raises NetError,
        before anything has changed, for another dtype or device."""
        found = {p: state.slot(other) for p, (state, other) in lenders.items()}
        for p, (state, other) in found.items():
            for what, mine, theirs in (("dtype", p.spec.dtype, other.spec.dtype),
                                       ("device", self.arena.engine.device, state.arena.engine.device)):
                if mine != theirs:
                    raise NetError(f"blob {p.index} cannot be shared: its {what} is {mine} here and {theirs} in the other net",
                                   layer=p.layer_name, where=p.where, fix=f"build both nets for one {what}")
        self.lenders.update(found)
        for p in [p for p, (state, _) in found.items() if state is self]:
            del self.lenders[p]                                # lent to others and borrowed back: one's own

    def slot(self, p: Param) -> tuple[ParamState, Param]:
        """In whose arena the param's data lies, and as which param's there."""
        return self.lenders.get(p, (self, p))

    def array(self, p: Param) -> np.ndarray:
        """The param's data."""
        state, p = self.slot(p)
        return state.arena.view(p)

    def zero_grad(self, p: Param) -> np.ndarray:
        """What stands for the gradient of statistics: zeros of their shape."""
        if p not in self._zeros:
            nbytes = p.spec.count * np.dtype(p.spec.dtype).itemsize
            self._zeros[p] = self.arena.engine.alloc(nbytes).view(p.spec.dtype).reshape(p.spec.shape)
        return self._zeros[p]

    def touch(self, params: list[Param] | None = None) -> None:
        """The params (default: all) have changed."""
        for p in self.arena.slots if params is None else params:
            state, p = self.slot(p)
            state._version[p] += 1

    def expose(self, p: Param) -> np.ndarray:
        """A writable view of the param's data for a user."""
        state, p = self.slot(p)
        return state._expose(p)

    def version(self, p: Param) -> int | None:
        """Equal to an earlier answer only if the param has not changed since; None while a user holds a view."""
        state, p = self.slot(p)
        state._views[p] = alive = [r for r in state._views.get(p, []) if r() is not None]
        return None if alive else state._version[p]

    def _expose(self, p: Param) -> np.ndarray:
        self._version[p] += 1
        own = self.arena.view(p)
        lent = self.arena.engine.lend(own)
        if lent is not own:                                    # of a device: the next run reads it, and then it is closed
            return lent
        view = np.asarray(_Loan(own))
        self._views[p] = [*(r for r in self._views.get(p, []) if r() is not None), weakref.ref(view)]
        return view
