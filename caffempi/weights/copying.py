"""Which blobs of a weights file go to which layers of a net: by name, every misfit found before anything is copied."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from caffempi.errors import UsageError, WeightsError
from caffempi.weights.caffemodel import LayerBlobs
from caffempi.weights.match import match_blobs, shapes_match
from caffempi.weights.statistics import normalise_statistics

ON_MISMATCH = ("error", "skip", "reshape")
_NAMES_SHOWN = 20


class Target(NamedTuple):
    """A layer of a net: shapes of its blobs, and which of them another layer owns."""

    name: str
    type: str
    shapes: Sequence[Sequence[int]]
    shared: Collection[int] = ()


def match_layers(found: LayerBlobs, layers: Sequence[Target],
                 on_mismatch: str = "error") -> tuple[list[list[np.ndarray | None]], list[str]]:
    """For each layer the array for each of its blobs, in the blob's shape (None: nothing to copy), and notes.

    By Caffe's rule: layers that only one side has are left alone (a note lists them); blobs of layers of one name must be as
    many and fit (`shapes_match`). BatchNorm's blobs are brought to one order first. on_mismatch says what happens to
    layers that do not fit: "error", they are all listed in one WeightsError; "skip", they are left alone; "reshape", blobs
    of as many elements are copied whatever their shapes, others are errors. Raises UsageError for another word.
    """
    if on_mismatch not in ON_MISMATCH:
        raise UsageError(f"on mismatch {on_mismatch!r}: known are {', '.join(ON_MISMATCH)}")
    out: list[list[np.ndarray | None]] = []
    notes: list[str] = []
    faults: list[WeightsError] = []
    for layer in layers:
        nothing: list[np.ndarray | None] = [None] * len(layer.shapes)
        out.append(nothing)
        if layer.name not in found:
            continue
        try:
            out[-1] = _layer(layer, found[layer.name], on_mismatch == "reshape", notes)
        except WeightsError as err:
            faults.append(err)
    if faults and on_mismatch != "skip":
        raise _all_in_one(faults, on_mismatch)
    notes += [f'layer "{err.layer}" is left as it is: {err.why}' for err in faults]
    return out, notes + _one_side(found, layers)


def _layer(layer: Target, blobs: Sequence[np.ndarray | None], reshape: bool, notes: list[str]) -> list[np.ndarray | None]:
    kept: set[int] = set()
    given = list(blobs)
    if layer.type == "BatchNorm":
        given, said = normalise_statistics(blobs, len(layer.shapes), layer.name)
        if all(blob is not None for blob in blobs):
            kept = {k for k, blob in enumerate(given) if blob is None}
        notes += [f'layer "{layer.name}": {text}' for text in said]
    if reshape and len(given) == len(layer.shapes):
        for k, (blob, shape) in enumerate(zip(given, layer.shapes, strict=True)):
            if blob is not None and not shapes_match(blob.shape, shape) and blob.size == int(np.prod(shape, dtype=np.int64)):
                notes.append(f'layer "{layer.name}": blob {k} was reshaped from {list(blob.shape)} to {list(shape)}')
                given[k] = blob.reshape(tuple(shape))
    return match_blobs(layer.name, given, layer.shapes, kept.union(layer.shared), layer.type)


def _all_in_one(faults: Sequence[WeightsError], on_mismatch: str) -> WeightsError:
    """One error for all; one fault alone stays as it is."""
    if len(faults) == 1:
        return faults[0]
    listed = "; ".join(f'"{err.layer}" ({err.type}): {err.why}' for err in faults)
    fix = "give weights of this net, or rename these layers to let them start from their fillers"
    return WeightsError(f"{len(faults)} layers do not fit: {listed}",
                        fix=fix if on_mismatch == "reshape" else f"{fix}, or leave them out with --weights-on-mismatch skip")


def _one_side(found: LayerBlobs, layers: Sequence[Target]) -> list[str]:
    known = {layer.name for layer in layers}
    only_file = [name for name, blobs in found.items() if blobs and name not in known]
    only_net = [layer.name for layer in layers if layer.shapes and layer.name not in found]
    return [f"{where}: {_some(names)}" for where, names in (
        ("layers that only the weights file has", only_file),
        ("layers that only the net has, which stay as they are", only_net)) if names]


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
