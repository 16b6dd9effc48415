"""`caffempi compare`: runs a net in two ways and names the first layer whose numbers differ."""
from __future__ import annotations

from argparse import Namespace
from typing import Any

from caffempi.cli.flags import STATE
from caffempi.cli.verb import VERBS, Verb
from caffempi.errors import UsageError


@VERBS.register("compare")
class Compare(Verb):
    """Runs a net forward and backward in two ways, with the same random inputs and params, and prints the largest difference
    of each array and the first layer that differs by more than --epsilon, relative to the array's largest value. The exit
    code is then 1.

    The first way is the first of --engines with every blob observed. The second is the second of --engines (else the same),
    with the blobs of --observe observed (default: all of them if two engines are given, else outputs alone, as in training)
    and the passes of --no-pass left out. Data layers become inputs of the shape that their source, text or --shape gives.
    """

    summary = "runs a net in two ways and names the first layer that differs"
    flags = ("model", "engines", "observe", "no_pass", "weights", "weights_on_mismatch", "phase", *STATE, "shape", "epsilon",
             "seed", "allow_unknown", "dialect")
    positional = "model"
    required = ("model",)

    def run(self, args: Namespace) -> int:
        """1 where there is a difference, else 0."""
        from caffempi.cli import comparing, inputs
        from caffempi.cli.log import note, say
        from caffempi.net import TEST, TRAIN, Net
        from caffempi.plan.table import align
        engines = args.engines or [None]
        if len(engines) > 2:
            raise UsageError(f"--engines={','.join(engines)}: two engines at most can be compared")
        observe = args.observe or (["all"] if len(engines) == 2 or args.no_pass else ["outputs"])
        phase = TEST if args.phase == "TEST" else TRAIN
        p = inputs.prepare(args.model, phase, args.level, args.stage, dict(args.shape), allow_unknown=args.allow_unknown)
        for line in p.notes:
            note(line)
        seed = args.seed or 0

        def build(engine: str | None, **options: Any) -> Net:
            net = Net(p.message, phase, args.level, args.stage, places=p.places, engine=engine, seed=seed,
                      dialect=args.dialect, **options)
            for path in args.weights.split(",") if args.weights else ():
                net.copy_from(path.strip(), args.weights_on_mismatch)
            inputs.fill_inputs(net, seed)
            return net
        watched: dict[str, Any] = {} if observe == ["all"] else {"observe": [] if observe == ["outputs"] else observe}
        first, second = build(engines[0]), build(engines[-1], no_pass=args.no_pass, **watched)
        try:
            found = list(comparing.compare(first, second))
        finally:
            first.close()
            second.close()
        rows = [("layer", "array", "of", "largest", "relative", "")]
        rows += [(d.layer, d.what, d.name, f"{d.largest:.3g}", f"{d.relative:.3g}",
                  "" if d.relative <= args.epsilon else "differs") for d in found]
        for line in align(rows, right={3, 4}):
            say(line)
        line, differs = comparing.verdict(found, args.epsilon)
        say(f"{first.plan.engine.name} against {second.plan.engine.name}, {' '.join(observe)} observed: {line}")
        return int(differs)
