"""What an entry of the table op -> kernels is: which operands it wants how, and which kernels it starts, in what order.

Pure arithmetic on specs, with nothing of CuPy in it. CuPy does not look at the types of arguments, so that they are made
exact here: a Python int becomes long long, a float becomes float, an array is named by a `Slot`, a `Scratch` or a `Part`.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.blas import Product
from caffempi.errors import EngineError
from caffempi.ops.graph import Spec
from caffempi.ops.op import get_op
from caffempi.registry import Registry

TYPES = {"float32": "float", "float16": "__half", "bfloat16": "__nv_bfloat16"}
"""Storage dtypes that the kernel texts are written for, with their C++ names."""
_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
FLOATS = frozenset({"float32", "float64"})

THREADS = 256
MAX_BLOCKS = 1 << 14
"""Beyond it a grid gains nothing on any GPU of today: the blocks loop."""
ALIGN = 256
"""Every array in scratch starts at a multiple of it."""


def bytes_of(dtype: str) -> int:
    """Bytes of one element; NumPy knows no bfloat16."""
    return _BYTES.get(dtype) or np.dtype(dtype).itemsize


def array_dtype(dtype: str) -> str:
    """The dtype of an array on the device that holds such elements: kernels take an address, and NumPy knows no bfloat16."""
    return "uint16" if dtype == "bfloat16" else dtype


class Form(NamedTuple):
    """A way to run a call. dtype: what activations are stored as. last: whether arrays of 4 axes lie channels last (NHWC)."""

    dtype: str = "float32"
    last: bool = False

    @property
    def t(self) -> str:
        """The C++ storage type."""
        return TYPES[self.dtype]

    @property
    def size(self) -> int:
        """Bytes of one element."""
        return _BYTES[self.dtype]

    @property
    def width(self) -> int:
        """Elements of one 16-byte vector, which one thread of an element-wise kernel takes at a time."""
        return 16 // self.size


class Slot(NamedTuple):
    """An argument that is known when arrays are bound.

    kind 'ins', 'outs', 'saved', 'state': `Operands.<kind>[place]`, a null pointer where forward is to save nothing.
    'add': int, 1 where the kernel adds to its outs. 'rng': unsigned[4], key and ordinal of the run (low word first) of an
    op that draws numbers. 'fault': int[1], which a kernel sets to 1 where it meets a label or index out of range.
    """

    kind: str
    place: int = 0


class Scratch(NamedTuple):
    """An argument that is an array in the scratch memory: `length` elements from byte `offset` on."""

    offset: int
    length: int
    dtype: str = "float32"

    @property
    def nbytes(self) -> int:
        """Its size."""
        return self.length * bytes_of(self.dtype)


class Given(NamedTuple):
    """An argument that is an array of settings, brought to the device once, when arrays are bound."""

    data: bytes
    dtype: str

    @classmethod
    def of(cls, values: Any, dtype: str) -> Given:
        """Those numbers."""
        return cls(np.asarray(values).astype(dtype).tobytes(), dtype)

    @property
    def array(self) -> np.ndarray:
        """On the host."""
        return np.frombuffer(self.data, self.dtype)


@dataclass(frozen=True)
class Part:
    """An argument that is some elements of another, read flat: `count` from number `lo` on."""

    of: Slot | Scratch
    lo: int
    count: int


Array = Slot | Scratch | Given | Part
Arg = Array | np.generic


@dataclass(frozen=True)
class Multiply:
    """A product of matrices by cuBLAS. add: it adds to C where the call adds to its outs."""

    product: Product
    a: Array
    b: Array
    c: Array
    add: bool = False


@dataclass(frozen=True)
class Launch:
    """One start of a kernel: the name expression in its file, blocks, threads a block, arguments in order.

    strided: any other number of blocks along x would do as well (the arguments do not count on it).
    """

    file: str
    expression: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    args: tuple[Arg, ...]
    strided: bool = True


NULL = np.uintp(0)
"""An argument that is a null pointer."""
ADD, RNG, FAULT = Slot("add"), Slot("rng"), Slot("fault")


def IN(place: int) -> Slot:
    """The in of that place."""
    return Slot("ins", place)


def OUT(place: int = 0) -> Slot:
    """The out of that place."""
    return Slot("outs", place)


def SAVED(place: int = 0) -> Slot:
    """What forward saves at that place, or a null pointer."""
    return Slot("saved", place)


def STATE(place: int = 0) -> Slot:
    """The state of that place."""
    return Slot("state", place)


def blocks_for(count: int, a_thread: int = 1, threads: int = THREADS) -> int:
    """Blocks in which each thread takes that many of `count` things, as far as a grid goes."""
    return max(1, min(-(-count // (a_thread * threads)), MAX_BLOCKS))


@dataclass
class Job:
    """What running a call takes: its work in order, and bytes of scratch. Rules fill it by `start`, `multiply` and `take`."""

    file: str
    work: list[Launch | Multiply] = field(default_factory=list)
    scratch: int = 0

    @property
    def launches(self) -> list[Launch]:
        """The kernels of the file that are started, in order."""
        return [w for w in self.work if isinstance(w, Launch)]

    def take(self, count: int, dtype: str = "float32") -> Scratch:
        """A new array in scratch."""
        array = Scratch(self.scratch, count, dtype)
        self.scratch += -(-array.nbytes // ALIGN) * ALIGN
        return array

    def start(self, expression: str, grid: int | tuple[int, ...], threads: int | tuple[int, ...], *args: Arg | int | float,
              strided: bool = True) -> None:
        """Appends a launch. int arguments become long long, float ones float."""
        exact: tuple[Arg, ...] = tuple(np.int64(a) if isinstance(a, int) else np.float32(a) if isinstance(a, float) else a
                                       for a in args)
        self.work.append(Launch(self.file, expression, grid if isinstance(grid, tuple) else (grid,),
                                    threads if isinstance(threads, tuple) else (threads,), exact, strided))

    def multiply(self, product: Product, a: Array, b: Array, c: Array, add: bool = False) -> None:
        """Appends C = op(A) op(B), or with `add` C += op(A) op(B) where the call adds to its outs."""
        self.work.append(Multiply(product, a, b, c, add))


Plan = Callable[[Job, Call, Form], None]


@dataclass(frozen=True)
class Rule:
    """How an op runs.

    file: the .cu file in `rules/`. names: all name expressions that `plan` may start; {T} is the storage type, {op} the op.
    ins, outs, saved: how the operand of each place is stored; the last letter holds for all further ones.
        T  activations: in the form's dtype and order of axes    F  float32, in the form's order of axes
        f  float32 in plain order: params and their gradients, statistics, labels, losses
        s  in the dtype of its spec, in plain order: norms in float64
      Operands of whole numbers keep the dtype of their spec. State is f.
    accumulates: the kernels can add to all outs (Slot 'add'). inplace: pairs that may be one array; None: as the op says.
    last: whether a call can run channels last. why_not: a reason against a call.
    """

    file: str
    names: tuple[str, ...]
    plan: Plan
    ins: str = "T"
    outs: str = "T"
    saved: str = "T"
    accumulates: bool = False
    inplace: tuple[tuple[int, int], ...] | None = None
    last: Callable[[Call], bool] | None = None
    why_not: Callable[[Call], str | None] | None = None

    def letter(self, kind: str, place: int) -> str:
        """How the operand is stored: T, F, f or s."""
        letters: str = {"ins": self.ins, "outs": self.outs, "saved": self.saved, "state": "f"}[kind]
        return letters[min(place, len(letters) - 1)]

    def dtype(self, kind: str, place: int, spec: Spec, form: Form) -> str:
        """What the operand's elements are."""
        if spec.dtype not in FLOATS or self.letter(kind, place) == "s":
            return spec.dtype
        return form.dtype if self.letter(kind, place) == "T" else "float32"

    def is_last(self, kind: str, place: int, spec: Spec, form: Form) -> bool:
        """Whether the operand lies channels last in that form."""
        return form.last and len(spec.shape) == 4 and self.letter(kind, place) not in "fs"

    def forms(self, call: Call, dtypes: tuple[str, ...]) -> list[Form]:
        """The ways to run the call with activations stored in one of the dtypes."""
        orders = (False, True) if self.last is not None and self.last(call) else (False,)
        return [Form(dtype, last) for dtype in dtypes for last in orders]

    def pairs(self, op: str) -> tuple[tuple[int, int], ...]:
        """Pairs (in, out) that may be one array."""
        return get_op(op).inplace if self.inplace is None else self.inplace


EXTRA: dict[str, tuple[str, ...]] = {}
"""File -> name expressions of kernels that no op starts."""
RULES: Registry[Rule] = Registry("cuda kernel for op", EngineError)
"""Op, or ops of a fused chain joined by "+", -> how it runs."""


def rule(file: str, *ops: str, names: tuple[str, ...], ins: str = "T", outs: str = "T", saved: str = "T",
         accumulates: bool = False, inplace: tuple[tuple[int, int], ...] | None = None,
         last: Callable[[Call], bool] | None = None, why_not: Callable[[Call], str | None] | None = None
         ) -> Callable[[Plan], Plan]:
    """Decorator of a plan: enters it as the rule of the ops; arguments as in `Rule`."""
    def enter(plan: Plan) -> Plan:
        for op in ops:
            own = tuple(name.replace("{op}", op) for name in names)
            RULES.register(op)(Rule(file, own, plan, ins, outs, saved, accumulates, inplace, last, why_not))
        return plan
    return enter


def always(call: Call) -> bool:
    """For `last`: the kernel does not care about the order of axes."""
    return True


def split_axis(shape: tuple[int, ...], axis: int, form: Form) -> tuple[int, int, int]:
    """(outer, length, inner) of an array around a canonical axis, as it lies: channels last, axis 1 of 4 is the innermost."""
    if form.last and len(shape) == 4:
        if axis != 1:
            raise EngineError(f"axis {axis} has no kernel with channels last")
        return shape[0] * shape[2] * shape[3], shape[1], 1
    outer = inner = 1
    for d in shape[:axis]:
        outer *= d
    for d in shape[axis + 1:]:
        inner *= d
    return outer, shape[axis], inner
