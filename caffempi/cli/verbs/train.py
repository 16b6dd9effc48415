"""`caffempi train`: trains a solver's nets, on one process or, under mpirun, on many."""
from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from caffempi.cli.flags import ENGINE, STATE
from caffempi.cli.verb import VERBS, Verb
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
    flags = ("solver", "weights", "snapshot", *STATE, "sigint_effect", "sighup_effect", "batch", *ENGINE)
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
    """Wires exchange, signals and solver together, and solves."""
    from caffempi.cli.device import choose_engine
    from caffempi.cli.log import note
    from caffempi.proto.caffe_pb2 import SolverParameter
    from caffempi.proto.text import read_solver
    from caffempi.solver.signals import SignalWatch
    from caffempi.solver.solver import Solver

    if args.weights and args.snapshot:
        raise UsageError("-snapshot and -weights exclude each other: a state names its own weights", fix="give one of them")
    with SignalWatch(args.sigint_effect, args.sighup_effect) as watch:
        param, _ = read_solver(args.solver, allow_unknown=args.allow_unknown)
        mode = SolverParameter.SolverMode.Name(param.solver_mode) if param.HasField("solver_mode") else None
        engine = choose_engine(args, place().local_rank, mode)
        solver = Solver(args.solver, engine=engine, optimised=True, no_pass=args.no_pass, level=args.level,
                        stages=args.stage, weights=[args.weights] if args.weights else None, exchange=exchange,
                        batch=args.batch, requests=watch, progress=True, allow_unknown=args.allow_unknown, seed=args.seed)
        try:
            note("Starting Optimization")
            solver.solve(args.snapshot)
        finally:
            solver.close()
