"""`caffempi test`: scores a net with given weights over batches of its own data."""
from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from caffempi.cli.flags import ENGINE, STATE
from caffempi.cli.verb import VERBS, Verb, import_plugins
from caffempi.place import place

if TYPE_CHECKING:
    from caffempi.net import Net
    from caffempi.solver.exchange import Exchange
    from caffempi.solver.testing import Scores


@VERBS.register("test")
class Test(Verb):
    """Runs the TEST phase of a net over -iterations batches and prints each output of each batch, then the mean loss and the
    mean of each output. Under mpirun the ranks share the batches, with the same result.
    """

    summary = "scores a net with given weights"
    flags = ("model", "weights", "weights_on_mismatch", "iterations", *STATE, *ENGINE)
    positional = "model"
    required = ("model", "weights")
    ranks = True

    def run(self, args: Namespace) -> int:
        """0; errors end all ranks."""
        from caffempi.exchange.guard import together
        from caffempi.exchange.launch import make_exchange
        exchange = make_exchange()
        with together(exchange):
            test(args, exchange)
        return 0


def test(args: Namespace, exchange: Exchange) -> None:
    """Builds the net with its weights, runs it, prints."""
    from caffempi.cli.device import choose_engine
    from caffempi.cli.log import note, say
    from caffempi.net import TEST, Net
    from caffempi.solver.report import number
    from caffempi.solver.testing import run_test

    import_plugins(args)
    engine = choose_engine(args, place().local_rank)
    net = Net(args.model, TEST, args.level, args.stage, engine=engine, optimised=True, precision=args.precision,
              no_pass=args.no_pass, seed=0 if args.seed is None else args.seed, rank=exchange.rank, ranks=exchange.size,
              forward_only=True, allow_unknown=args.allow_unknown, dialect=args.dialect)
    try:
        for line in net.notes:
            note(line)
        for path in args.weights.split(","):
            for line in net.copy_from(path.strip(), args.weights_on_mismatch):
                note(line)
        note(f"Running for {args.iterations} iterations.")

        def each(batch: int, scores: Scores) -> None:
            for name, values in scores.outputs.items():
                for value in values.reshape(-1):
                    say(f"Batch {batch}, {name} = {number(value)}")
        scores = run_test(net, args.iterations, exchange, each=each)
        assert scores is not None                              # nobody asks for a stop here
        say(f"Loss: {number(scores.loss)}")
        for line in summary(net, scores):
            say(line)
    finally:
        net.close()


def summary(net: Net, scores: Scores) -> list[str]:
    """One line an output value: its mean, and of losses their share of the whole."""
    from caffempi.solver.report import number
    lines = []
    for name, values in scores.outputs.items():
        weight = net.blob_loss_weights[name]
        for value in values.reshape(-1):
            loss = f" (* {number(weight)} = {number(weight * float(value))} loss)" if weight else ""
            lines.append(f"{name} = {number(value)}{loss}")
    return lines
