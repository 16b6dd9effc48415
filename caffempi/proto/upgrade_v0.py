"""The notation of 2013 (`layers { layer { type: "conv" ... } }`) into that of 2014 (V1).

One flat message served all layer types; its fields move to the message of the layer's type. Padding was a layer of its
own and becomes the `pad` of the convolution or pooling that reads it.
"""
from __future__ import annotations

from typing import Any

from caffempi.errors import NetError, did_you_mean
from caffempi.proto.caffe_pb2 import (
    NetParameter,
    PoolingParameter,
    V0LayerParameter,
    V1LayerParameter,
)
from caffempi.proto.parse import is_repeated
from caffempi.proto.places import Mark, Places

_PARAM = {  # layer type -> (name in V1, message that the type's own fields move to)
    "accuracy": ("ACCURACY", ""), "bnll": ("BNLL", ""), "concat": ("CONCAT", "concat_param"),
    "conv": ("CONVOLUTION", "convolution_param"), "data": ("DATA", "data_param"),
    "dropout": ("DROPOUT", "dropout_param"), "euclidean_loss": ("EUCLIDEAN_LOSS", ""), "flatten": ("FLATTEN", ""),
    "hdf5_data": ("HDF5_DATA", "hdf5_data_param"), "hdf5_output": ("HDF5_OUTPUT", ""), "im2col": ("IM2COL", ""),
    "images": ("IMAGE_DATA", "image_data_param"), "infogain_loss": ("INFOGAIN_LOSS", "infogain_loss_param"),
    "innerproduct": ("INNER_PRODUCT", "inner_product_param"), "lrn": ("LRN", "lrn_param"),
    "multinomial_logistic_loss": ("MULTINOMIAL_LOGISTIC_LOSS", ""), "pool": ("POOLING", "pooling_param"),
    "relu": ("RELU", ""), "sigmoid": ("SIGMOID", ""), "softmax": ("SOFTMAX", ""),
    "softmax_loss": ("SOFTMAX_LOSS", ""), "split": ("SPLIT", ""), "tanh": ("TANH", ""),
    "window_data": ("WINDOW_DATA", "window_data_param"),
}
_WEIGHTED, _SOURCES = ("conv", "innerproduct"), ("data", "hdf5_data", "images", "window_data")
_MOVES = {  # field -> (new name, the types that have it)
    "num_output": ("num_output", _WEIGHTED), "biasterm": ("bias_term", _WEIGHTED),
    "weight_filler": ("weight_filler", _WEIGHTED), "bias_filler": ("bias_filler", _WEIGHTED),
    "pad": ("pad", ("conv", "pool")), "kernelsize": ("kernel_size", ("conv", "pool")), "group": ("group", ("conv",)),
    "stride": ("stride", ("conv", "pool")), "pool": ("pool", ("pool",)),
    "dropout_ratio": ("dropout_ratio", ("dropout",)),
    "local_size": ("local_size", ("lrn",)), "alpha": ("alpha", ("lrn",)), "beta": ("beta", ("lrn",)),
    "k": ("k", ("lrn",)), "source": ("source", (*_SOURCES, "infogain_loss")), "batchsize": ("batch_size", _SOURCES),
    "rand_skip": ("rand_skip", ("data", "images")), "shuffle_images": ("shuffle", ("images",)),
    "new_height": ("new_height", ("images",)), "new_width": ("new_width", ("images",)),
    "concat_dim": ("concat_dim", ("concat",)), "det_fg_threshold": ("fg_threshold", ("window_data",)),
    "det_bg_threshold": ("bg_threshold", ("window_data",)), "det_fg_fraction": ("fg_fraction", ("window_data",)),
    "det_context_pad": ("context_pad", ("window_data",)), "det_crop_mode": ("crop_mode", ("window_data",)),
}
_TRANSFORM = {"scale": "scale", "meanfile": "mean_file", "cropsize": "crop_size", "mirror": "mirror"}
_WHOLE = {  # field of a fork -> the type whose message it is
    "conv_param": "conv", "pool_param": "pool", "inner_product_param": "innerproduct", "dropout_param": "dropout",
    "lrn_param": "lrn", "concat_param": "concat"}
_COPIED = ("name", "blobs", "blobs_lr", "weight_decay")


def upgrade_v0(net: NetParameter, places: Places | None) -> list[str]:
    """Rewrites the layers of a V0 net as V1, in place; returns a note, and one for each field that was dropped.

    Raises NetError for an unknown layer type, and for a padding layer whose reader cannot take over its padding.
    """
    if not any(layer.HasField("layer") for layer in net.layers):
        return []
    notes = ["layers were written in the notation of 2013 (V0)"]
    upgraded, marks = [], []
    for index, old in _fold_padding(net, places):
        mark = places.root.child("layers", index) if places else Mark()
        upgraded.append(_layer(old, mark, places, notes))
        marks.append(mark)
    del net.layers[:]
    net.layers.extend(upgraded)
    if places:
        places.root.fields["layers"] = list(marks)
    return notes


def _fold_padding(net: NetParameter, places: Places | None) -> list[tuple[int, V1LayerParameter]]:
    """The layers without paddings, each with its index in the net; pads are set where paddings were read."""
    writer: dict[str, int] = dict.fromkeys(net.input, -1)
    kept = []
    for index, layer in enumerate(net.layers):
        old = layer.layer
        new = V1LayerParameter()
        new.CopyFrom(layer)
        for k, bottom in enumerate(layer.bottom):
            if bottom not in writer:
                raise NetError(f'bottom "{bottom}" is written by no layer before', layer=old.name, type=old.type,
                               where=places.at("layers", index) if places else None, fix=did_you_mean(bottom, writer))
            source = net.layers[writer[bottom]] if writer[bottom] >= 0 else None
            if source is None or source.layer.type != "padding":
                continue
            fault = None
            if old.type not in ("conv", "pool"):
                fault = "only a conv or pool layer can read a padding layer"
            elif len(layer.bottom) != 1 or len(source.bottom) != 1 or len(source.top) != 1:
                fault = "a padding layer and its reader have one bottom each, and the padding one top"
            if fault:
                raise NetError(f'{fault} (it reads "{source.layer.name}")', layer=old.name, type=old.type,
                               where=places.at("layers", index) if places else None)
            new.layer.pad = source.layer.pad
            new.bottom[k] = source.bottom[0]
        writer.update(dict.fromkeys(layer.top, index))
        if old.type != "padding":
            kept.append((index, new))
    return kept


def _layer(layer: V1LayerParameter, mark: Mark, places: Places | None, notes: list[str]) -> V1LayerParameter:
    """One V1 layer of a V0 one; a layer that is V1 already stays as it is."""
    if not layer.HasField("layer"):
        return layer
    old = layer.layer
    if old.type not in _PARAM:
        raise NetError(f'unknown layer type "{old.type}" in the notation of 2013', layer=old.name,
                       where=places.of(mark) if places else None, fix=did_you_mean(old.type, _PARAM))
    kind, param = _PARAM[old.type]
    new = V1LayerParameter(bottom=layer.bottom, top=layer.top, type=kind)
    inner = mark.child("layer")
    own, transform = Mark(inner.offset), Mark(inner.offset)
    for field, value in old.ListFields():
        name = field.name
        found = inner.fields.pop(name, [])
        if name in _COPIED:
            _put(new, name, value)
            mark.fields[name] = found
        elif name in _TRANSFORM:
            setattr(new.transform_param, _TRANSFORM[name], value)
            transform.fields[_TRANSFORM[name]] = found
        elif name in _MOVES and old.type in _MOVES[name][1]:
            target = _MOVES[name][0]
            _put(getattr(new, param), target, _pool_method(value) if name == "pool" else value)
            own.fields[target] = found
        elif _WHOLE.get(name) == old.type:
            getattr(new, param).MergeFrom(value)
            own.fields.update(Mark(own.offset, {name: found}).child(name).fields)
        elif name == "hdf5_output_param" and old.type == "hdf5_output":
            new.hdf5_output_param.CopyFrom(value)
        elif name != "type":
            notes.append(f'layer "{old.name}" ({old.type}): field {name} has no meaning for this type; dropped')
    mark.fields.pop("layer", None)
    if param:
        mark.fields[param] = [own]
    if transform.fields:
        mark.fields["transform_param"] = [transform]
    return new


def _put(message: Any, name: str, value: Any) -> None:
    """Sets, copies or appends, as the kind of the field demands."""
    field = message.DESCRIPTOR.fields_by_name[name]
    if is_repeated(field):
        getattr(message, name).extend([value] if isinstance(value, (int, float)) else value)
    elif field.message_type:
        getattr(message, name).CopyFrom(value)
    else:
        setattr(message, name, value)


def _pool_method(value: int) -> int:
    return PoolingParameter.PoolMethod.Value(V0LayerParameter.PoolMethod.Name(value))
