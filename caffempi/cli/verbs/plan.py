"""`caffempi plan`: what a net becomes before it runs."""
from __future__ import annotations

from argparse import Namespace

from caffempi.cli.flags import ENGINE, STATE
from caffempi.cli.verb import VERBS, Verb


@VERBS.register("plan")
class Plan(Verb):
    """Prints the steps that a net runs (forward, then backward) with the engine, shapes, work and bytes of each, the memory
    that they need, and what each pass did. Outputs alone are observed, as in training, unless --observe says otherwise.
    Needs no data: data layers have the shapes that their source, their text or --shape gives.
    """

    summary = "prints the table of steps of a net"
    flags = ("model", "phase", *STATE, "observe", "shape", *ENGINE)
    positional = "model"
    required = ("model",)

    def run(self, args: Namespace) -> int:
        """0."""
        from caffempi.cli import inputs
        from caffempi.cli.device import choose_engine
        from caffempi.cli.log import note, say
        from caffempi.net import TEST, TRAIN, Net
        from caffempi.plan.table import plan_table
        phase = TEST if args.phase == "TEST" else TRAIN
        p = inputs.prepare(args.model, phase, args.level, args.stage, dict(args.shape), allow_unknown=args.allow_unknown)
        for line in p.notes:
            note(line)
        with_all = args.observe == ["all"]
        named = None if with_all or args.observe in (None, ["outputs"]) else args.observe
        net = Net(p.message, phase, args.level, args.stage, places=p.places, engine=choose_engine(args),
                  optimised=not with_all, observe=named, precision=args.precision, no_pass=args.no_pass, seed=args.seed or 0,
                  dialect=args.dialect)
        try:
            engine = net.plan.engine
            say(f"{net.name or args.model}: engine {engine.name}, precision {engine.precision}, digest {net.digest[:16]}")
            for line in plan_table(net.binding):
                say(line)
        finally:
            net.close()
        return 0
