"""How many threads the maths libraries of this process may use. They read the number once, as they are loaded, so it is
set in the environment before anything imports NumPy.
"""
from __future__ import annotations

import os
from collections.abc import MutableMapping

from caffempi.place import place

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def share(ranks: int, own: int, job: int) -> int:
    """Threads for one of `ranks` processes of a machine, at least 1.

    own: cores that this process may use; job: cores that all of them together may use. A launcher that binds its processes
    has already divided the cores, one that does not leaves all of them to everybody.
    """
    return max(1, min(own, job // ranks))


def limit_threads(threads: int | None, env: MutableMapping[str, str] | None = None) -> int:
    """Sets the number of threads for libraries that are loaded from now on, and returns it.

    threads: the user's number. None: what the environment says already, else this rank's share of the cores.
    """
    env = os.environ if env is None else env
    if threads is None:
        for name in VARIABLES:
            if env.get(name, "").isdigit():
                return int(env[name])
        ranks = place(env).local_size
        threads = share(ranks, _cores(0), _cores(os.getppid() if ranks > 1 else 0))
    for name in VARIABLES:
        env[name] = str(threads)
    return threads


def _cores(process: int) -> int:
    """Cores that a process (0: this one; the launcher is the parent) may use."""
    try:
        return len(os.sched_getaffinity(process))
    except (AttributeError, OSError):                          # no such call on this system, or no such process any more
        return os.cpu_count() or 1
