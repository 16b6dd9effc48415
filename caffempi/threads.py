"""Cores and threads of this process: ranks of one machine get cores of their own, and the maths libraries no more threads.

The libraries read their number of threads once, as they are loaded, so it is set in the environment before anything imports
NumPy. Threads that are made later (decoding, exchange, OpenMP's) run on the cores of the process.
"""
from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, MutableMapping
from typing import NamedTuple

from caffempi.place import Place, place

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_BINDING = ("GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES", "OMP_PROC_BIND")
_SET_BLAS = ("scipy_openblas_set_num_threads64_", "scipy_openblas_set_num_threads", "openblas_set_num_threads64_",
             "openblas_set_num_threads")


class Share(NamedTuple):
    """threads: for the maths libraries. note: what a user should know of it; "" where it is alone on its machine."""

    threads: int
    note: str = ""


def share(ranks: int, own: int, job: int) -> int:
    """Threads for one of `ranks` processes of a machine, at least 1.

    own: cores that this process may use; job: cores that all of them together may use. A launcher that binds its processes
    has already divided the cores, one that does not leaves all of them to everybody.
    """
    return max(1, min(own, job // ranks))


def take_share(threads: int | None, env: MutableMapping[str, str] | None = None) -> Share:
    """Sets the number of threads of libraries that are loaded from now on; where several ranks of a machine may all use the
    same cores, gives this one its own.

    threads: the user's number. None: what the environment says already, else this rank's share of the cores. What the user
    has arranged (the launcher's binding, OpenMP's variables, more threads than a share has cores) is left as it is.
    """
    env = os.environ if env is None else env
    here, own = place(env), cores(0)
    ranks = here.local_size
    job = cores(os.getppid()) if ranks > 1 else own
    fair = share(ranks, len(own), len(job))
    told = next((name for name in VARIABLES if env.get(name, "").isdecimal()), None) if threads is None else None
    number = threads or (int(env[told]) if told else fair)
    if not told:
        for name in VARIABLES:
            env[name] = str(number)
    if ranks == 1:
        return Share(number)
    words = f"{number} a rank" + (f", as {told} says" if told else "")
    return Share(number, f"Threads: {words}; {_settle(here, own, job, fair if number <= fair else 0, env)}")


def _settle(here: Place, own: list[int], job: list[int], fair: int, env: Mapping[str, str]) -> str:
    """Binds this rank to cores of its own if that is due (fair: how many, 0 for none), and says on which it runs."""
    ranks, host = here.local_size, here.host
    if own != job:
        more = f"; --bind-to none lets each have {len(job) // ranks}" if len(own) < len(job) // ranks else ""
        return f"the launcher bound rank {here.rank} to {spans(own)} of {host}{more}"
    theirs = next((name for name in _BINDING if name in env), None)
    if theirs:
        return f"cores of {host} as {theirs} says"
    if not fair or len(own) < ranks or not hasattr(os, "sched_setaffinity"):
        return f"the {ranks} ranks of {host} share its {len(own)} cores"
    mine = own[here.local_rank * fair:(here.local_rank + 1) * fair]
    os.sched_setaffinity(0, mine)
    return f"each of the {ranks} ranks of {host} has cores of its own, rank {here.rank} {spans(mine)}"


def spans(numbers: list[int]) -> str:
    """Sorted numbers of cores in short: "core 3", "cores 0-3,8"."""
    parts: list[list[int]] = []
    for n in numbers:
        if parts and n == parts[-1][-1] + 1:
            parts[-1].append(n)
        else:
            parts.append([n])
    text = ",".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else str(p[0]) for p in parts)
    return f"core{'s' if len(numbers) > 1 else ''} {text}"


def cores(process: int) -> list[int]:
    """Cores that a process (0: this one; the launcher is the parent) may use, in order."""
    try:
        return sorted(os.sched_getaffinity(process))
    except (AttributeError, OSError):                          # no such call on this system, or no such process any more
        return list(range(os.cpu_count() or 1))


def quiet_blas() -> bool:
    """Lets the OpenBLAS that NumPy has loaded compute in the calling thread alone; False where there is none.

    For engines whose own threads do the work: BLAS's would keep the cores busy while they wait for the next product.
    """
    try:
        with open("/proc/self/maps") as file:
            paths = {line.split(maxsplit=5)[-1].strip() for line in file if "openblas" in line}
    except OSError:                                            # not Linux
        return False
    found = False
    for path in sorted(paths):
        library = ctypes.CDLL(path)
        for name in _SET_BLAS:
            if hasattr(library, name):
                getattr(library, name)(1)
                found = True
    return found
