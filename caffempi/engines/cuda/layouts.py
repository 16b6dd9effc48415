"""Layouts of the plan as forms of kernels, and back: plain or channels last, float32 or 16 bits."""
from __future__ import annotations

from collections.abc import Mapping

from caffempi.engines.base import PLAIN, Call, Layout, Offer
from caffempi.engines.cuda.chains import key_of
from caffempi.engines.cuda.kernels import plan_job
from caffempi.engines.cuda.rule import RULES, Form, Rule, array_dtype, bytes_of
from caffempi.ops.graph import Spec
from caffempi.ops.op import get_op

LAST = "nhwc"
STORED = {"fp32": ("float32",), "tf32": ("float32",), "fp16": ("float16", "float32"), "bf16": ("bfloat16", "float32")}
"""Precision -> what activations may be stored as, the wanted first."""


def layout_of(spec: Spec, dtype: str, last: bool) -> Layout:
    """How an array lies whose elements are of that dtype."""
    stored = dtype if dtype != spec.dtype else None
    tag = LAST if last else "plain"
    return PLAIN if stored is None and not last else Layout(tag, spec.count * bytes_of(dtype), None, stored)


def form_of(layout: Layout) -> Form:
    """What a reorder needs to know of a layout."""
    return Form(layout.dtype or "float32", layout.tag == LAST)


def operand_layouts(rule: Rule, kind: str, specs: tuple[Spec, ...], form: Form) -> tuple[Layout, ...]:
    """The layouts of the operands of a kind ('ins', 'outs', 'saved') in a form of the call."""
    return tuple(layout_of(s, rule.dtype(kind, i, s, form), rule.is_last(kind, i, s, form)) for i, s in enumerate(specs))


def offers_of(call: Call, precision: str) -> list[Offer]:
    """One offer a form in which the call can run; of equal ones the narrowest, in plain order, first.

    Float32 costs the bytes that its operands have beyond those in 16 bits.
    """
    rule = RULES.get(key_of(call))
    found: dict[tuple[tuple[Layout, ...], ...], Offer] = {}
    least: int | None = None
    for form in rule.forms(call, STORED[precision]):
        ins, outs, saved = (operand_layouts(rule, kind, specs, form)
                            for kind, specs in (("ins", call.ins), ("outs", call.outs), ("saved", call.saved)))
        size = sum(layout.nbytes or s.count * bytes_of(s.dtype)
                   for layout, s in zip((*ins, *outs, *saved), (*call.ins, *call.outs, *call.saved), strict=True))
        least = size if least is None else least
        pairs = tuple((i, o) for i, o in rule.pairs(call.op) if ins[i] == outs[o])
        adjacent = not form.last and get_op(call.op).adjacent(call.attrs, call.ins, call.outs)
        found.setdefault((ins, outs, saved), Offer(ins, outs, saved, pairs, rule.accumulates, plan_job(call, form).scratch,
                                                   adjacent=adjacent, cost=1.0 + max(0, size - least), payload=form))
    return list(found.values())


def stored_as(call: Call, form: Form) -> Mapping[tuple[str, int], str]:
    """The dtypes of those operands that are handed over as bytes: (kind, place) -> dtype."""
    rule = RULES.get(key_of(call))
    found = {}
    for kind, specs in (("ins", call.ins), ("outs", call.outs), ("saved", call.saved)):
        for i, (s, layout) in enumerate(zip(specs, operand_layouts(rule, kind, specs, form), strict=True)):
            if layout != PLAIN:
                dtype = rule.dtype(kind, i, s, form)
                found[kind, i] = array_dtype(dtype)
    return found


def reorder_stored(src: Layout, dst: Layout) -> Mapping[tuple[str, int], str]:
    """The same for a reorder of floats."""
    return {(kind, 0): array_dtype(form_of(layout).dtype) for kind, layout in (("ins", src), ("outs", dst)) if layout != PLAIN}
