"""Single ops on flat memory outside of a net's programs: updates of the param arena and its norms."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from caffempi.engines.base import PLAIN, Call, Engine, Operands, resolve
from caffempi.errors import EngineError
from caffempi.ops.graph import Spec


def bind_flat(engine: Engine, op: str, attrs: Any, ins: Sequence[np.ndarray], outs: Sequence[np.ndarray]) -> Callable[[], None]:
    """The call that runs an op on these arrays, by the engine's first kernel for plain layouts (or that of its base).

    Arrays that are both in and out must be pairs that the kernel may work on in place. Raises EngineError where no kernel
    does that.
    """
    call = Call(op, attrs, tuple(_spec(a) for a in ins), tuple(_spec(a) for a in outs))
    shared = {(i, o) for i, a in enumerate(ins) for o, b in enumerate(outs) if a is b}
    chosen, offers, _ = resolve(engine, call)
    for offer in offers:
        if {*offer.ins, *offer.outs} <= {PLAIN} and shared <= set(offer.inplace):
            scratch = chosen.alloc(offer.scratch) if offer.scratch else None
            return chosen.compile(call, offer).bind(Operands(tuple(ins), tuple(outs), scratch=scratch))
    raise EngineError(f'engine {chosen.name} does not run op "{op}" in place on plain arrays')


def flat(engine: Engine, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """A zeroed array of that shape in the engine's memory."""
    spec = Spec(shape, dtype)
    return engine.alloc(spec.count * np.dtype(dtype).itemsize).view(dtype).reshape(shape)


def _spec(a: np.ndarray) -> Spec:
    return Spec(a.shape, str(a.dtype))
