"""`caffempi train`: trains a solver's nets, on one process or, under mpirun, on many."""
from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from caffempi.cli.flags import ENGINE, STATE
from caffempi.cli.verb import VERBS, Verb, import_plugins
from caffempi.errors import UsageError
from caffempi.place import place

if TYPE_CHECKING:
    from caffempi.solver.exchange import Exchange


@VERBS.register("train")
class Train(Verb):
    """Trains the net of a solver up to max_iter: from the start, from weights (-weights), or on from a solver state
    (-snapshot). Log lines are Caffe's. SIGINT and SIGTERM finish the iteration and write a snapshot; training goes on from
    it to the bits of a run that was never stopped.
    """

    summary = "trains the net of a solver"
    flags = ("solver", "weights", "weights_on_mismatch", "snapshot", *STATE, "sigint_effect", "sighup_effect", "batch", *ENGINE,
             "loss_scale")
    positional = "solver"
    required = ("solver",)
    ranks = True

    def run(self, args: Namespace) -> int:
        """0 where the training came to its end or was stopped by a signal; errors end all ranks."""
        from caffempi.exchange.guard import together
        from caffempi.exchange.launch import make_exchange
        exchange = make_exchange()
        with together(exchange):
            train(args, exchange)
        return 0


def train(args: Namespace, exchange: Exchange) -> None:
    """Wires exchange, signals and solver together, and solves; of a file of several phases, one after another."""
    from caffempi.cli.device import choose_engine, refuse_idle_gpus
    from caffempi.cli.log import note
    from caffempi.proto.caffe_pb2 import SolverParameter
    from caffempi.solver.phases import has_phases, phase_of, read_phases
    from caffempi.solver.settings import Settings
    from caffempi.solver.signals import SignalWatch
    from caffempi.solver.solver import Solver

    import_plugins(args)
    refuse_idle_gpus(args.gpu, place().local_size, f"caffempi train {args.solver} -gpu {args.gpu}")
    if args.weights and args.snapshot:
        raise UsageError("-snapshot and -weights exclude each other: a state names its own weights", fix="give one of them")
    with SignalWatch(args.sigint_effect, args.sighup_effect) as watch:
        read: dict[str, Any] = {"allow_unknown": args.allow_unknown, "level": args.level, "stages": args.stage,
                                "seed": args.seed, "dialect": args.dialect}
        several = has_phases(args.solver)
        phases = read_phases(args.solver, **read) if several else [Settings(args.solver, **read)]
        weights, state = [args.weights] if args.weights else None, args.snapshot
        for settings in phases[phase_of(state, phases) if several and state else 0:]:
            p = settings.param
            mode = SolverParameter.SolverMode.Name(p.solver_mode) if p.HasField("solver_mode") else None
            solver = Solver(settings, engine=choose_engine(args, place().local_rank, mode), optimised=True,
                            precision=args.precision, loss_scale=args.loss_scale, no_pass=args.no_pass,
                            weights=() if state else weights, weights_on_mismatch=args.weights_on_mismatch,
                            exchange=exchange, batch=args.batch, requests=watch, progress=True)
            try:
                note("Starting Optimization")
                if not solver.solve(state):
                    return
            finally:
                solver.close()
            weights = state = None                             # further phases start from the one before
