"""The two protocols behind every data source: raw values of a database, and samples ready for the transform."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np


class Sample(NamedTuple):
    """One decoded record: pixels (C, H, W), uint8 or float32 and not necessarily contiguous, and its label."""

    pixels: np.ndarray
    label: float


class Store(Protocol):
    """A database of values in the order of their keys, read at random by ordinal; safe to call from several threads."""

    path: str

    def __len__(self) -> int:
        """Number of records."""

    def read(self, ordinals: Sequence[int]) -> list[bytes]:
        """The values of those records, in that order (many at once: one transaction serves a batch)."""

    def name(self, ordinal: int) -> str:
        """What an error calls the record: its number and key."""

    def close(self) -> None:
        """Lets go of the files; idempotent."""


class Source(Protocol):
    """Samples by ordinal; safe to call from several threads."""

    def __len__(self) -> int:
        """Number of records."""

    def read(self, ordinals: Sequence[int]) -> list[Sample]:
        """The decoded records, in that order. Raises DataError, naming the record that is at fault."""

    def name(self, ordinal: int) -> str:
        """What an error calls the record."""

    def close(self) -> None:
        """Lets go of the files; idempotent."""
