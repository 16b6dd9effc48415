"""Nets and solvers of old notations into today's: what the rest of the program reads has one notation only.

In this order: V0 layers, V1 layers, transformations inside data layers, BatchNorm's options, other spellings of forks,
`input` fields; for solvers the enum of types. Each step that changes something leaves a note.
"""
from __future__ import annotations

from caffempi.errors import NetError, SolverError
from caffempi.proto.caffe_pb2 import LayerParameter, NetParameter, PoolingParameter, SolverParameter
from caffempi.proto.places import Mark, Places
from caffempi.proto.upgrade_v0 import upgrade_v0
from caffempi.proto.upgrade_v1 import upgrade_v1

_DATA_PARAMS = {"Data": "data_param", "ImageData": "image_data_param", "WindowData": "window_data_param"}
_TRANSFORMS = ("scale", "mean_file", "crop_size", "mirror")
_SOLVER_TYPES = {"SGD": "SGD", "NESTEROV": "Nesterov", "ADAGRAD": "AdaGrad", "RMSPROP": "RMSProp",
                 "ADADELTA": "AdaDelta", "ADAM": "Adam", "SAG": "SAG"}
_STATISTICS = 3  # blobs of BatchNorm: mean, variance, scale factor


def upgrade_net(net: NetParameter, places: Places | None = None) -> list[str]:
    """Brings a net to today's notation, in place, its places too; returns one line for each kind of change.

    Works on nets from texts and from binaries; a net in today's notation stays as it is. Raises NetError where an old
    notation contradicts itself.
    """
    notes = upgrade_v0(net, places) + upgrade_v1(net, places)
    for index, layer in enumerate(net.layer):
        mark = places.root.child("layer", index) if places else Mark()
        notes += _move_transform(layer, mark) + _freeze_statistics(layer) + _respell(layer, mark)
    return notes + _input_layer(net, places)


def upgrade_solver(solver: SolverParameter, places: Places | None = None) -> list[str]:
    """Brings a solver, and the nets written inside it, to today's notation, in place; returns the notes.

    Raises SolverError where both `type` and `solver_type` are given.
    """
    notes = []
    if solver.HasField("solver_type"):
        where = places.at("solver_type") if places else None
        if solver.HasField("type"):
            raise SolverError("type and solver_type are both given", where=where, fix="remove solver_type")
        solver.type = _SOLVER_TYPES[SolverParameter.SolverType.Name(solver.solver_type)]
        solver.ClearField("solver_type")
        notes.append(f'solver_type became type: "{solver.type}"')
        if places:
            places.root.move("solver_type", "type")
    inner = [(name, 0) for name in ("net_param", "train_net_param") if solver.HasField(name)]
    inner += [("test_net_param", k) for k in range(len(solver.test_net_param))]
    for name, index in inner:
        net = solver.test_net_param[index] if name == "test_net_param" else getattr(solver, name)
        notes += [f"{name}: {note}" for note in upgrade_net(net, places and places.below(name, index))]
    return notes


def _move_transform(layer: LayerParameter, mark: Mark) -> list[str]:
    """scale, mean_file, crop_size and mirror of a data layer's message move to transform_param."""
    param = _DATA_PARAMS.get(layer.type)
    if param is None or not layer.HasField(param):
        return []
    message = getattr(layer, param)
    moved = [name for name in _TRANSFORMS if message.HasField(name)]
    if not moved:
        return []
    source = mark.child(param)
    if "transform_param" not in mark.fields:
        mark.fields["transform_param"] = [Mark(source.offset)]
    target = mark.child("transform_param")
    for name in moved:
        setattr(layer.transform_param, name, getattr(message, name))
        message.ClearField(name)
        if name in source.fields:
            target.fields[name] = source.fields.pop(name)
    return [f'layer "{layer.name}": {", ".join(moved)} moved from {param} to transform_param']


def _freeze_statistics(layer: LayerParameter) -> list[str]:
    """The three blobs of BatchNorm are statistics: neither learned nor decayed, whatever an old net says."""
    if layer.type != "BatchNorm" or len(layer.param) != _STATISTICS:
        return []
    changed = any(spec.lr_mult or spec.decay_mult for spec in layer.param)
    for spec in layer.param:
        spec.lr_mult = spec.decay_mult = 0
    return [f'layer "{layer.name}": lr_mult and decay_mult of the statistics set to 0'] if changed else []


def _respell(layer: LayerParameter, mark: Mark) -> list[str]:
    """Spellings of forks that Caffe has another field for: ceil_mode is round_mode, hole and dilation_h, _w dilation."""
    notes = []
    pool, conv = layer.pooling_param, layer.convolution_param
    if layer.HasField("pooling_param") and pool.HasField("ceil_mode"):
        if not pool.HasField("round_mode"):
            pool.round_mode = PoolingParameter.CEIL if pool.ceil_mode else PoolingParameter.FLOOR
            mark.child("pooling_param").move("ceil_mode", "round_mode")
            notes.append("ceil_mode became round_mode")
        pool.ClearField("ceil_mode")
    if not layer.HasField("convolution_param") or conv.dilation:
        return [f'layer "{layer.name}": {note}' for note in notes]
    for height, width in (("hole_h", "hole_w"), ("dilation_h", "dilation_w")):
        if conv.HasField(height) or conv.HasField(width):
            conv.dilation[:] = [getattr(conv, name) if conv.HasField(name) else 1 for name in (height, width)]
            mark.child("convolution_param").move(height if conv.HasField(height) else width, "dilation")
            notes.append(f"{height}, {width} became dilation")
            conv.ClearField(height)
            conv.ClearField(width)
    if conv.hole and not conv.dilation:
        conv.dilation[:] = conv.hole
        mark.child("convolution_param").move("hole", "dilation")
        conv.ClearField("hole")
        notes.append("hole became dilation")
    return [f'layer "{layer.name}": {note}' for note in notes]


def _input_layer(net: NetParameter, places: Places | None) -> list[str]:
    """input with input_shape or input_dim become a layer "input" of type Input, the first of the net."""
    if not net.input:
        return []
    shapes = [list(shape.dim) for shape in net.input_shape]
    given, each = ("input_shape", 1) if shapes else ("input_dim", 4)
    count = len(getattr(net, given))
    if not shapes:
        shapes = [list(net.input_dim[k:k + 4]) for k in range(0, count, 4)]
    names, where = list(net.input), places.at("input") if places else None
    if count and count != len(names) * each:
        raise NetError(f"{len(names)} inputs need {len(names) * each} {given}, not {count}", where=where)
    offset = places.root.child("input").offset if places else 0
    for field in ("input", "input_shape", "input_dim"):
        net.ClearField(field)
        if places:
            places.root.fields.pop(field, None)
    if not count:  # weights files of 2014 name their inputs without shapes
        return [f"inputs {', '.join(names)} dropped, since neither input_shape nor input_dim is given"]
    layer = LayerParameter(name="input", type="Input", top=names)
    for shape in shapes:
        layer.input_param.shape.add(dim=shape)
    net.layer.insert(0, layer)
    if places:
        places.root.fields.setdefault("layer", []).insert(0, Mark(offset))
    return [f'inputs {", ".join(names)} became the layer "input"']
