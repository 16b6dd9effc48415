"""The numpy engine: each op's definition is its kernel; only plain layouts."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial

from caffempi.engines.base import ENGINES, PLAIN, Call, Engine, Kernel, Near, Offer, Operands
from caffempi.ops import OPS
from caffempi.ops.op import Op, get_op


class ReferenceKernel:
    """Runs an op's `forward` on the bound arrays."""

    def __init__(self, op: Op, call: Call) -> None:
        self._op, self._attrs = op, call.attrs

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """The definition with everything fixed."""
        return partial(self._op.forward, self._attrs, ptrs.ins, ptrs.outs, ptrs.saved, ptrs.state, ptrs.rng)


@ENGINES.register("numpy")
class NumpyEngine(Engine):
    """Complete: has every op, float32 and float64."""

    name = "numpy"
    dtypes = ("float32", "float64")

    def why_not(self, call: Call) -> str | None:
        """None for every registered op."""
        return None if call.op in OPS else f'there is no op "{call.op}"'

    def offers(self, call: Call, near: Near | None = None) -> list[Offer]:
        """All operands plain, in place where the op's definition allows it."""
        if call.op not in OPS:
            return []
        rule = get_op(call.op)
        return [Offer(tuple(PLAIN for _ in call.ins), tuple(PLAIN for _ in call.outs), tuple(PLAIN for _ in call.saved),
                      rule.inplace, adjacent=rule.adjacent(call.attrs, call.ins, call.outs))]

    def compile(self, call: Call, offer: Offer) -> Kernel:
        """The op's definition."""
        return ReferenceKernel(get_op(call.op), call)
