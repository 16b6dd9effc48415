"""How the host gets at an engine's memory. Here: an engine whose arrays are the host's own, so that nothing is copied.

An engine of a device overrides all of it. What is asked for is always one of the engine's arrays, or a slice or another shape
of one; `np.ndarray` stands for the type of array that the engine has.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from caffempi.errors import EngineError

Write = Callable[[list[np.ndarray]], None]


class Recipe(NamedTuple):
    """How the op `transform` makes the first array of a batch from images in bytes: its scale, and its mean if it has one.

    One object serves all batches of a feed.
    """

    scale: float
    mean: np.ndarray | None


class Fetched:
    """Small arrays on their way to the host."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self._arrays = arrays

    def done(self) -> bool:
        """Whether `get` would not wait."""
        return True

    def get(self) -> list[np.ndarray]:
        """The values that the arrays had when they were asked for; waits for them."""
        return list(self._arrays)


class Bridge:
    """An array that two parties change by turns, the engine and the host. host: the host's side of it."""

    def __init__(self, host: np.ndarray) -> None:
        self.host = host

    def down(self) -> None:
        """The engine's values are the host's from now on; waits. The caller sees to it that they are there."""

    def up(self) -> None:
        """The host's values are the engine's from now on, for all that is run after; waits."""


class HostAccess:
    """The part of an engine that is for the host. See the module.

    ahead: iterations that the host may be before the device, so that nobody waits for a loss. transforms: whether images are
    better given to the engine in bytes, for it to transform them: where the way of numbers to it is what they cost.
    """

    ahead: int = 0
    transforms: bool = False

    def settle(self) -> None:
        """Before each run: what the host has written, and the ordinals of random numbers, reach the device."""

    def lend(self, array: np.ndarray) -> np.ndarray:
        """A view for the host to read and write. It is good until the next run, which reads what is written there."""
        return array

    def get(self, array: np.ndarray) -> np.ndarray:
        """The values, for the host to read; waits for all that has been run."""
        return array

    def put(self, array: np.ndarray, values: np.ndarray | float) -> None:
        """Overwrites the array."""
        array[...] = values

    def fetch(self, arrays: Sequence[np.ndarray]) -> Fetched:
        """Starts the way of small arrays to the host, behind all that has been run."""
        return Fetched([a.copy() for a in arrays])

    def feed(self, arrays: Sequence[np.ndarray], write: Write) -> None:
        """Lets `write` fill arrays of those shapes, in memory of the host, and overwrites the engine's with them before
        anything that is run after."""
        write(list(arrays))

    def feed_images(self, arrays: Sequence[np.ndarray], recipe: Recipe, write: Write) -> None:
        """As `feed`, of an engine that transforms: `write` fills pixels and places (see `ops.transform`), from which the engine
        makes the first array by the recipe, then the other arrays."""
        raise EngineError("this engine takes no images in bytes")

    def free(self) -> int | None:
        """Bytes that can still be taken of a device's own memory; None where the engine's memory is the host's."""
        return None

    def bridge(self, array: np.ndarray) -> Bridge:
        """For an array that other processes change too."""
        return Bridge(array)
