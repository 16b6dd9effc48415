"""Small helpers on shapes that many ops need: axes counted from the end, products, sizes before and after an axis."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from caffempi.errors import ShapeError

MOST_AXES = 32
MOST_NUMBERS = 2**31 - 1


def canonical_axis(axis: int, ndim: int, *, end: bool = False) -> int:
    """The axis as an index in [0, ndim); a negative one counts from the end (-1 is the last), as everywhere in Caffe.

    end: the index is a boundary between axes, so ndim itself is allowed too and -1 means ndim (after the last axis).
    Raises ShapeError where there is no such axis.
    """
    places = ndim + 1 if end else ndim
    if not -places <= axis < places:
        span = f"{-places}..{places - 1}" if places else "none"
        raise ShapeError(f"axis {axis} does not exist in a blob of {ndim} axes (possible: {span})")
    return axis + places if axis < 0 else axis


def check_size(shape: Sequence[int]) -> None:
    """Raises ShapeError for a shape that no blob can have: more than 32 axes, or than 2^31 - 1 numbers, Caffe's limits."""
    if len(shape) > MOST_AXES:
        raise ShapeError(f"a shape of {len(shape)} axes is needed; a blob has at most {MOST_AXES}")
    if product(shape) > MOST_NUMBERS:
        raise ShapeError(f"the shape {text(shape)} has more than {MOST_NUMBERS} elements")


def product(dims: Iterable[int]) -> int:
    """Product of the dims; 1 for none."""
    n = 1
    for d in dims:
        n *= d
    return n


def outer_inner(shape: Sequence[int], axis: int) -> tuple[int, int]:
    """(product of the dims before the axis, product of those after it); the axis is canonical."""
    return product(shape[:axis]), product(shape[axis + 1:])


def starts_with_ones(shape: Sequence[int], axis: int) -> bool:
    """Whether all dims before the axis, which may count from the end, are 1."""
    return product(shape[:canonical_axis(axis, len(shape))]) == 1


def text(shape: Sequence[int]) -> str:
    """A shape as messages say it: "64 x 3 x 28 x 28"; "scalar" for no axes."""
    return " x ".join(str(d) for d in shape) if shape else "scalar"
