"""Fills with NaN whatever of a net's arena is not in use, before every step: nothing may be read there."""
from __future__ import annotations

import numpy as np

from caffempi import Net
from caffempi.plan.binding import Binding
from caffempi.plan.program import Program


def poison(net: Net) -> int:
    """All programs of the net's present binding; returns the bytes of its arena."""
    binding = net.binding
    for name in ("forward", "backward", "backward_add"):
        _wrap(binding, name)
    return binding.blueprint.arena


def _wrap(binding: Binding, name: str) -> None:
    program: Program = getattr(binding, name)
    blueprint = binding.blueprint
    drafts = getattr(blueprint, name)
    assert len(drafts) == len(program.steps)
    place = {id(d): at for at, d in enumerate(blueprint.order)}
    inside = [b for b in blueprint.buffers if b.offset is not None]

    def wrapped(at: int, call):
        live = [b for b in inside if b.first < at <= b.last]

        def run() -> None:
            for key in ("arena", "adding"):
                arena = binding.storage.get(key)
                dead = np.ones(arena.size, bool)
                for b in live:
                    if b.arena == key:
                        dead[b.offset:b.offset + b.nbytes] = False
                arena[dead] = 0xFF
            call()
        return run
    program._calls = [wrapped(place[id(d)], call) for d, call in zip(drafts, program._calls, strict=True)]
