"""`caffempi check`: what is wrong, or odd, in a net or a solver, found without its data."""
from __future__ import annotations

from argparse import Namespace

from caffempi.cli.flags import STATE
from caffempi.cli.verb import VERBS, Verb
from caffempi.errors import UsageError


@VERBS.register("check")
class Check(Verb):
    """Prints every problem of a net or a solver (told apart by their fields) that shows without data, one a line:
    FILE:LINE: error or warning: what and how to mend it. A net is checked in both phases, or in that of -phase; a solver
    with the nets that it names. The exit code is 1 if there is an error.

    Where a data source is missing, shapes come from the text (batch_size with crop_size, or new_height and new_width) or
    from --shape; where nobody knows them, what depends on them is not checked, and a warning says so.
    """

    summary = "finds all problems of a net or solver that need no data"
    flags = ("file", "phase", *STATE, "shape", "no_data", "allow_unknown")
    positional = "file"
    required = ("file",)

    def run(self, args: Namespace) -> int:
        """0 where there is no error, 1 where there is one."""
        from caffempi.cli.check_net import check_net_file
        from caffempi.cli.check_solver import check_solver_file
        from caffempi.cli.log import say
        from caffempi.cli.problems import Problems
        from caffempi.cli.which import is_solver
        problems, shapes = Problems(), dict(args.shape)
        if is_solver(args.file):
            what = "solver"
            if args.phase or args.level or args.stage:
                raise UsageError(f"{args.file} is a solver, which says itself in which states its nets are built",
                                 fix="give -phase, -level and -stage with a net")
            check_solver_file(args.file, shapes, problems, args.allow_unknown, args.no_data)
        else:
            what = "net"
            phases = [args.phase] if args.phase else ["TRAIN", "TEST"]
            check_net_file(args.file, phases, args.level, args.stage, shapes, problems, args.allow_unknown, args.no_data)
        for line in problems.lines():
            say(line)
        say(f"{args.file}: a {what} with {problems.errors} error(s) and {problems.warnings} warning(s)")
        return 1 if problems.errors else 0
