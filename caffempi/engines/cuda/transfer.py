"""Copies between host and device that nobody waits for: batches in, losses out, and gradients both ways for other processes."""
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from caffempi.engines.access import Bridge, Fetched, Recipe, Write
from caffempi.engines.cuda.device import CudaEvent, Device
from caffempi.ops.graph import Spec

KEPT = 16
"""Ways in that are kept: several for each net in use."""
Land = Callable[[list[Any]], Callable[[], None]]
"""Of arrays on the device that a batch has come into, the call that puts it where it belongs, on the compute stream."""


class CudaFetched(Fetched):
    """Values that are copied into pinned memory behind all that the compute stream has been given; the first of a run bring
    the words of faults with them."""

    def __init__(self, device: Device, arrays: Sequence[Any]) -> None:
        self._device, self._arrays = device, []
        words = device.asked_faults()
        self._faults = words is not None
        for a in (*arrays, words) if self._faults else arrays:
            host = device.pinned(a.nbytes).view(a.dtype).reshape(a.shape)
            a.get(stream=device.compute, out=host, blocking=False)
            self._arrays.append(host)
        self._there = device.event()
        self._there.record()

    def done(self) -> bool:
        """Whether the copies are done."""
        return self._there.done()

    def get(self) -> list[np.ndarray]:
        """Waits for the copies. Raises DataError where a kernel has met a label out of range."""
        self._there.sync()
        arrays = list(self._arrays)
        if self._faults:
            self._device.raise_faults(arrays.pop())
        return arrays


class _Slot:
    """One of the two ways in: pinned host memory, its copy on the device, and what must be done before either is used."""

    def __init__(self, device: Device, specs: Sequence[Spec], land: Land) -> None:
        sizes = [s.count * np.dtype(s.dtype).itemsize for s in specs]
        self.hosts = [device.pinned(n).view(s.dtype).reshape(s.shape) for s, n in zip(specs, sizes, strict=True)]
        self.staged = [device.alloc(n).view(s.dtype).reshape(s.shape) for s, n in zip(specs, sizes, strict=True)]
        self.land = land(self.staged)
        self.copied, self.taken = CudaEvent(device.cupy, device.compute), CudaEvent(device.cupy, device.compute)


class Inlet:
    """The way of batches of those specs: while the device computes on one, the next is uploaded."""

    def __init__(self, device: Device, specs: Sequence[Spec], land: Land) -> None:
        self._device = device
        self._slots = [_Slot(device, specs, land), _Slot(device, specs, land)]

    @classmethod
    def into(cls, device: Device, arrays: Sequence[Any]) -> Inlet:
        """The way into arrays, as they are."""
        return cls(device, specs_of(arrays), copied_to(device, arrays))

    def feed(self, write: Write) -> None:
        """Lets `write` fill the host's side and starts the upload; the compute stream waits for it, the host does not."""
        slot = self._slots[0]
        self._slots.reverse()
        copy, compute = self._device.stream("copy"), self._device.compute
        slot.copied.sync()                                     # of the batch before the last one
        write(slot.hosts)
        slot.taken.wait(copy)
        for staged, host in zip(slot.staged, slot.hosts, strict=True):
            staged.set(host, stream=copy)
        slot.copied.record(copy)
        slot.copied.wait(compute)
        slot.land()
        slot.taken.record(compute)

    def finish(self) -> None:
        """Waits until nothing of its memory is in use."""
        for slot in self._slots:
            slot.copied.sync()
            slot.taken.sync()


class Inlets:
    """Ways in by what they lead to, those that were used last: batches of ever new shapes would else leave one each."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], tuple[Recipe | None, Inlet]] = OrderedDict()

    def of(self, arrays: Sequence[Any], recipe: Recipe | None, make: Callable[[], Inlet]) -> Inlet:
        """The way into those arrays, by that recipe; made where it is new."""
        key = (recipe is None, *((a.data.ptr, tuple(a.shape)) for a in arrays))
        found = self._kept.pop(key, None)
        if found is None or found[0] is not recipe:
            found = recipe, make()
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)[1][1].finish()
        return found[1]


def specs_of(arrays: Sequence[Any]) -> list[Spec]:
    """Of arrays of the device."""
    return [Spec(tuple(a.shape), str(a.dtype)) for a in arrays]


def copied_to(device: Device, arrays: Sequence[Any]) -> Land:
    """Copies what has come into those arrays."""
    def land(staged: list[Any]) -> Callable[[], None]:
        def copy() -> None:
            for array, source in zip(arrays, staged, strict=True):
                array.data.copy_from_device_async(source.data, array.nbytes, device.compute)
        return copy
    return land


class PinnedBridge(Bridge):
    """Pinned memory of the host beside an array, copied on the exchange stream."""

    def __init__(self, device: Device, array: Any) -> None:
        super().__init__(device.pinned(array.nbytes).view(array.dtype).reshape(array.shape))
        self._device, self._array = device, array

    def down(self) -> None:
        """Copies to the host and waits."""
        with self._device.here():
            self._array.get(stream=self._device.stream("exchange"), out=self.host, blocking=True)

    def up(self) -> None:
        """Copies to the device and waits."""
        with self._device.here():
            self._array.set(self.host, stream=self._device.stream("exchange"))
            self._device.stream("exchange").synchronize()
