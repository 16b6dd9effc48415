"""A binding as text: its steps with shapes and cost, and the memory behind them."""
from __future__ import annotations

from collections.abc import Sequence

from caffempi.ops.graph import Node, Value
from caffempi.plan.binding import Binding
from caffempi.plan.sizes import sizes_of
from caffempi.plan.step import Step

_HEAD = ("#", "phase", "layer", "op", "engine", "ins", "outs", "MFLOP", "KB")


def plan_table(binding: Binding) -> list[str]:
    """One line a step, forward then backward, under a head; then totals of work and memory, and what each pass did.

    MFLOP and KB (1,000 bytes read and written) are of the maths, the same for all engines. Steps that move or add arrays,
    or mark a bucket of gradients as final, have neither. Behind the engine stands what operands are stored as where that is
    not the net's own dtype.
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
        return (str(index), step.phase, layer, {"fire": "bucket is final", "zero": "zero unwritten gradients"}.get(
            step.phase, step.phase) + of, "", "", "", "", "")
    flops, nbytes = step.cost
    return (str(index), step.phase, layer, _ops(step.node), f"{step.kernel} {step.stored}".strip(), _shapes(b, step.node.ins),
            _shapes(b, step.node.outs), f"{flops / 1e6:.3f}", f"{nbytes / 1e3:.1f}")


def _ops(n: Node) -> str:
    return "+".join(getattr(n.attrs, "ops", ())) if n.op == "fused" else n.op


def _shapes(b: Binding, values: Sequence[Value]) -> str:
    return " ".join("x".join(map(str, b.specs[v.id].shape)) or "1" for v in values)


def _totals(b: Binding) -> list[str]:
    lines = []
    for what, steps in (("forward", b.forward.steps), ("backward", b.backward.steps)):
        lines.append(f"{what}: {len(steps)} steps, {sum(s.cost[0] for s in steps) / 1e6:.1f} MFLOP, "
                     f"{sum(s.cost[1] for s in steps) / 1e6:.1f} MB read and written")
    sizes = sizes_of(b.blueprint)
    return [*lines, f"memory: {sum(sizes.values()) / 1e6:.2f} MB = " +
            " + ".join(f"{size / 1e6:.2f} {what}" for what, size in sizes.items() if size)]
