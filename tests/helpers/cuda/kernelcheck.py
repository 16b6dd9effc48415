"""Holds kernels, run by the host shim, to the NumPy definitions of their ops: in every form, grid, order and pair in place."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from caffempi.engines.base import Operands
from caffempi.engines.cuda.chains import key_of
from caffempi.engines.cuda.rule import RULES, TYPES, Form, Rule
from caffempi.ops import Spec, get_op
from tests.helpers.cuda.cases import Case, Recorded, record
from tests.helpers.cuda.hostrun import Kernels, run, storage

ULP = {"float64": 1e-6, "float32": 5e-6, "float16": 2.0**-10, "bfloat16": 2.0**-7}
"""How far results may differ, relatively: one unit of the storage; for float32 other orders of sums, other exp and log."""
GUARD = 64


class Stored(NamedTuple):
    """Arrays as kernels see them."""

    ins: list[np.ndarray]
    outs: list[np.ndarray]
    saved: list[np.ndarray]
    state: list[np.ndarray]


def check(case: Case, dtypes: tuple[str, ...] = tuple(TYPES)) -> None:
    """The case's forward call and its gradients, as far as there are rules (the forward's must be there)."""
    calls = record(case)
    assert key_of(calls[0].call) in RULES
    for recorded in calls:
        if key_of(recorded.call) in RULES:
            check_call(recorded, dtypes)


def check_call(r: Recorded, dtypes: tuple[str, ...] = tuple(TYPES)) -> None:
    """One call in all its forms."""
    rule = RULES.get(key_of(r.call))
    why = rule.why_not and rule.why_not(r.call)
    assert not why, why
    for form in rule.forms(r.call, dtypes):
        check_form(r, form)


def check_form(r: Recorded, form: Form, kernels: Kernels | None = None, seeds: Sequence[int] = (0, 1)) -> None:
    """One call in one form: as the table starts it, on a small grid, adding, saving nothing, and in place."""
    rule = RULES.get(key_of(r.call))
    want, first = definition(r, rule, form), None
    for seed in seeds:
        got = execute(r, rule, form, seed, kernels=kernels)
        compare(r, rule, form, got, want)
        first = first or got
        for a, b in zip([*first.outs, *first.saved], [*got.outs, *got.saved], strict=True):
            assert a.tobytes() == b.tobytes(), f"{r.call.op}: bits depend on the order of threads"
    compare(r, rule, form, execute(r, rule, form, seeds[0], blocks=2, kernels=kernels), want)
    assert first is not None
    if rule.accumulates:
        compare(r, rule, form, execute(r, rule, form, seeds[0], add=True, kernels=kernels), want, add=True)
    if r.call.saved:
        bare = execute(r, rule, form, seeds[0], bare=True, kernels=kernels)
        same(r, first.outs, bare.outs, "saving nothing")
    for pair in rule.pairs(r.call.op):
        i, o = pair
        if stored_as(rule, "ins", i, r.call.ins[i], form) == stored_as(rule, "outs", o, r.call.outs[o], form):
            same(r, first.outs, execute(r, rule, form, seeds[0], pair=pair, kernels=kernels).outs, f"in place {pair}")


def stored_as(rule: Rule, kind: str, place: int, spec: Spec, form: Form) -> tuple[object, ...]:
    """What must be equal where two operands are one array."""
    return rule.dtype(kind, place, spec, form), rule.is_last(kind, place, spec, form), spec.count


def same(r: Recorded, a: Sequence[np.ndarray], b: Sequence[np.ndarray], what: str) -> None:
    """Bit for bit."""
    for x, y in zip(a, b, strict=True):
        assert x.tobytes() == y.tobytes(), f"{r.call.op} {[s.shape for s in r.call.ins]}: {what} gives something else"


def guarded(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array of NaN (all bits set) with room around it, for `intact`."""
    nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    raw = np.full(nbytes + 3 * GUARD, 0xFF, np.uint8)
    start = -raw.ctypes.data % GUARD + GUARD
    return raw[start:start + nbytes].view(dtype).reshape(shape)


def intact(a: np.ndarray) -> bool:
    """Whether nothing was written around an array of `guarded`."""
    raw = a
    while raw.base is not None:
        raw = raw.base
    start = a.ctypes.data - raw.ctypes.data
    return bool((raw[:start] == 0xFF).all() and (raw[start + a.nbytes:] == 0xFF).all())


def store(a: np.ndarray, dtype: str, last: bool) -> np.ndarray:
    """A copy of a plain array as it is stored."""
    out = guarded(a.transpose(0, 2, 3, 1).shape if last else a.shape, storage(dtype))
    with np.errstate(all="ignore"):
        out[...] = a.transpose(0, 2, 3, 1) if last else a
    return out


def plain(a: np.ndarray, last: bool) -> np.ndarray:
    """Back, floats of 16 bits as float32."""
    a = a.transpose(0, 3, 1, 2) if last else a
    return a if a.dtype.kind in "iub" or a.dtype == np.float64 else a.astype(np.float32)


def definition(r: Recorded, rule: Rule, form: Form) -> Stored:
    """Plain results of the definition on the ins as they are stored, rounded as they will be stored."""
    ins = [plain(store(a, rule.dtype("ins", i, s, form), False), False) for i, (a, s) in enumerate(zip(r.ins, r.call.ins, strict=True))]
    outs, saved = ([np.full(s.shape, np.nan if np.dtype(s.dtype).kind == "f" else 77, s.dtype) for s in specs]
                   for specs in (r.call.outs, r.call.saved))
    state = [a.copy() for a in r.state]
    with np.errstate(all="ignore"):
        get_op(r.call.op).forward(r.call.attrs, ins, outs, saved, state, r.rng)

    def rounded(arrays: list[np.ndarray], kind: str, specs: Sequence[Spec]) -> list[np.ndarray]:
        return [plain(store(a, rule.dtype(kind, i, s, form), False), False) for i, (a, s) in enumerate(zip(arrays, specs, strict=True))]
    return Stored(ins, rounded(outs, "outs", r.call.outs), rounded(saved, "saved", r.call.saved), state)


def execute(r: Recorded, rule: Rule, form: Form, seed: int, blocks: int | None = None, pair: tuple[int, int] | None = None,
            add: bool = False, bare: bool = False, kernels: Kernels | None = None) -> Stored:
    """Plain results of the kernels. pair: (in, out) that are one array. add: outs start as ones. bare: nothing is saved."""
    call = r.call._replace(saved=()) if bare else r.call

    def last(kind: str, i: int, s: Spec) -> bool:
        return rule.is_last(kind, i, s, form)

    def empty(kind: str, specs: Sequence[Spec]) -> list[np.ndarray]:
        made = []
        for i, s in enumerate(specs):
            shape = tuple(s.shape[k] for k in (0, 2, 3, 1)) if last(kind, i, s) else s.shape
            made.append(guarded(shape, storage(rule.dtype(kind, i, s, form))))
        return made
    ins = [store(a, rule.dtype("ins", i, s, form), last("ins", i, s)) for i, (a, s) in enumerate(zip(r.ins, call.ins, strict=True))]
    outs, saved, state = empty("outs", call.outs), empty("saved", call.saved), [store(a, "float32", False) for a in r.state]
    if pair is not None:
        outs[pair[1]] = ins[pair[0]].reshape(outs[pair[1]].shape)
    if add:
        for a in outs:
            a.fill(1)
    before = [a.tobytes() for a in ins]
    fault = run(call, form, Operands(tuple(ins), tuple(outs), tuple(saved), tuple(state), None, r.rng, add), seed, blocks, kernels)
    assert not fault, f"{call.op} says that a label or index is out of range"
    assert all(map(intact, [*ins, *outs, *saved, *state])), f"{call.op} wrote outside its arrays"
    assert all(a.tobytes() == b for i, (a, b) in enumerate(zip(ins, before, strict=True)) if not pair or i != pair[0]), \
        f"{call.op} wrote to an in"
    return Stored(ins, [plain(a, last("outs", i, s)) for i, (a, s) in enumerate(zip(outs, call.outs, strict=True))],
                  [plain(a, last("saved", i, s)) for i, (a, s) in enumerate(zip(saved, call.saved, strict=True))], state)


def compare(r: Recorded, rule: Rule, form: Form, got: Stored, want: Stored, add: bool = False) -> None:
    """Raises AssertionError where something differs by more than rounding."""
    for kind, specs in (("outs", r.call.outs), ("saved", r.call.saved), ("state", r.call.state)):
        if kind == "saved" and "dynamic" in get_op(r.call.op).effects:
            continue                                           # only its first part means anything; gradients read that
        for i, (g, w) in enumerate(zip(getattr(got, kind), getattr(want, kind), strict=True)):
            where = f"{r.call.op} {[s.shape for s in r.call.ins]} {r.call.attrs} {form}: {kind} {i}"
            if w.dtype.kind in "iub":
                np.testing.assert_array_equal(g, w, where)
                continue
            w = w + np.float32(1) if add and kind == "outs" else w
            tol = r.slack * ULP[form.dtype if r.rounds else rule.dtype(kind, i, specs[i], form)]
            finite = np.isfinite(w)
            size = float(np.abs(w[finite]).max()) if finite.any() else 0.0
            np.testing.assert_allclose(g, w, rtol=tol, atol=tol * size * 0.1, err_msg=where)
