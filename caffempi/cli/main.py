"""`caffempi VERB ...`: finds the verb, reads its flags, runs it, and turns what goes wrong into one line and an exit code.

Exit codes:
    0    done
    1    an error: a file, net, solver, database, weights, engine or rank is at fault, or the program is;
         also `check` with an error among its findings, and `compare` with a difference
    2    a command line that cannot be obeyed
    130  interrupted (SIGINT where it does not mean stop or snapshot)
    141  whoever read the output is gone
"""
from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

from caffempi import __version__, threads
from caffempi.cli.flags import Line, make_parser, read_flags, split_line
from caffempi.cli.verb import VERBS, import_plugins
from caffempi.errors import CaffempiError, UsageError
from caffempi.place import place
from caffempi.registry import import_all

_EPILOG = __doc__.split("\n\n", 1)[1].rstrip()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (default: the process's own) and returns its exit code; prints at most one line on an error."""
    _open_missing_streams()
    import_all("caffempi.cli.verbs")
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except CaffempiError as e:
        _say(f"{e.trace}caffempi: {e}")
        return e.exit_code
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 0 if e.code is None else 1
    except KeyboardInterrupt:
        _say("caffempi: interrupted")
        return 130
    except BrokenPipeError:
        _drop_output()
        return 141
    except MemoryError as e:
        _say(f"caffempi: not enough memory{': ' if str(e) else ''}{e}; use a smaller batch_size or a smaller --shape")
        return 1
    except Exception:
        traceback.print_exc()
        _say("caffempi: this is a fault of the program; please report it with the lines above")
        return 1


def _run(argv: Sequence[str]) -> int:
    """Where this process is one of many, a bad command line is the same on all ranks: rank 0 alone tells of it and fails
    (a launcher ends all ranks when the first one fails), and where no other rank is needed, they leave at once."""
    try:
        line = split_line(argv)
        asked = {name for _, name, _ in line.flags}
        if "version" in asked or "help" in asked:
            if place().rank == 0:
                print(f"caffempi version {__version__}" if "version" in asked else help_text(line))
            return 0
        if not line.words:
            raise UsageError("no verb is given", fix=f"known: {', '.join(VERBS.names())}; see caffempi --help")
        name = line.words[0].replace("-", "_")
        verb = VERBS.get(name)
        args = read_flags(name, verb, line)
    except UsageError:
        if place().rank == 0:
            raise
        return 0
    mine = threads.take_share(args.threads)
    rank = place().rank
    if rank and not verb.ranks:
        return 0
    from caffempi.cli.log import logging_to, note
    with logging_to(args, rank):
        if mine.note and verb.ranks:
            note(mine.note)
        if not verb.ranks:
            import_plugins(args)
        return verb().run(args)


def help_text(line: Line) -> str:
    """The help of the verb that the line names, else of the program. Raises UsageError for an unknown verb."""
    if not line.words:
        return overview()
    name = line.words[0].replace("-", "_")
    parser = make_parser(name, VERBS.get(name))
    parser.epilog = _EPILOG
    return parser.format_help().rstrip()


def overview() -> str:
    """The text of `caffempi --help`: all verbs with their summaries, and the exit codes."""
    width = max(map(len, VERBS.names()))
    verbs = "\n".join(f"    {name:{width}}  {verb.summary}" for name, verb in VERBS.items())
    return (f"usage: caffempi VERB [flags]\n\n{verbs}\n\ncaffempi VERB --help lists a verb's flags; each may be spelled "
            f"-flag x, -flag=x, --flag x or --flag=x.\nOver several processes: mpirun -n N caffempi train ...\n\n{_EPILOG}")


def _open_missing_streams() -> None:
    """Started with stdout or stderr closed, Python has None there; what is written then goes nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (stays open as long as the process)


def _drop_output() -> None:
    """Lets the interpreter's last flush of stdout, whose reader is gone, succeed."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):                              # stdout is no file: nothing to be flushed into one
        return


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
