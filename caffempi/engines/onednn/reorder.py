"""Copies between layouts: what the plan puts between a kernel and a buffer that lies otherwise."""
from __future__ import annotations

from caffempi.engines.base import PLAIN, Layout
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import DST, SRC
from caffempi.engines.onednn.layouts import Form, OneDnnKernel, Prepared, Slot
from caffempi.errors import EngineError


def reorder(lib: Library, src: Layout, dst: Layout) -> OneDnnKernel:
    """The kernel that copies ins[0] in layout src to outs[0] in layout dst. Raises EngineError where there is none."""
    forms = [layout.key for layout in (src, dst) if layout != PLAIN]
    if not forms or not all(isinstance(f, Form) and f.plain == forms[0].plain for f in forms):
        raise EngineError(f"engine onednn cannot bring data from layout {src.tag} into {dst.tag}")
    a, b = (forms[0].plain if layout == PLAIN else layout.key.desc for layout in (src, dst))
    return OneDnnKernel(Prepared(lib.reorder(a, b), (Slot(SRC, "ins", 0), Slot(DST, "outs", 0))))


def movable(lib: Library, form: Form) -> bool:
    """Whether data can be brought into the form and back by other than reference code."""
    try:
        lib.reorder(form.plain, form.desc)
        lib.reorder(form.desc, form.plain)
    except EngineError:
        return False
    return True
