"""What memory a net needs, and the largest batch that fits, as text; sizes are worked out, not allocated."""
from __future__ import annotations

import os

from caffempi.errors import ShapeError
from caffempi.net import Net
from caffempi.plan.blueprint import Blueprint
from caffempi.plan.sizes import largest_batch, report, sizes_of

_LIKELY = 64                                                    # a first guess at a batch


def taken() -> int:
    """Bytes of memory that this process occupies now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, IndexError):
        return 0


def free() -> int:
    """Bytes that programs can still take on this machine without others having to give theirs up; 0 where that is not known."""
    try:
        with open("/proc/meminfo") as f:
            found = dict(line.split(":", 1) for line in f)
        return int(found["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        return 0


def memory_lines(net: Net, limit: int | None) -> list[str]:
    """The report on a net, and the largest batch that fits in so many bytes (default: what is free and what this process has).

    What the program itself takes is what this process occupies beside the arrays of the net. Of an engine with memory of its
    own, that memory counts, and the program takes none of it beyond what is not free.
    """
    trains, blueprint = bool(net.plan.backward), net.binding.blueprint
    held, device = net.arena.nbytes + net.arena.stat_nbytes + net.binding.storage.nbytes, net.engine.free()
    program = max(0, taken() - held) if device is None else 0
    lines = report(blueprint, int(trains), program)
    room = limit if limit is not None else free() + taken() if device is None else device + held
    if not room:
        return [*lines, "what is free on this machine is not known: give --memory_limit for the largest batch"]
    shapes = {blob: net.blobs[blob].shape for blob in net.inputs}
    batches = {shape[0] for shape in shapes.values() if shape}
    if len(batches) != 1 or not all(shapes.values()) or 0 in batches:
        return [*lines, "", "the inputs have no batch in common as their first axis, so no largest one is sought"]
    refused: dict[int, str] = {}

    def total(n: int) -> int:
        scaled = {blob: (n, *shape[1:]) for blob, shape in shapes.items()}
        try:
            found = Blueprint(net.plan, scaled)
        except ShapeError as e:                                # more elements than an array may have
            if n == 1:
                raise
            refused[n] = str(e)
            return room + 1
        return program + sum(sizes_of(found, int(trains)).values())
    try:
        n, nbytes = largest_batch(total, room, _LIKELY)
    except ShapeError as e:
        return [*lines, "", f"the net takes no other batch than this one: {e}"]
    where = " on the GPU" if device is not None else ""
    within = f"{room / 1e9:.2f} GB" + (f" (free{where} now)" if limit is None else "")
    if not n:
        return [*lines, "", f"not even a batch of 1 fits in {within}: it needs {nbytes / 1e9:.2f} GB"]
    more = f"; no larger one runs: {refused[n + 1]}" if n + 1 in refused else ""
    return [*lines, "", f"largest batch in {within}: {n} (needs {nbytes / 1e9:.2f} GB){more}"]
