"""What a blueprint needs in memory: by purpose, at the fullest moment, and against one buffer a blob. Nothing is allocated.

MB are 1,000,000 bytes.
"""
from __future__ import annotations

from collections.abc import Callable

from caffempi.ops.graph import Value
from caffempi.plan.blueprint import Blueprint
from caffempi.plan.buffers import Buffer, size_of
from caffempi.plan.groups import fixed_groups
from caffempi.plan.memory import usage

HISTORIES = "histories of the solver"
_WHAT = {"act": "activations", "in": "inputs", "grad": "gradients of blobs", "seed": "gradients of blobs",
         "saved": "kept for backward", "state": "kept between runs", "copy": "copies in other layouts",
         "temp": "copies in other layouts", "pack": "params in other layouts", "scratch": "scratch"}
_LARGEST, _GUESSES = 5, 8                                       # buffers that are named; sizes tried before halving


def sizes_of(blueprint: Blueprint, histories: int = 0) -> dict[str, int]:
    """Purpose -> bytes. histories: arrays as large as the params that a solver keeps."""
    params = blueprint.plan.arena
    sizes = {"params": params.nbytes, "gradients of params": params.nbytes if blueprint.plan.backward else 0,
             HISTORIES: histories * params.nbytes, "statistics": params.stat_nbytes}
    kinds = {b.key: b.kind for b in blueprint.buffers}
    for key, nbytes in blueprint.owned.items():
        what = _WHAT[kinds[key]]
        sizes[what] = sizes.get(what, 0) + nbytes
    sizes["shared in the arena"] = blueprint.arena
    return {what: nbytes for what, nbytes in sizes.items() if nbytes}


def one_buffer_a_blob(blueprint: Blueprint) -> int:
    """Bytes of the data and the diff of every blob but the inputs, each once, as Caffe holds them: those that Caffe's layers
    share (Split's data, Flatten) count once."""
    plan, specs = blueprint.plan, blueprint.specs
    groups = fixed_groups(plan.graph, plan.graph.nodes, plan.backward, set(plan.graph.blobs))
    found: dict[int, int] = {}

    def count(v: Value, like: Value) -> None:
        found[groups.of(v)] = max(found.get(groups.of(v), 0), size_of(specs[like.id]))
    for versions in plan.graph.blobs.values():
        v = versions[-1]
        if v.kind == "in" or v.id not in specs:
            continue
        count(v, v)
        diff = plan.grads.diffs.get(v.id)
        if diff is not None:
            count(diff, v)
    return sum(found.values())


def for_blobs(blueprint: Blueprint) -> int:
    """Bytes of all that lies between params and inputs: to be held against `one_buffer_a_blob`."""
    kinds = {b.key: b.kind for b in blueprint.buffers}
    return blueprint.arena + sum(n for key, n in blueprint.owned.items() if kinds[key] not in ("in", "state", "pack"))


def report(blueprint: Blueprint, histories: int, program: int = 0) -> list[str]:
    """A line a purpose, the total, the fullest moment of the arena and its largest buffers, and the share of one buffer a blob.

    program: bytes that the process takes before there is a net.
    """
    sizes = {"the program itself": program} if program else {}
    sizes.update(sizes_of(blueprint, histories))
    lines = [f"{nbytes / 1e6:12.3f} MB  {what}" for what, nbytes in sizes.items()]
    lines += [f"{sum(sizes.values()) / 1e6:12.3f} MB  in all"]
    if blueprint.adding:
        lines.append(f"{blueprint.adding / 1e6:12.3f} MB  more where gradients are added to others (iter_size above 1)")
    inside = [b for b in blueprint.buffers if b.offset is not None and b.arena == "arena"]
    most, at = usage(inside)
    if most:
        lines += ["", *_fullest(blueprint, [b for b in inside if b.first <= at <= b.last], most, at)]
    whole, used = one_buffer_a_blob(blueprint), for_blobs(blueprint)
    if whole:
        lines += ["", f"one buffer for the data and one for the diff of each blob: {whole / 1e6:.3f} MB; "
                      f"here {used / 1e6:.3f} MB, {100 * used / whole:.1f} %"]
    return lines


def _fullest(blueprint: Blueprint, live: list[Buffer], most: int, at: int) -> list[str]:
    step = blueprint.order[at]
    layers = blueprint.plan.graph.layers
    way = "forward" if at < len(blueprint.forward) else "backward"
    what = f'{way} of layer "{layers[step.layer].name}"' if 0 <= step.layer < len(layers) else way
    parts: dict[str, int] = {}
    for b in live:
        parts[_WHAT[b.kind]] = parts.get(_WHAT[b.kind], 0) + b.nbytes
    lines = [f"the arena is fullest in {what}, with {most / 1e6:.3f} MB in use: " + " + ".join(
        f"{n / 1e6:.3f} {what}" for what, n in sorted(parts.items(), key=lambda p: -p[1]))]
    for b in sorted(live, key=lambda b: (-b.nbytes, b.first))[:_LARGEST]:
        maker = blueprint.order[b.first].layer
        name = layers[maker].name if 0 <= maker < len(layers) else "-"
        lines.append(f"{b.nbytes / 1e6:12.3f} MB  {_WHAT[b.kind]}, layer \"{name}\"")
    return lines


def largest_batch(total: Callable[[int], int], limit: int, start: int) -> tuple[int, int]:
    """(the largest n with total(n) <= limit, total(n)); n is 0 where not even 1 fits. total must not fall with n.

    start: a first guess. The size is nearly a straight line over n, so that few guesses are needed.
    """
    known: dict[int, int] = {}

    def at(n: int) -> int:
        if n not in known:
            known[n] = total(n)
        return known[n]
    if at(1) > limit:
        return 0, at(1)
    low, high, guess = 1, 0, max(2, start)                      # low fits, high (once there is one) does not
    while high - low != 1:
        if at(guess) <= limit:
            low = guess
        else:
            high = guess
        fitting = [n for n in known if known[n] <= limit]
        base = min(fitting)
        slope = max((at(guess) - at(base)) / max(guess - base, 1), 1.0)
        guess = int(base + (limit - at(base)) / slope)
        if high:
            guess = min(max(guess, low + 1), high - 1) if len(known) < _GUESSES else (low + high) // 2
        else:
            guess = min(max(guess, low + 1), 8 * low)
    return low, at(low)
