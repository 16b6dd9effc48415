"""Copies between layouts: what the plan puts between a kernel and a buffer that lies otherwise."""
from __future__ import annotations

from math import prod

from caffempi.engines.base import Layout
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import DST, SRC
from caffempi.engines.onednn.layouts import Form, OneDnnKernel, Prepared, Slot, desc_of
from caffempi.errors import EngineError


def reorder(lib: Library, shape: tuple[int, ...], src: Layout, dst: Layout) -> OneDnnKernel:
    """The kernel that copies ins[0] in layout src to outs[0] in layout dst, and casts. Raises EngineError for lack of one."""
    forms = [layout.key for layout in (src, dst) if isinstance(layout.key, Form)]
    plain = forms[0].plain if forms else lib.plain((prod(shape),))
    a, b = desc_of(src, plain), desc_of(dst, plain)
    if a is None or b is None or src == dst:
        raise EngineError(f"engine onednn cannot bring data from layout {src.tag} into {dst.tag}")
    return OneDnnKernel(Prepared(lib.reorder(a, b), (Slot(SRC, "ins", 0), Slot(DST, "outs", 0))))


def movable(lib: Library, form: Form) -> bool:
    """Whether data can be brought into the form and back by other than reference code."""
    try:
        lib.reorder(form.plain, form.desc)
        lib.reorder(form.desc, form.plain)
    except EngineError:
        return False
    return True
