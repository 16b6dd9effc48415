"""A binding as text: its steps with shapes and cost, and the memory behind them."""
from __future__ import annotations

from collections.abc import Sequence

from caffempi.ops.graph import Node, Spec, Value
from caffempi.plan.binding import Binding
from caffempi.plan.sizes import sizes_of
from caffempi.plan.step import MOVES, Step

_HEAD = ("#", "phase", "layer", "op", "engine", "ins", "outs", "MFLOP", "KB")


def plan_table(binding: Binding) -> list[str]:
    """One line a step, forward then backward, under a head; then totals of work and memory, and what each pass did.

    MFLOP and KB (1,000 bytes read and written) are of the maths, the same for all engines. Steps that move or add arrays have
    no MFLOP, the KB that they really move, and layouts behind the shapes; those that mark a bucket of gradients as final have
    neither. Behind the engine stands what operands are stored as where that is not the net's own dtype.
    """
    steps = [*binding.forward.steps, *binding.backward.steps]
    rows = [_HEAD, *(_row(binding, k, step) for k, step in enumerate(steps))]
    return [*align(rows, right={0, 7, 8}), "", *_totals(binding), "", *binding.plan.log, *binding.blueprint.log]


def align(rows: Sequence[Sequence[str]], right: set[int]) -> list[str]:
    """Lines whose columns stand below each other; those in `right` at their right edges."""
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    return ["  ".join(cell.rjust(w) if c in right else cell.ljust(w) for c, (cell, w) in
                      enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]


def _row(b: Binding, index: int, step: Step) -> tuple[str, ...]:
    layers = b.plan.graph.layers
    layer = layers[step.layer].name if 0 <= step.layer < len(layers) else "-"
    if step.node is None or step.phase not in ("F", "B"):
        of = "" if step.node is None else f" for {_ops(step.node)}"
        what = {"fire": "bucket is final", "zero": "zero unwritten gradients"}.get(step.phase, step.phase) + of
        if step.between is None:
            return str(index), step.phase, layer, what, "", "", "", "", ""
        source, target = (f"{_shape(ref.spec)} {ref.layout.tag}{'' if ref.layout.dtype is None else ' ' + ref.layout.dtype}"
                          for ref in step.between)
        return str(index), step.phase, layer, what, "", source, target, "", f"{step.moved / 1e3:.1f}"
    flops, nbytes = step.cost
    return (str(index), step.phase, layer, _ops(step.node), f"{step.kernel} {step.stored}".strip(), _shapes(b, step.node.ins),
            _shapes(b, step.node.outs), f"{flops / 1e6:.3f}", f"{nbytes / 1e3:.1f}")


def _ops(n: Node) -> str:
    return "+".join(getattr(n.attrs, "ops", ())) if n.op == "fused" else n.op


def _shapes(b: Binding, values: Sequence[Value]) -> str:
    return " ".join(_shape(b.specs[v.id]) for v in values)


def _shape(spec: Spec) -> str:
    return "x".join(map(str, spec.shape)) or "1"


def _moves(steps: Sequence[Step]) -> str:
    """How many steps only move or add arrays, and how much."""
    words = {"reorder": "reorders", "pack": "packs of params", "copy": "copies", "add": "additions"}
    found = []
    for phase in MOVES:
        moved = [s.moved for s in steps if s.phase == phase]
        if moved:
            found.append(f"{len(moved)} {words[phase]} of {sum(moved) / 1e6:.1f} MB")
    return f"; beside the maths {', '.join(found)}" if found else ""


def _totals(b: Binding) -> list[str]:
    lines = []
    for what, steps in (("forward", b.forward.steps), ("backward", b.backward.steps)):
        lines.append(f"{what}: {len(steps)} steps, {sum(s.cost[0] for s in steps) / 1e6:.1f} MFLOP, "
                     f"{sum(s.cost[1] for s in steps) / 1e6:.1f} MB read and written" + _moves(steps))
    sizes = sizes_of(b.blueprint)
    return [*lines, f"memory: {sum(sizes.values()) / 1e6:.2f} MB = " +
            " + ".join(f"{size / 1e6:.2f} {what}" for what, size in sizes.items() if size)]
