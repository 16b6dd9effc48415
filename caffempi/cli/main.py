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
from caffempi.cli.verb import VERBS
from caffempi.errors import CaffempiError, UsageError
from caffempi.registry import import_all

_EPILOG = __doc__.split("\n\n", 1)[1].rstrip()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (default: the process's own) and returns its exit code; prints at most one line on an error.

    Where this process is one of many, only rank 0 says what is wrong with the command line.
    """
    import_all("caffempi.cli.verbs")
    try:
        code = _run(split_line(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except CaffempiError as e:
        if not isinstance(e, UsageError) or _rank() == 0:
            _say(f"caffempi: {e}")
        return e.exit_code
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 0 if e.code is None else 1
    except KeyboardInterrupt:
        _say("caffempi: interrupted")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the interpreter's last flush succeeds
        return 141
    except MemoryError as e:
        _say(f"caffempi: not enough memory{': ' if str(e) else ''}{e}; use a smaller batch_size or a smaller --shape")
        return 1
    except Exception:
        traceback.print_exc()
        _say("caffempi: this is a fault of the program; please report it with the lines above")
        return 1


def _run(line: Line) -> int:
    asked = {name for _, name, _ in line.flags}
    if "version" in asked:
        print(f"caffempi version {__version__}")
        return 0
    if not line.words and "help" in asked:
        print(overview())
        return 0
    if not line.words:
        raise UsageError("no verb is given", fix=f"known: {', '.join(VERBS.names())}; see caffempi --help")
    name = line.words[0].replace("-", "_")
    verb = VERBS.get(name)
    if "help" in asked:
        parser = make_parser(name, verb)
        parser.epilog = _EPILOG
        print(parser.format_help().rstrip())
        return 0
    args = read_flags(name, verb, line)
    threads.limit_threads(args.threads)
    rank = _rank()
    if rank and not verb.ranks:
        return 0
    from caffempi.cli.log import logging_to
    with logging_to(args, rank):
        return verb().run(args)


def overview() -> str:
    """The text of `caffempi --help`: all verbs with their summaries, and the exit codes."""
    width = max(map(len, VERBS.names()))
    verbs = "\n".join(f"    {name:{width}}  {verb.summary}" for name, verb in VERBS.items())
    return (f"usage: caffempi VERB [flags]\n\n{verbs}\n\ncaffempi VERB --help lists a verb's flags; each may be spelled "
            f"-flag x, -flag=x, --flag x or --flag=x.\nOver several processes: mpirun -n N caffempi train ...\n\n{_EPILOG}")


def _rank() -> int:
    from caffempi.exchange.launch import place
    return place().rank


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
