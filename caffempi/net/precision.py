"""What a net is computed in, and whether its loss is scaled in training: as asked for, else as its text asks.

NVCaffe's default_forward_type: FLOAT16 asks for blobs of 16 bits. Where the engine computes in fp16 it is obeyed; elsewhere
the net is computed in fp32, which holds all that 16 bits do. Sums, losses and params are fp32 in either case, so that
*_math: FLOAT16 and the types of single layers change nothing. Its global_grad_scale is obeyed in fp16.
"""
from __future__ import annotations

from typing import NamedTuple

from caffempi.engines.base import Engine
from caffempi.engines.choose import make_engine
from caffempi.errors import NetError, UsageError
from caffempi.proto import caffe_pb2


def engine_of(name: str | None, dtype: str, precision: str | None,
              message: caffe_pb2.NetParameter) -> tuple[Engine, list[str]]:
    """The engine for a net, and what its user should know. Raises EngineError and UsageError as `make_engine` does."""
    if precision is not None:
        return make_engine(name, dtype, precision), []
    engine = make_engine(name, dtype)
    if message.default_forward_type != caffe_pb2.FLOAT16 or dtype != "float32":
        return engine, []
    wish = "default_forward_type: FLOAT16 of NVCaffe, Caffe-MPI asks for blobs of 16 bits"
    if "fp16" in engine.precisions:
        return make_engine(engine.name, dtype, "fp16"), [f"{wish}: the net is computed in fp16"]
    return engine, [f"{wish}, which engine {engine.name} does not compute in: the net is computed in fp32"]


class LossScale(NamedTuple):
    """What the loss is multiplied by in training, so that small gradients do not vanish in 16 bits: `first`, and where `moves`
    is set that follows the gradients (see ops/loss_scale.py)."""

    first: float
    moves: bool

    def __str__(self) -> str:
        """In words, as logs have it."""
        return f"{self.first:g}" + (", follows the gradients" if self.moves else "")


FIRST = 65536.0
_LEAST, _MOST = 2.0 ** -126, (2 - 2.0 ** -23) * 2.0 ** 127     # of float32, in which losses are multiplied by it


def loss_scale_of(wish: str | float, engine: Engine, message: caffe_pb2.NetParameter,
                  dtype: str) -> tuple[LossScale | None, list[str]]:
    """The loss scale of a net that will be trained, and what its user should know.

    wish: "none"; "dynamic"; a number: a fixed one; "auto": as the net's text asks where the engine computes in fp16, dynamic
    where it says nothing, and none in other precisions, which hold small numbers.
    Raises UsageError for another wish, or one that dtype does not take, NetError where the text's number is none.
    """
    given = message.HasField("global_grad_scale")
    asked = message.global_grad_scale
    if given and not _LEAST <= asked <= _MOST:
        raise NetError("must be a number above 0, within the range of float32", field="global_grad_scale", value=f"{asked:g}")
    if wish == "auto":
        if engine.precision != "fp16":
            fields = [name for name in ("global_grad_scale", "global_grad_scale_adaptive") if message.HasField(name)]
            return None, [f"{' and '.join(fields)} of NVCaffe: losses are scaled in fp16, or with --loss-scale; this net is "
                          f"computed in {engine.precision}"] if fields else []
        wish = asked if given and not message.global_grad_scale_adaptive else "dynamic"
    if wish == "none":
        return None, []
    if dtype != "float32":
        raise UsageError(f"losses are not scaled in {dtype}", fix="leave the loss scale out")
    if wish == "dynamic":
        return LossScale(asked if given else FIRST, True), []
    if isinstance(wish, str) or not _LEAST <= wish <= _MOST:
        raise UsageError(f"loss scale {wish!r}", fix='give a number above 0 that float32 holds, "dynamic", "none" or "auto"')
    return LossScale(float(wish), False), []
