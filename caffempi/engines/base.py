"""What an engine is: a table op -> kernel for one kind of device, with the layouts it offers and the chains it can fuse.

The plan asks (`why_not`, `offers`), chooses, and binds; an engine never decides order, memory or layout by itself.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from caffempi.engines.access import HostAccess
from caffempi.engines.peers import PeerAccess
from caffempi.errors import EngineError
from caffempi.ops.graph import LayerInfo, Node, Spec
from caffempi.registry import Registry

PRECISIONS = ("fp32", "bf16", "fp16", "tf32")
"""What an engine can be asked to compute in. bf16 and fp16: activations and their gradients are stored in 16 bits where ops
gain from it; tf32: products of fp32 numbers are rounded. Params, statistics, losses and all that is observed stay fp32."""


@dataclass(frozen=True)
class Layout:
    """How an array lies in memory. Equality is all that the plan needs; `key` makes opaque layouts differ.

    tag: 'plain' (C order), 'nhwc', or a name of the engine's own. nbytes: size where it is not that of the plain array.
    dtype: what the elements are stored as where that is not the Spec's dtype ('bfloat16', 'float16'; nbytes is given then):
    reorders between layouts cast. PLAIN alone is an array as users see it.
    """

    tag: str = "plain"
    nbytes: int | None = None
    key: Any = None
    dtype: str | None = None


PLAIN = Layout()
_ITEM = {"bfloat16": 2, "float16": 2}                          # NumPy has no bfloat16


def stored_bytes(spec: Spec, layout: Layout) -> int:
    """Bytes that the elements of an array take in a layout, without what fills up blocks."""
    return spec.count * (_ITEM[layout.dtype] if layout.dtype is not None else np.dtype(spec.dtype).itemsize)


class Call(NamedTuple):
    """An op with attributes and the specs of its operands: what a kernel is made for. wish: see `LayerInfo`."""

    op: str
    attrs: Any
    ins: tuple[Spec, ...]
    outs: tuple[Spec, ...]
    saved: tuple[Spec, ...] = ()
    state: tuple[Spec, ...] = ()
    wish: str = ""


class Near(NamedTuple):
    """What lies around a call when the plan asks for offers.

    ins: the layout of each in's buffer. outs: the layout that each out's buffer has, or that would suit it best (for a
    gradient, that of the value it belongs to); None where the offer may choose freely.
    """

    ins: tuple[Layout, ...]
    outs: tuple[Layout | None, ...]

    @classmethod
    def unknown(cls, call: Call) -> Near:
        """All ins plain, all outs free."""
        return cls((PLAIN,) * len(call.ins), (None,) * len(call.outs))


@dataclass(frozen=True)
class Offer:
    """One way to run a call. ins, outs, saved: the layout of each operand that the kernel reads or writes.

    accumulates: the kernel can add to its outs. inplace: pairs (in, out) that may be one array. scratch: bytes. adjacent: of
    its operands the many are parts of the one that lie one behind another in it, so that nothing need run where they share
    its memory. cost: running time, in bytes that could be reordered meanwhile; only differences count. payload: the engine's
    own; its `impl`, where it has one, is the name of the code that will run.
    """

    ins: tuple[Layout, ...]
    outs: tuple[Layout, ...]
    saved: tuple[Layout, ...] = ()
    inplace: tuple[tuple[int, int], ...] = ()
    accumulates: bool = False
    scratch: int = 0
    capturable: bool = True
    deterministic: bool = True
    adjacent: bool = False
    cost: float = 1.0
    payload: Any = None

    @property
    def impl(self) -> str:
        """The name of the code behind the offer, for reports; "" where it has none."""
        return getattr(self.payload, "impl", "")


class Operands(NamedTuple):
    """The arrays that a kernel is bound to: plain ones shaped, others as flat bytes. rng: of ops that draw numbers. owner: the
    layer that the kernel runs for, for messages."""

    ins: tuple[np.ndarray, ...]
    outs: tuple[np.ndarray, ...]
    saved: tuple[np.ndarray, ...] = ()
    state: tuple[np.ndarray, ...] = ()
    scratch: np.ndarray | None = None
    rng: Any = None
    add: bool = False
    owner: LayerInfo | None = None


class Kernel(Protocol):
    """A compiled call. `bind` gives the function that a step runs: no allocation, no choice left in it."""

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """Fixes the arrays."""


class Event:
    """Marks a point of a stream. On a CPU everything before it is done when it is recorded."""

    def record(self, stream: Any = None) -> None:
        """Sets the mark."""

    def wait(self, stream: Any = None) -> None:
        """Lets the stream go on only after the mark."""

    def done(self) -> bool:
        """Whether the mark has been passed."""
        return True

    def sync(self) -> None:
        """Blocks until the mark has been passed."""


@dataclass(frozen=True)
class Pattern:
    """A chain of forward ops that the engine can run as one: each reads the one before as its first in."""

    ops: tuple[str, ...]
    allowed: Callable[[Sequence[Node]], bool] = field(default=lambda nodes: True)


class Engine(HostAccess, PeerAccess):
    """Base of all engines; an overlay names a `base` engine of the same device that runs what it does not.

    precision: what it computes in, one of `precisions` (of PRECISIONS: of the class those that it knows, of an engine those
    that work on this machine). Raises EngineError for another.
    """

    name: str = ""
    device: str = "cpu"
    dtypes: tuple[str, ...] = ("float32",)
    precisions: tuple[str, ...] = ("fp32",)
    precision: str = "fp32"
    patterns: tuple[Pattern, ...] = ()
    captures: bool = False                                     # whether it replays what `capture` recorded
    base: Engine | None = None
    notes: tuple[str, ...] = ()                                # what a user should know about this choice of engine

    def __init__(self, precision: str = "fp32") -> None:
        if precision not in self.precisions:
            raise EngineError(f"engine {self.name} computes in {', '.join(self.precisions)}, not {precision}",
                              fix="leave the precision out, or use another engine")
        self.precision = precision

    def why_not(self, call: Call) -> str | None:
        """None where the engine itself has a kernel for the call, else the reason."""
        return f'engine {self.name} has no kernel for op "{call.op}"'

    def offers(self, call: Call, near: Near | None = None) -> list[Offer]:
        """The ways to run the call, best first; [] exactly where why_not gives a reason. near: what an engine with layouts
        of its own may take into account."""
        return []

    def unheeded(self, call: Call, offer: Offer) -> str | None:
        """Why the call's wish is not fulfilled by the offer, None where it is, or where the engine has no such choice."""
        return None

    def compile(self, call: Call, offer: Offer) -> Kernel:
        """The kernel for one of the offers."""
        raise EngineError(f'engine {self.name} cannot compile op "{call.op}"')

    def reorder(self, spec: Spec, src: Layout, dst: Layout) -> Kernel:
        """The kernel that copies ins[0] in layout src to outs[0] in layout dst."""
        raise EngineError(f"engine {self.name} knows only plain layouts")

    def alloc(self, nbytes: int) -> np.ndarray:
        """Zeroed bytes whose first is at a multiple of 64."""
        raw = np.zeros(nbytes + 64, np.uint8)
        start = -raw.ctypes.data % 64
        return raw[start:start + nbytes]

    def stream(self, kind: str) -> Any:
        """A stream 'compute', 'copy' or 'exchange'; None where everything runs in order."""
        return None

    def event(self) -> Event:
        """A new event."""
        return Event()

    def capture(self, calls: Sequence[Callable[[], None]]) -> Callable[[], None] | None:
        """One call that replays the calls, or None where the device has no such thing."""
        return None


ENGINES: Registry[type[Engine]] = Registry("engine", EngineError)


def resolve(engine: Engine, call: Call, near: Near | None = None) -> tuple[Engine, list[Offer], list[str]]:
    """The engine of the overlay chain that runs the call, its offers, and the reasons of those that do not run it.

    Raises EngineError with all reasons where none does.
    """
    reasons: list[str] = []
    at: Engine | None = engine
    while at is not None:
        offers = at.offers(call, near)
        if offers:
            return at, offers, reasons
        reasons.append(at.why_not(call) or f"engine {at.name} offers nothing that fits the layouts around it")
        at = at.base
    raise EngineError(f'no kernel for op "{call.op}": ' + "; ".join(reasons))
