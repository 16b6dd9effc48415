"""Layouts of the onednn engine and what all its families of ops share: forms, slots, kernels, the choice of offers.

A layout that is not plain has a `Form` as its key: the library's description of the memory, and that of the plain array
with the same axes. The axes can be others than the blob's (grouped weights have one more, transposed ones lie the other
way round), and the form says what "plain" means then.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

from caffempi.engines.base import PLAIN, Kernel, Layout, Offer, Operands
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import BFLOAT16, FLOAT32
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.errors import EngineError

BYTES_PER_FLOP = 0.04
"""How many bytes are reordered in the time of one floating-point operation of a fast kernel (measured on AVX2, one core)."""


_STORED = {BFLOAT16: "bfloat16"}                                # type of the library -> Layout.dtype
_TYPES = {word: number for number, word in _STORED.items()}


@dataclass(frozen=True)
class Form:
    """Key of a layout: where the elements lie, and where they would lie in the plain array."""

    desc: MemoryDesc
    plain: MemoryDesc


def layout_of(desc: MemoryDesc, plain: MemoryDesc) -> Layout:
    """PLAIN where both describe the same memory, else the layout of `desc`; without a form where only the type is another,
    so that arrays of any shape lie alike then."""
    if desc == plain:
        return PLAIN
    stored = None if desc.dtype == plain.dtype else _STORED[desc.dtype]
    if stored is not None and desc.key[1:] == plain.key[1:]:
        return Layout(PLAIN.tag, desc.nbytes, None, stored)
    return Layout(desc.tag, desc.nbytes, Form(desc, plain), stored)


def desc_of(layout: Layout, plain: MemoryDesc) -> MemoryDesc | None:
    """The description of an array in that layout; None where the layout is of another kind or other axes."""
    if layout == PLAIN:
        return plain
    if layout.key is None and layout.dtype is not None:
        return plain.cast(_TYPES[layout.dtype])
    return layout.key.desc if isinstance(layout.key, Form) and layout.key.plain == plain else None


class Slot(NamedTuple):
    """An argument of a primitive: its id, and which operand it is: Operands.<kind>[at]."""

    argument: int
    kind: str
    at: int


@dataclass(frozen=True)
class Prepared:
    """Payload of an offer: an implementation and where its arguments come from."""

    desc: PrimitiveDesc
    slots: tuple[Slot, ...]

    @property
    def impl(self) -> str:
        """The library's name of the implementation."""
        return self.desc.impl


class OneDnnKernel:
    """A primitive, made when the plan has chosen the offer."""

    def __init__(self, prepared: Prepared) -> None:
        self._primitive, self._slots = prepared.desc.primitive, prepared.slots

    def bind(self, ptrs: Operands, **more: Any) -> Callable[[], None]:
        """One call into the library with prebuilt arguments. more: arrays of slots whose kind is none of Operands."""
        return self._primitive.bind({s.argument: (more.get(s.kind) or getattr(ptrs, s.kind))[s.at] for s in self._slots},
                                    ptrs.scratch)


class Composed(Protocol):
    """Payload of an offer whose kernel is more than one primitive."""

    def compile(self) -> Kernel:
        """Makes the primitives."""


@dataclass(frozen=True)
class Chain:
    """Payload: primitives one after another on the same operands."""

    parts: tuple[Prepared, ...]

    @property
    def impl(self) -> str:
        """The names of the parts."""
        return " ".join(p.impl for p in self.parts)

    def compile(self) -> Kernel:
        """See ChainKernel."""
        return ChainKernel([OneDnnKernel(p) for p in self.parts])


class ChainKernel:
    """Runs kernels in order."""

    def __init__(self, kernels: Sequence[OneDnnKernel]) -> None:
        self._kernels = kernels

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """A single one is the call itself."""
        return in_order([k.bind(ptrs) for k in self._kernels])


def in_order(calls: Sequence[Callable[[], None]]) -> Callable[[], None]:
    """One call that makes them all."""
    return calls[0] if len(calls) == 1 else partial(_run_all, calls)


def _run_all(calls: Sequence[Callable[[], None]]) -> None:
    for call in calls:
        call()


class Offers:
    """Collects ways to run a call, and the reasons of those that are not to be had.

    types: those in which products of matrices are to be asked for, best first; what is between them follows its neighbours.
    """

    def __init__(self, movable: Callable[[Form], bool], types: Sequence[int] = (FLOAT32,)) -> None:
        self.types = types
        self.found: list[Offer] = []
        self.reasons: list[str] = []
        self._movable = movable
        self._seen: set[Any] = set()

    def attempt(self, ways: Iterable[Callable[[], Offer]]) -> None:
        """Adds what each way makes, if its layouts are new; an EngineError is its reason against it."""
        for way in ways:
            try:
                offer = way()
            except EngineError as e:
                self.refuse(e.why)
                continue
            layouts = (*offer.ins, *offer.outs, *offer.saved)
            stuck = [x.tag for x in layouts if isinstance(x.key, Form) and not self._movable(x.key)]
            if stuck:
                self.refuse(f"oneDNN has only reference code to bring data into layout {stuck[0]} or back")
            elif layouts not in self._seen:
                self._seen.add(layouts)
                self.found.append(offer)

    def attempt_types(self, ways: Callable[[int], Iterable[Callable[[], Offer]]]) -> None:
        """Attempts the ways of the first type in which there are any."""
        for dtype in self.types:
            self.attempt(ways(dtype))
            if self.found:
                return

    def refuse(self, reason: str) -> None:
        """Notes why something is not offered."""
        if reason not in self.reasons:
            self.reasons.append(reason)


def descs_near(plain: MemoryDesc, *near: Layout | None) -> list[MemoryDesc]:
    """Descriptions to offer an array in: as those lie that are known and have its axes, then plain; none twice."""
    found = [desc_of(layout, plain) for layout in near if layout is not None]
    return list(dict.fromkeys([d for d in found if d is not None] + [plain]))


def row_of(lib: Library, desc: MemoryDesc) -> MemoryDesc:
    """A buffer of that layout as one long row, the lanes that fill up blocks included: for what maps zeros to zero."""
    return lib.plain((desc.elements,), desc.dtype)


def row_offer(made: Any, desc: MemoryDesc, plain: MemoryDesc, ins: int, inplace: tuple[tuple[int, int], ...],
              scratch: int = 0) -> Offer:
    """The offer of a payload that reads so many ins and writes one out, all in one layout."""
    layout = layout_of(desc, plain)
    return Offer((layout,) * ins, (layout,), (), inplace, scratch=scratch, cost=0.0, payload=made)


def make_offer(desc: PrimitiveDesc, operands: Iterable[tuple[Slot, MemoryDesc]], cost: float,
               inplace: tuple[tuple[int, int], ...] = (), saved: tuple[Layout, ...] = ()) -> Offer:
    """The offer of an implementation. operands: each slot with the description of the plain array that it stands for."""
    pairs = list(operands)
    lists: dict[str, list[Layout]] = {"ins": [], "outs": [], "saved": list(saved)}
    for slot, plain in sorted(pairs, key=lambda pair: pair[0].at):
        if slot.kind != "saved" and len(lists[slot.kind]) <= slot.at:
            lists[slot.kind].append(layout_of(desc.argument(slot.argument), plain))
    return Offer(tuple(lists["ins"]), tuple(lists["outs"]), tuple(lists["saved"]), inplace, scratch=desc.scratch, cost=cost,
                 payload=Prepared(desc, tuple(slot for slot, _ in pairs)))
