"""From -gpu, --cpu, --engine and the solver's solver_mode to the name of an engine."""
from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import MutableMapping

from caffempi.engines.choose import CPU, make_engine
from caffempi.engines.cuda.driver import listed, see_only, visible_gpus
from caffempi.errors import EngineError, UsageError

_GPU = "cuda"


def choose_engine(args: Namespace, local_rank: int = 0, mode: str | None = None) -> str | None:
    """The engine to ask for; None: the best here. mode: solver_mode as the text gives it, "CPU", "GPU" or None.

    --engine names one; -gpu wants the GPU's, and raises EngineError where it does not work here; --cpu, or else
    solver_mode CPU, the best that computes on the CPU. CAFFEMPI_ENGINE wins over solver_mode. solver_mode GPU is a wish:
    without a GPU the best engine does the work (and the solver says so). Raises UsageError for flags that exclude each other.
    """
    given = [flag for flag, value in (("--engine", args.engine), ("-gpu", args.gpu), ("--cpu", args.cpu)) if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other", fix="keep one of them")
    free = not (args.engine or args.gpu or args.cpu)
    wish = os.environ.get("CAFFEMPI_ENGINE") if free else args.engine
    if args.gpu:
        pick_gpu(args.gpu, local_rank, os.environ)
        try:
            make_engine(_GPU)
        except EngineError as e:
            raise EngineError(f"-gpu {args.gpu}: no GPU engine works here: {e}; or leave -gpu out") from None
        return _GPU
    if args.cpu or (not wish and mode == "CPU"):
        return CPU
    if local_rank and (wish == _GPU or (not wish and listed())):   # ranks of a machine take a GPU each; the first has its first
        count = listed()
        ids = "all" if os.environ.get("CUDA_VISIBLE_DEVICES") or not count else ",".join(map(str, range(count)))
        pick_gpu(ids, local_rank, os.environ)
    return args.engine


def refuse_idle_gpus(ids: str | None, local_size: int, command: str) -> None:
    """Raises UsageError where -gpu names more GPUs than this machine has ranks, with the line that starts enough of them:
    a process computes on one GPU."""
    named = [part for part in (ids or "").replace(",", " ").split() if part]
    if len(named) > max(1, local_size):
        processes = "1 process" if local_size == 1 else f"{local_size} processes"
        raise UsageError(f"-gpu {ids} names {len(named)} GPUs, and {processes} would train here",
                         fix=f"start one for each: mpirun -n {len(named)} {command}")


def pick_gpu(ids: str, local_rank: int, env: MutableMapping[str, str]) -> None:
    """Makes this process see one GPU: of a list, or of "all", the one of its place among the machine's ranks.

    ids count the GPUs that CUDA_VISIBLE_DEVICES leaves. Raises UsageError for a list that cannot be read or obeyed.
    """
    visible = visible_gpus(env)
    wanted = [part for part in ids.replace(",", " ").split() if part]
    if wanted == ["all"]:
        wanted = [str(i) for i in range(len(visible))] or [str(local_rank)]
    if not wanted or not all(part.isdigit() for part in wanted):
        raise UsageError(f"-gpu {ids}: this is no list of GPUs", fix='give indices such as 0 or 0,1, or "all"')
    see_only(int(wanted[local_rank % len(wanted)]), env)
