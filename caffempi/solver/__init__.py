"""Training: settings, learning-rate policies, update rules, the loop, snapshots, and the seam to other ranks.

The names below are loaded when they are first used: `exchange` alone needs none of them.
"""
from __future__ import annotations

import importlib
from typing import Any

__all__ = ["AdaDeltaSolver", "AdaGradSolver", "AdamSolver", "NesterovSolver", "RMSPropSolver", "SGDSolver", "Solver",
           "get_solver"]


def __getattr__(name: str) -> Any:
    """Finds the names above in their modules."""
    if name in __all__:
        home = "caffempi.solver.solver" if name == "Solver" else "caffempi.solver.named"
        return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'caffempi.solver' has no attribute {name!r}")
