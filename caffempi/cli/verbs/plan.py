"""`caffempi plan`: what a net becomes before it runs."""
from __future__ import annotations

from argparse import Namespace

from caffempi.cli.flags import ENGINE, STATE
from caffempi.cli.verb import VERBS, Verb
from caffempi.errors import UsageError


@VERBS.register("plan")
class Plan(Verb):
    """Prints the steps that a net runs (forward, then backward; in phase TEST forward alone) with the engine, shapes, work and
    bytes of each, the memory that they need, and what each pass did. With --memory, in place of the steps: what the memory is
    for, when most of it is in use and by what, and the largest batch that fits; a solver's history counts as one array as
    large as the params, as SGD with momentum has, batches that are read ahead not at all. Outputs alone are observed, as in
    training, unless --observe says otherwise. Needs no data: data layers have the shapes that their source, their text or
    --shape gives.
    """

    summary = "prints the table of steps of a net"
    flags = ("model", "phase", *STATE, "observe", "shape", "memory", "memory_limit", *ENGINE)
    positional = "model"
    required = ("model",)

    def run(self, args: Namespace) -> int:
        """0."""
        from caffempi.cli import inputs
        from caffempi.cli.device import choose_engine
        from caffempi.cli.log import note, say
        from caffempi.cli.memory import memory_lines
        from caffempi.net import TEST, TRAIN, Net
        from caffempi.plan.table import plan_table
        if args.memory_limit is not None and not args.memory:
            raise UsageError("--memory_limit goes with --memory")
        phase = TEST if args.phase == "TEST" else TRAIN
        p = inputs.prepare(args.model, phase, args.level, args.stage, dict(args.shape), allow_unknown=args.allow_unknown)
        for line in p.notes:
            note(line)
        with_all = args.observe == ["all"]
        named = None if with_all or args.observe in (None, ["outputs"]) else args.observe
        net = Net(p.message, phase, args.level, args.stage, places=p.places, engine=choose_engine(args),
                  optimised=not with_all, observe=named, precision=args.precision, no_pass=args.no_pass, seed=args.seed or 0,
                  dialect=args.dialect, forward_only=phase == TEST, updated=phase == TRAIN)
        try:
            engine = net.plan.engine
            say(f"{net.name or args.model}: engine {engine.name}, precision {engine.precision}, digest {net.digest[:16]}")
            for line in memory_lines(net, args.memory_limit) if args.memory else plan_table(net.binding):
                say(line)
        finally:
            net.close()
        return 0
