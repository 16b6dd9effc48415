"""The batch_size of a net's data layers, changed by what a solver or its caller wants."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from caffempi.errors import SolverError
from caffempi.proto import caffe_pb2
from caffempi.proto.phase import filter_net
from caffempi.solver.settings import NetChoice


def divide_batches(choice: NetChoice, ranks: int) -> None:
    """Makes the batch_size of each data layer that the state has a part of `ranks` equal ones, in place.

    Raises SolverError naming the layer whose batch cannot be divided.
    """
    for index, layer, field, value in _batches(choice):
        if value.batch_size % ranks:
            where = choice.places.at("layer", index, field, "batch_size") if choice.places else None
            raise SolverError(f"a global batch cannot be divided by {ranks} ranks", layer=layer.name, type=layer.type,
                              field=f"{field}.batch_size", value=value.batch_size, where=where,
                              fix=f"make it a multiple of {ranks}, or give it per rank (--batch per_rank)")
        value.batch_size //= ranks


def set_batches(choice: NetChoice, batch: int) -> None:
    """Gives each data layer that the state has this batch_size, in place. Raises SolverError where there is none."""
    found = list(_batches(choice))
    if not found:
        raise SolverError("the net has no data layer whose batch could be set", field="batch_size", value=batch)
    for *_, value in found:
        value.batch_size = batch


def _batches(choice: NetChoice) -> Iterator[tuple[int, caffe_pb2.LayerParameter, str, Any]]:
    """(index of the layer, layer, name of its message that has batch_size, that message)."""
    for index in filter_net(choice.message, choice.state, choice.places)[1]:
        layer = choice.message.layer[index]
        for descriptor, value in layer.ListFields():
            if descriptor.message_type is not None and "batch_size" in descriptor.message_type.fields_by_name \
                    and value.HasField("batch_size"):
                yield index, layer, descriptor.name, value
