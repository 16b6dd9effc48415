"""Training: settings, learning-rate policies, update rules, the loop, snapshots, and the seam to other ranks.

Solver, SGDSolver and get_solver are loaded when they are first used: `exchange` alone needs none of them.
"""
from __future__ import annotations

from typing import Any

__all__ = ["SGDSolver", "Solver", "get_solver"]


def __getattr__(name: str) -> Any:
    """Finds the names above in `caffempi.solver.solver`."""
    if name in __all__:
        from caffempi.solver import solver
        return getattr(solver, name)
    raise AttributeError(f"module 'caffempi.solver' has no attribute {name!r}")
