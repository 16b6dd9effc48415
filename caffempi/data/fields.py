"""Small things that all kinds of sources need: paths, refusal of fields, memory limits."""
from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from caffempi.errors import DataError
from caffempi.proto.fork_fields import FORK_FIELDS


def only(message: Any, allowed: Collection[str], prefix: str, fix: str) -> None:
    """Refuses every field set in `message` that is not among `allowed`. Raises DataError naming prefix.field.

    What forks added is judged where the layer is built (`layers.extensions`), which says whose it is.
    """
    for descriptor, value in message.ListFields():
        if descriptor.name not in allowed and f"{message.DESCRIPTOR.name}.{descriptor.name}" not in FORK_FIELDS:
            shown = value if isinstance(value, (bool, int, float, str)) else None
            raise DataError("is not obeyed here", field=f"{prefix}.{descriptor.name}", value=shown, fix=fix)


def resolve(path: str, base: str | None) -> str:
    """`path` relative to the folder `base` (None: to the working directory)."""
    return os.path.join(base, path) if base else path


def required_path(message: Any, prefix: str, base: str | None) -> str:
    """The resolved `source` of a data layer's message. Raises DataError where the text has none."""
    if not message.source:
        raise DataError("has no path", field=f"{prefix}.source", fix="name the data to be read")
    return resolve(message.source, base)


def batch_size(message: Any, prefix: str, override: int | None) -> int:
    """Records a batch and rank: the override, else the message's batch_size. Raises DataError for an unusable one."""
    batch = message.batch_size if override is None else override
    if batch < 1:
        raise DataError("must be at least 1", field=f"{prefix}.batch_size", value=batch)
    fits_memory(batch * 64, f"a batch of {batch} records", field=f"{prefix}.batch_size", value=batch)
    return batch


def read_lines(path: str, kind: str) -> list[str]:
    """The lines of a list file, ends stripped, any bytes allowed (as a path may hold them). Raises DataError."""
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            return [line.strip() for line in file.read().split("\n")]
    except OSError as e:
        raise DataError(f"{kind} {path} cannot be read: {e.strerror or e}") from e


def fits_memory(nbytes: int, what: str, **context: Any) -> None:
    """Raises DataError (with that context) where `nbytes` is more than the machine has: a header may ask for that."""
    have = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if nbytes > have:
        raise DataError(f"{what} needs {nbytes / 2**30:.1f} GiB of memory, this machine has {have / 2**30:.1f} GiB",
                        **context)
