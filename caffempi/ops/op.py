"""What an op is: a pure function on arrays, with its shapes, its NumPy definition, its gradient rule and its cost."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from caffempi.errors import EngineError
from caffempi.ops.graph import Graph, Node, Spec, Value
from caffempi.ops.philox import Rng
from caffempi.registry import Registry

Arrays = Sequence[np.ndarray]


class Op:
    """Base of all ops. A subclass sets `name` and overrides infer and forward, and backward where a gradient exists.

    effects: 'rng' draws random numbers; 'state' reads and changes node.state; 'host' runs code or data from outside;
    'dynamic' may yield shapes smaller than infer says.
    grad: 'exact' (backward is the derivative of forward), 'declared' (Caffe's rule, not the derivative; a golden or hand
    case stands for it), 'none' (gradients are zero: backward returns None), 'refuse' (asking for one is an error).
    differentiable: indices of the ins that may get a gradient; None = all.
    inplace: pairs (in, out) whose kernels may share one array: forward must then read before it writes, element by element.
    alias: outs are the first in's data under other shapes (no kernel runs).
    normalizer_saved, count_saved: of a loss whose attrs.counts_vary may be true, the places in `saved` of its divisor and of
    the number of labels that counted.
    """

    name: str = ""
    effects: frozenset[str] = frozenset()
    grad: str = "exact"
    differentiable: tuple[int, ...] | None = None
    inplace: tuple[tuple[int, int], ...] = ()
    alias: bool = False
    normalizer_saved: int = -1
    count_saved: int = -1

    def infer(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """Specs of the outs. Raises ShapeError(why, field=..., value=..., fix=...) where the ins do not fit."""
        raise EngineError(f'op "{self.name}" has no rule for its shapes')

    def saved(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> list[Spec]:
        """Specs of what forward leaves for backward (default: nothing)."""
        return []

    def actual(self, attrs: Any, ins: Arrays) -> list[Spec]:
        """Of an op with effect 'dynamic': the specs of its outs for these very ins; infer gives upper bounds."""
        raise EngineError(f'op "{self.name}" has shapes that are known beforehand')

    def state_specs(self, attrs: Any, ins: Sequence[Spec]) -> list[Spec]:
        """Specs of node.state where those are kept between runs (kind 'state') and their shapes follow from the ins
        (default: nothing is kept)."""
        return []

    def forward(self, attrs: Any, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays, rng: Rng | None) -> None:
        """The definition: reads ins, writes every element of outs (and of saved, which is () where no backward follows)."""
        raise EngineError(f'op "{self.name}" has no NumPy definition')

    def backward(self, g: Graph, node: Node, douts: Sequence[Value | None],
                 need: Sequence[bool]) -> list[Value | None]:
        """Emits the nodes (g.emit_grad) that give the gradient of each in that is needed; computes nothing.

        douts: gradient of each out; None where nothing flows back into it (take it as zero). The result has one entry per
        in: a value, one of the douts themselves (equal gradients), or None (zero).
        """
        return [None] * len(node.ins)

    def reads_newest(self, node: Node) -> bool:
        """Whether Caffe's backward reads the node's own blob as it stands then, even if a later in-place layer has
        overwritten it (default: no, the version that the node read or made is kept)."""
        return False

    def replaces(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> frozenset[int]:
        """Of a gradient op: places of the outs that Caffe's layer overwrites where others add to a param's gradient
        (default: none)."""
        return frozenset()

    def adjacent(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> bool:
        """Whether, of plain operands, the many are parts of the one that lie one behind another in it (default: no)."""
        return False

    def cost(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """(floating-point operations, bytes read and written) of the maths, the same for all engines."""
        return sum(s.count for s in outs), nbytes(ins) + nbytes(outs)


def nbytes(specs: Sequence[Spec]) -> int:
    """Bytes of arrays with those specs."""
    return sum(s.count * np.dtype(s.dtype).itemsize for s in specs)


OPS: Registry[Op] = Registry("op", EngineError)
_O = TypeVar("_O", bound=type[Op])


def op(cls: _O) -> _O:
    """Class decorator: enters one instance of the op into the table under its `name`."""
    OPS.register(cls.name)(cls())
    return cls


def get_op(name: str) -> Op:
    """The op of that name."""
    return OPS.get(name)
