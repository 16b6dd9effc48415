"""Settings of forks at the layers that hold them: obeyed, noted as hints, or refused."""
from __future__ import annotations

from collections.abc import Collection, Iterable

from google.protobuf.message import Message

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, Layer
from caffempi.proto import caffe_pb2
from caffempi.proto.forks import FORK_TYPES, extensions
from caffempi.proto.parse import is_repeated


def layer_class(type_: str) -> type[Layer]:
    """The class of a layer type. Raises NetError; where a fork is known to have the type, the message says so."""
    if type_ in FORK_TYPES and type_ not in LAYERS:
        raise NetError(f'layer type "{type_}" is one of {FORK_TYPES[type_]}; it does not exist here',
                       fix="remove the layer, or write it as a Python layer")
    return LAYERS.get(type_)


def unused(message: Message, claimed: Collection[str], training: bool = True) -> list[tuple[str, str]]:
    """The hints in a message that nobody obeys: (path, forks) each.

    training: whether settings that act in training alone matter. Raises NetError for a setting that is no hint.
    """
    hints = []
    for path, value, forks, hint in extensions(message, claimed):
        if not hint and (training or path not in _IN_TRAINING):
            raise NetError(f"is a setting of {forks}, which has no meaning here", field=path, value=value,
                           fix="remove it if the net means the same without it")
        hints.append((path, forks))
    return hints


def claims(kind: type[Layer]) -> set[str]:
    """What a layer type obeys: its own message, where a fork added it, and what it names in `obeys`."""
    return {kind.param, *kind.obeys}


def hint_notes(found: Iterable[tuple[str, str, str]]) -> list[str]:
    """One line a hint, from (layer or "", path, forks)."""
    places: dict[tuple[str, str], list[str]] = {}
    for layer, path, forks in found:
        places.setdefault((path, forks), []).append(f"layer {layer}" if layer else "the net")
    return [f"{path} of {forks} is without effect here (in {where[0]})" if len(where) == 1 else
            f"{path} of {forks} is without effect here (in {len(where)} places, the first is {where[0]})"
            for (path, forks), where in places.items()]


def wish_of(lp: caffe_pb2.LayerParameter) -> str:
    """What the `engine` field of one of the layer's messages asks for (see `LayerInfo.wish`). Names of engines for CPUs that
    forks have (MKL2017, MKLDNN) ask for nothing here."""
    for field, message in lp.ListFields():
        wish = field.message_type.fields_by_name.get("engine") if field.message_type and not is_repeated(field) else None
        if wish is not None and wish.enum_type:
            name = str(wish.enum_type.values_by_number[message.engine].name)
            return name if name in ("CAFFE", "CUDNN") else ""
    return ""


# Settings that change nothing where nothing is learned and no statistics are taken.
_IN_TRAINING = frozenset({"bn_stats_batch_size", "batch_norm_param.stats_batch_size", "batch_norm_param.update_global_stats",
                          "dropout_param.sqrt_scale"})
