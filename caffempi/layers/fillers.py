"""Fillers: the first values of learnable blobs and of DummyData's tops.

With fan_in = count / shape[0], fan_out = count / shape[1] (count itself for one axis), and n = fan_in, fan_out or their
mean, as variance_norm says:

| type               | values                                                                                       |
|--------------------|----------------------------------------------------------------------------------------------|
| constant (default) | value (0)                                                                                    |
| uniform            | uniform in [min (0), max (1))                                                                |
| gaussian           | normal, mean (0) and std (1); sparse >= 0 keeps each with probability sparse / shape[0]      |
| positive_unitball  | uniform in [0, 1), then each row (along axis 0) divided by its sum                           |
| xavier             | uniform in [-sqrt(3 / n), sqrt(3 / n))              Glorot and Bengio, AISTATS 2010          |
| msra               | normal, mean 0 and std sqrt(2 / n)                  He et al., ICCV 2015                     |
| bilinear           | interpolation kernel (1 - |x/f - c|)(1 - |y/f - c|), f = ceil(w / 2), c = (w - 1) / (2 f)    |

A type reads its own fields; others may be set and mean nothing (published nets say `type: "xavier" std: 0.1`); only
`sparse` is refused outside gaussian. No filler at all gives zeros, weights too, as in Caffe. Numbers are drawn in
float32 and then cast, so that a net starts from the same values in float32 and in float64.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from caffempi.errors import NetError, did_you_mean
from caffempi.ops.shapes import product, text
from caffempi.proto import caffe_pb2

_Filler = caffe_pb2.FillerParameter


def fill(filler: caffe_pb2.FillerParameter | None, shape: Sequence[int], rng: np.random.Generator,
         dtype: str = "float32") -> np.ndarray:
    """A new array of that shape and dtype, filled; None gives zeros.

    Raises NetError as `check_filler` does.
    """
    shape = tuple(shape)
    if filler is None:
        return np.zeros(shape, dtype)
    check_filler(filler, shape)
    if product(shape) == 0:
        return np.zeros(shape, dtype)
    return _FILLERS[filler.type](filler, shape, rng).astype(dtype, copy=False)


def check_filler(filler: caffe_pb2.FillerParameter | None, shape: Sequence[int], field: str = "filler") -> None:
    """Raises NetError where the filler's type is unknown, its fields are out of range, or it cannot fill that shape.

    field: path of the filler in its layer ("convolution_param.weight_filler"), for the message.
    """
    if filler is None:
        return
    if filler.type not in _FILLERS:
        hint = did_you_mean(filler.type, _FILLERS)
        raise NetError("unknown filler type", field=f"{field}.type", value=f'"{filler.type}"',
                       fix=" ".join(filter(None, [hint, f"known: {', '.join(sorted(_FILLERS))}"])))
    for name in ("value", "min", "max", "mean", "std"):
        if not math.isfinite(getattr(filler, name)):
            raise NetError("must be a finite number", field=f"{field}.{name}", value=getattr(filler, name))
    _check_sparse(filler, shape, field)
    if filler.type == "uniform" and filler.min > filler.max:
        raise NetError(f"must not be above max, which is {filler.max}", field=f"{field}.min", value=filler.min)
    if filler.type == "gaussian" and filler.std < 0:
        raise NetError("must be at least 0", field=f"{field}.std", value=filler.std)
    if filler.type in ("xavier", "msra", "positive_unitball") and not shape:
        raise NetError(f'"{filler.type}" needs a blob of one axis or more; this one is a scalar', field=f"{field}.type",
                       fix='use type: "constant", "uniform" or "gaussian"')
    if filler.type == "bilinear" and (len(shape) != 4 or shape[2] != shape[3]):
        raise NetError(f'"bilinear" needs a blob of 4 axes with square planes; this one is {text(shape)}',
                       field=f"{field}.type")


def _check_sparse(filler: caffe_pb2.FillerParameter, shape: Sequence[int], field: str) -> None:
    """`sparse` is -1 (off) or, for gaussian only, 0..shape[0]."""
    if filler.sparse == -1:
        return
    where = f"{field}.sparse"
    if filler.type != "gaussian":
        raise NetError(f'is for type "gaussian" only, not "{filler.type}"', field=where, value=filler.sparse,
                       fix="remove it")
    if filler.sparse < -1:
        raise NetError("must be -1 (off) or more", field=where, value=filler.sparse)
    if not shape:
        raise NetError("needs a blob of one axis or more; this one is a scalar", field=where, value=filler.sparse)
    if shape[0] and filler.sparse > shape[0]:
        raise NetError(f"must not be above the number of outputs, {shape[0]}", field=where, value=filler.sparse)


def _fan(filler: caffe_pb2.FillerParameter, shape: Sequence[int]) -> float:
    """n of the module's table."""
    count = product(shape)
    fan_in = count // shape[0]
    fan_out = count // shape[1] if len(shape) > 1 else count
    if filler.variance_norm == _Filler.AVERAGE:
        return (fan_in + fan_out) / 2
    return fan_out if filler.variance_norm == _Filler.FAN_OUT else fan_in


def _normal(shape: Sequence[int], mean: float, std: float, rng: np.random.Generator) -> np.ndarray:
    out = rng.standard_normal(tuple(shape), dtype=np.float32)
    out *= np.float32(std)
    if mean:
        out += np.float32(mean)
    return out


def _uniform(shape: Sequence[int], low: float, high: float, rng: np.random.Generator) -> np.ndarray:
    out = rng.random(tuple(shape), dtype=np.float32)
    out *= np.float32(high - low)
    out += np.float32(low)
    return out


def _constant(filler: caffe_pb2.FillerParameter, shape: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    return np.full(tuple(shape), filler.value, np.float32)


def _plain_uniform(filler: caffe_pb2.FillerParameter, shape: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    return _uniform(shape, filler.min, filler.max, rng)


def _gaussian(filler: caffe_pb2.FillerParameter, shape: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    out = _normal(shape, filler.mean, filler.std, rng)
    if filler.sparse >= 0:
        out *= rng.random(tuple(shape), dtype=np.float32) < filler.sparse / shape[0]
    return out


def _positive_unitball(filler: caffe_pb2.FillerParameter, shape: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    rows = rng.random((shape[0], product(shape) // shape[0]), dtype=np.float32)
    rows /= np.maximum(rows.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return rows.reshape(tuple(shape))


def _xavier(filler: caffe_pb2.FillerParameter, shape: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    limit = math.sqrt(3 / _fan(filler, shape))
    return _uniform(shape, -limit, limit, rng)


def _msra(filler: caffe_pb2.FillerParameter, shape: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    return _normal(shape, 0, math.sqrt(2 / _fan(filler, shape)), rng)


def _bilinear(filler: caffe_pb2.FillerParameter, shape: Sequence[int], rng: np.random.Generator) -> np.ndarray:
    w = shape[3]
    f = math.ceil(w / 2)
    c = (w - 1) / (2 * f)
    line = 1 - np.abs(np.arange(w) / f - c)
    return np.broadcast_to(np.outer(line, line), tuple(shape)).astype(np.float32)


_FILLERS: dict[str, Callable[[caffe_pb2.FillerParameter, Sequence[int], np.random.Generator], np.ndarray]] = {
    "constant": _constant, "uniform": _plain_uniform, "gaussian": _gaussian, "positive_unitball": _positive_unitball,
    "xavier": _xavier, "msra": _msra, "bilinear": _bilinear,
}
