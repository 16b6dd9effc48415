"""How arrays lie: dims in the order of memory, and the largest unit in which bytes can be moved."""
from __future__ import annotations

from collections.abc import Sequence
from math import gcd

import numpy as np

from caffempi.engines.cuda.rule import FLOATS, Form
from caffempi.ops.graph import Spec

UNIT = 16
"""Bytes of the largest unit; every array starts at a multiple of it."""
_LAST = (0, 2, 3, 1)
"""The axes of an image, channels last."""


def order(ndim: int, form: Form) -> tuple[int, ...]:
    """The axes of an array of activations from the outermost in memory to the innermost."""
    return _LAST if form.last and ndim == 4 else tuple(range(ndim))


def dims(shape: Sequence[int], form: Form) -> tuple[int, ...]:
    """The shape as it lies."""
    return tuple(shape[a] for a in order(len(shape), form))


def item(spec: Spec, form: Form) -> int:
    """Bytes of one element of an array of activations."""
    return form.size if spec.dtype in FLOATS else np.dtype(spec.dtype).itemsize


def unit_of(*nbytes: int) -> int:
    """The largest of 16, 8, 4, 2, 1 that divides all of them."""
    return gcd(UNIT, *nbytes)
