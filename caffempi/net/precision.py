"""What a net is computed in: as asked for, else as its text asks, else fp32.

NVCaffe's default_forward_type: FLOAT16 asks for blobs of 16 bits. Where the engine computes in fp16 it is obeyed; elsewhere
the net is computed in fp32, which holds all that 16 bits do. Sums, losses and params are fp32 in either case, so that
*_math: FLOAT16 and the types of single layers change nothing.
"""
from __future__ import annotations

from caffempi.engines.base import Engine
from caffempi.engines.choose import make_engine
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
