"""A net's blobs by name: their values and gradients in the engine's memory, and views of them for the host."""
from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from caffempi.errors import UsageError
from caffempi.ops.graph import Spec, Value
from caffempi.plan.binding import Binding
from caffempi.plan.buffers import size_of
from caffempi.plan.plan import Plan
from caffempi.plan.step import plain_view
from caffempi.plan.storage import Storage


class Values:
    """pending: shapes that blobs were given and that the net has not yet followed. binding: gives the one in use."""

    def __init__(self, plan: Plan, storage: Storage, pending: Mapping[str, tuple[int, ...]],
                 binding: Callable[[], Binding]) -> None:
        self.plan, self._storage, self._pending, self._binding = plan, storage, pending, binding
        self._lone: dict[str, np.ndarray] = {}                  # diffs of blobs that backward never touches, on the host
        self._loss_tops = [(t, w) for info in plan.graph.layers
                           for t, w in zip(info.tops, info.loss_weights, strict=True) if w]

    # ---- in the engine's memory
    def value(self, blob: str) -> np.ndarray:
        """The newest version."""
        found = self._array(blob, self.plan.graph.blobs[blob][-1])
        assert found is not None
        return found

    def gradient(self, blob: str) -> np.ndarray | None:
        """What backward writes; None where it does not touch the blob."""
        for v in reversed(self.plan.graph.blobs[blob]):
            d = self.plan.grads.diffs.get(v.id)
            found = None if d is None else self._array(blob, d)
            if found is not None:
                return found
        return None

    def at(self, v: Value, binding: Binding | None = None) -> np.ndarray:
        """A value that has memory of its own."""
        found = (binding or self._binding()).array(v)
        assert found is not None
        return found

    def _array(self, blob: str, v: Value) -> np.ndarray | None:
        if not self.plan.observed(blob):
            raise UsageError(f'blob "{blob}" is not observed, so its memory may hold something else',
                             fix=f'build the net with observe={{"{blob}"}}, or without optimised')
        found = self._binding().array(v)
        if found is None or blob not in self._pending:
            return found
        spec, key = Spec(self._pending[blob], self.plan.graph.dtype), self.plan.groups.of(v)
        self._storage.reserve({key: size_of(spec)})
        return plain_view(self._storage.get(key), spec)

    # ---- for the host
    def shape(self, blob: str) -> tuple[int, ...]:
        """The newest version's."""
        if blob in self._pending:
            return self._pending[blob]
        return self._binding().specs[self.plan.graph.blobs[blob][-1].id].shape

    def data(self, blob: str) -> np.ndarray:
        """The newest version's values, to read and to write."""
        return self.plan.engine.lend(self.value(blob))

    def diff(self, blob: str) -> np.ndarray:
        """The blob's gradients: what backward writes, or a buffer of the user's (a loss's weight) where it does not."""
        found = self.gradient(blob)
        if found is not None:
            return self.plan.engine.lend(found)
        shape = self.value(blob).shape
        have = self._lone.get(blob)
        if have is None or have.shape != shape:
            have = self._lone[blob] = np.full(shape, dict(self._loss_tops).get(blob, 0.0), self.plan.graph.dtype)
        return have

    def begin_loss(self) -> Callable[[], float]:
        """Asks for sum over loss blobs of data . diff as they are now; what is returned gives it, and waits for it."""
        arrays, lone = [], []
        for blob, _ in self._loss_tops:
            found = self.gradient(blob)
            arrays += [self.value(blob)] if found is None else [self.value(blob), found]
            lone.append(self.diff(blob) if found is None else None)
        fetched = self.plan.engine.fetch(arrays)

        def loss() -> float:
            values = iter(fetched.get())
            return float(sum(np.vdot(next(values), next(values) if own is None else own) for own in lone))
        return loss

    def first_nonfinite(self) -> str | None:
        """The first observed blob, in the net's order, with a value that is not finite."""
        for info in self.plan.graph.layers:
            for top in info.tops:
                if self.plan.observed(top) and not np.isfinite(self.plan.engine.get(self.value(top))).all():
                    return f'layer "{info.name}" ({info.type}), blob "{top}"'
        return None
