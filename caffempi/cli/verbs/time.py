"""`caffempi time`: how long a net takes, layer by layer and as a whole."""
from __future__ import annotations

from argparse import Namespace

from caffempi.cli.flags import ENGINE, STATE
from caffempi.cli.verb import VERBS, Verb


@VERBS.register("time")
class Time(Verb):
    """Prints the mean time of each layer's forward and backward, as Caffe does, and in the last line `X ms/iter`: the median
    over -iterations of a forward run, or with --train of forward, backward and an SGD update. The phase is TEST, with
    --train TRAIN, unless -phase says otherwise.

    Ops run fused and in shared memory, as in training. Input layers get random numbers, and labels among them random
    classes; a data layer reads its data, or where that is missing becomes an Input layer of the shape that its text (or
    --shape) gives.
    """

    summary = "times a net, layer by layer and as a whole"
    flags = ("model", "weights", "weights_on_mismatch", "train", "iterations", "phase", *STATE, "shape", *ENGINE)
    positional = "model"
    required = ("model",)

    def run(self, args: Namespace) -> int:
        """0."""
        from caffempi.cli import inputs, timing
        from caffempi.cli.device import choose_engine
        from caffempi.cli.log import note, say
        from caffempi.net import TEST, TRAIN, Net
        phase = TRAIN if (args.phase or ("TRAIN" if args.train else "TEST")) == "TRAIN" else TEST
        p = inputs.prepare(args.model, phase, args.level, args.stage, dict(args.shape), keep_data=True,
                           allow_unknown=args.allow_unknown)
        seed = 0 if args.seed is None else args.seed
        net = Net(p.message, phase, args.level, args.stage, places=p.places, engine=choose_engine(args), optimised=True,
                  precision=args.precision, no_pass=args.no_pass, seed=seed, dialect=args.dialect)
        try:
            for line in p.notes:
                note(line)
            for path in (args.weights or "").split(",") if args.weights else []:
                for line in net.copy_from(path.strip(), args.weights_on_mismatch):
                    note(line)
            inputs.fill_inputs(net, seed)
            run = timing.iteration_of(net, args.train)
            note("Performing Forward")
            note(f"Initial loss: {net.run_forward():.6g}")
            run()
            note("*** Benchmark begins ***")
            note(f"Testing for {args.iterations} iterations.")
            forward, backward = timing.profile(net, args.iterations)
            median = timing.median_ms(run, args.iterations)
            for line in timing.lines(net, forward, backward, args.iterations):
                say(line)
            note("*** Benchmark ends ***")
            say("Median of " + ("forward, backward and update:" if args.train else "forward:"))
            say(f"{timing.number(median)} ms/iter")
        finally:
            net.close()
        return 0
