"""Ops: small pure functions on arrays, each with a NumPy reference that defines it (see `op.Op`).

One family a file. Importing this package fills the table `OPS`.
"""
from caffempi.ops.graph import Graph, LayerInfo, Node, Param, Spec, Value
from caffempi.ops.op import OPS, Op, get_op, op
from caffempi.registry import import_all

__all__ = ["OPS", "Graph", "LayerInfo", "Node", "Op", "Param", "Spec", "Value", "get_op", "op"]

import_all(__name__)
