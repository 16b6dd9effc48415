"""pycaffe's ways to a solver: by its text, or by the name of an update rule."""
from __future__ import annotations

import os
from typing import Any, ClassVar

from caffempi.proto import caffe_pb2
from caffempi.solver.solver import Solver

Source = str | os.PathLike[str] | caffe_pb2.SolverParameter


def get_solver(source: Source, **options: Any) -> Solver:
    """The solver of a prototxt file (or message), its update rule chosen by the text; options as Solver's."""
    return Solver(source, **options)


class _Named(Solver):
    """A Solver with one update rule, whatever the text says."""

    rule: ClassVar[str]

    def __init__(self, source: Source, **options: Any) -> None:
        super().__init__(source, **{**options, "type": self.rule})


class SGDSolver(_Named):
    """A Solver with the rule SGD."""

    rule = "SGD"


class NesterovSolver(_Named):
    """A Solver with the rule Nesterov."""

    rule = "Nesterov"


class AdaGradSolver(_Named):
    """A Solver with the rule AdaGrad."""

    rule = "AdaGrad"


class RMSPropSolver(_Named):
    """A Solver with the rule RMSProp."""

    rule = "RMSProp"


class AdaDeltaSolver(_Named):
    """A Solver with the rule AdaDelta."""

    rule = "AdaDelta"


class AdamSolver(_Named):
    """A Solver with the rule Adam."""

    rule = "Adam"
