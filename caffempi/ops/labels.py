"""Class labels as losses and scores read them: whole numbers held in floats, one for each place of the predictions.

And what a loss over such places is divided by.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.errors import DataError, ShapeError
from caffempi.ops.graph import Spec
from caffempi.ops.shapes import canonical_axis, outer_inner, product, text


def label_layout(x: Spec, label: Spec, axis: int) -> tuple[int, int, int]:
    """(outer, classes, inner) of predictions x with their classes along `axis`.

    Raises ShapeError where there is no such axis, or the labels are not outer x inner in number.
    """
    axis = canonical_axis(axis, len(x.shape))
    outer, inner = outer_inner(x.shape, axis)
    if label.count != outer * inner:
        raise ShapeError(f"{label.count} labels ({text(label.shape)}) do not fit predictions {text(x.shape)} with "
                         f"their {x.shape[axis]} classes along axis {axis}, which need {outer * inner}",
                         fix="give one label for each place, or set `axis` to that of the classes")
    return outer, x.shape[axis], inner


def item_layout(x: Spec, label: Spec) -> tuple[int, int]:
    """(items, classes) of predictions x whose classes are all their numbers after the first axis.

    Raises ShapeError where x has no axis, or there is not one label an item.
    """
    if not x.shape:
        raise ShapeError("predictions need an axis of items; they are a scalar")
    classes = product(x.shape[1:])
    if label.count != x.shape[0]:
        raise ShapeError(f"{label.count} labels ({text(label.shape)}) do not fit {x.shape[0]} predictions "
                         f"({text(x.shape)})", fix="give one label for each item")
    return x.shape[0], classes


def read_labels(label: np.ndarray, classes: int, ignore: int | None) -> tuple[np.ndarray, np.ndarray]:
    """(labels as int64, 0 where ignored; mask of those that count), both of label's shape. Fractions are cut off.

    ignore: the label that does not count; None: all count. Raises DataError on the first label that is neither ignored
    nor in 0..classes - 1: it names the value, its position and the number of classes.
    """
    whole = np.trunc(label)
    valid = np.ones(label.shape, bool)
    if label.size and whole.min() >= 0 and whole.max() < classes and ignore is None:   # as it should be; never true of NaN
        return whole.astype(np.int64), valid
    bad = ~((whole >= 0) & (whole < classes))
    if ignore is not None:
        valid = whole != ignore
        bad &= valid
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        value = float(label[place])
        raise DataError(f"label {value:g} at position {_position(place)} of the batch is none of the {classes} classes "
                        f"0..{classes - 1}",
                        fix="correct the labels, give the layer below more outputs, or set ignore_label")
    return np.where(valid, whole, 0).astype(np.int64), valid


def chosen(outer: int, index: np.ndarray, inner: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Subscripts that pick the labels' own numbers out of an (outer, classes, inner) array: (outer, inner) of them."""
    return np.arange(outer)[:, None], index.reshape(outer, inner), np.arange(inner)


def loss_divisor(mode: str, places: int, outer: int, counted: int) -> int:
    """What a sum over places is divided by, at least 1.

    mode: "full" all places, "valid" those counted (not ignored), "batch" the dims before the classes, "none" 1.
    """
    return max(1, {"full": places, "valid": counted, "batch": outer, "none": 1}[mode])


def _position(place: Sequence[int]) -> str:
    return str(place[0]) if len(place) == 1 else str(list(place))
