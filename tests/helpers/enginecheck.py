"""Runs every offer of an engine for a call and holds it against the op's NumPy definition."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from caffempi.engines.base import PLAIN, Call, Engine, Layout, Near, Offer, Operands
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.ops import Spec, get_op
from tests.helpers.bf16 import widen


def spec_of(a: np.ndarray) -> Spec:
    return Spec(a.shape, str(a.dtype))


def call_of(op, attrs, ins: Sequence[np.ndarray], outs: Sequence[tuple[int, ...]] | None = None, train: bool = False) -> Call:
    """The call on such arrays; outs: shapes of a gradient's outs, which no rule can infer; train: with what is saved."""
    specs = tuple(spec_of(a) for a in ins)
    rule = get_op(op)
    made = tuple(rule.infer(attrs, list(specs))) if outs is None else tuple(Spec(s, "float32") for s in outs)
    return Call(op, attrs, specs, made, tuple(rule.saved(attrs, list(specs), list(made))) if train else ())


def reference(call: Call, ins: Sequence[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """(outs, saved) by the definition."""
    outs = [np.full(s.shape, np.nan, s.dtype) for s in call.outs]
    saved = [np.zeros(s.shape, s.dtype) for s in call.saved]
    NumpyEngine().compile(call, Offer((), ())).bind(Operands(tuple(ins), tuple(outs), tuple(saved)))()
    return outs, saved


def moved(engine: Engine, a: np.ndarray, spec: Spec, src: Layout, dst: Layout) -> np.ndarray:
    """An array brought from one layout into another by the engine's own reorder."""
    if src == dst:
        return a
    made = garbage(engine, spec, dst)
    engine.reorder(spec, src, dst).bind(Operands((a,), (made,)))()
    return made


def garbage(engine: Engine, spec: Spec, layout: Layout) -> np.ndarray:
    """A buffer for that layout, full of NaN (as float32)."""
    raw = engine.alloc(layout.nbytes or spec.count * np.dtype(spec.dtype).itemsize)
    raw.fill(0xFF)
    return raw.view(spec.dtype).reshape(spec.shape) if layout == PLAIN else raw


def run(engine: Engine, call: Call, offer: Offer, ins: Sequence[np.ndarray]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """(outs as plain arrays, saved as they lie). ins: plain, but for those whose layout no reorder makes (workspaces)."""
    given = [a if a.dtype == np.uint8 else moved(engine, a, s, PLAIN, w)
             for a, s, w in zip(ins, call.ins, offer.ins, strict=True)]
    outs = [garbage(engine, s, w) for s, w in zip(call.outs, offer.outs, strict=True)]
    saved = [garbage(engine, s, w) for s, w in zip(call.saved, offer.saved, strict=True)]
    scratch = engine.alloc(offer.scratch) if offer.scratch else None
    kernel = engine.compile(call, offer)
    kernel.bind(Operands(tuple(given), tuple(outs), tuple(saved), scratch=scratch))()
    plain = [moved(engine, a, s, w, PLAIN) for a, s, w in zip(outs, call.outs, offer.outs, strict=True)]
    for a, p, w in zip(outs, plain, offer.outs, strict=True):
        if w != PLAIN:                                         # so that flat additions on whole buffers are safe
            lanes = np.abs(widen(a.view(np.uint16)) if w.dtype == "bfloat16" else a.view(np.float32)).sum(dtype=np.float64)
            assert np.isclose(lanes, np.abs(p).sum(dtype=np.float64), rtol=1e-6), f"padding lanes of {w.tag} are not zero"
    return plain, saved


def check(engine: Engine, call: Call, ins: Sequence[np.ndarray], near: Near | None = None, tol: float = 2e-5) -> list[Offer]:
    """Every offer gives the reference's outs. Returns the offers, of which there must be one."""
    assert engine.why_not(call) is None, engine.why_not(call)
    want, _ = reference(call, ins)
    offers = engine.offers(call, near)
    assert offers
    for offer in offers:
        got, _ = run(engine, call, offer, ins)
        for g, w in zip(got, want, strict=True):
            err = np.abs(g - w).max()
            assert err <= tol * max(1.0, np.abs(w).max()), f"{call.op} {[x.tag for x in (*offer.ins, *offer.outs)]}: off by {err}"
    return offers
