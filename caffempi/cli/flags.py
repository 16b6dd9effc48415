"""Flags: one table for all verbs, and the reading of a command line in all of Caffe's spellings.

    -solver x      --solver x      -solver=x      --solver=x      --no-pass x      --no_pass x
    --cpu          -cpu=false      -nocpu

Flags may stand before or after the verb. A value may begin with a minus sign (`-level -1`).
"""
from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from inspect import cleandoc
from typing import Any, NamedTuple, NoReturn

from caffempi.cli.verb import VERBS, Verb
from caffempi.errors import UsageError, did_you_mean


class Flag(NamedTuple):
    """kind turns text into the value; many: may be given several times; metavar "" marks a switch (true or false)."""

    help: str
    kind: Callable[[str], Any] = str
    default: Any = None
    metavar: str = "X"
    many: bool = False


def _switch(text: str) -> bool:
    if text.lower() in ("true", "t", "yes", "y", "1"):
        return True
    if text.lower() in ("false", "f", "no", "n", "0"):
        return False
    raise ValueError("must be true or false")


def _whole(low: int, what: str, high: int = 2**31 - 1) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise ValueError(f"must be {what}") from None
        if not low <= value <= high:
            raise ValueError(f"must be {what}")
        return value
    return read


def _real(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ValueError("must be a number, 0 or more")
    return value


def _scale(text: str) -> str | float:
    if text.lower() in ("auto", "dynamic", "none"):
        return text.lower()
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ValueError("must be auto, dynamic, none or a number above 0")
    return value


def _one_of(*values: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        for value in values:
            if text.lower() == value.lower():
                return value
        raise ValueError(f"must be one of {', '.join(values)}")
    return read


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, _, dims = text.partition("=")
    try:
        shape = tuple(int(d) for d in dims.split(","))
    except ValueError:
        shape = (-1,)
    if not name or min(shape) < 0:
        raise ValueError("must be blob=dim,dim,..., such as data=1,3,224,224")
    return name, shape


def _size(text: str) -> int:
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    scale = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}.get(unit)
    try:
        nbytes = int(float(number) * (scale or 0))
    except (ValueError, OverflowError):
        nbytes = 0
    if nbytes < 1:
        raise ValueError("must be a size, such as 500M or 8G")
    return nbytes


_count, _any = _whole(1, "a whole number, 1 or more"), _whole(-2**31, "a whole number")
_threads = _whole(1, "a whole number from 1 to 1024", 1024)    # libraries crash where the system gives them fewer than asked
FLAGS: dict[str, Flag] = {
    "solver": Flag("the solver's prototxt", metavar="FILE"),
    "model": Flag("the net's prototxt", metavar="FILE"),
    "file": Flag("prototxt of a net or a solver", metavar="FILE"),
    "input": Flag("the file that is read", metavar="IN"),
    "output": Flag("the file that is written", metavar="OUT"),
    "weights": Flag("weights to start from: .caffemodel or HDF5 files, parted by commas", metavar="FILES"),
    "weights_on_mismatch": Flag("layers of -weights that do not fit: error, skip them, or reshape blobs of as many elements",
                                _one_of("error", "skip", "reshape"), "error", "error|skip|reshape"),
    "snapshot": Flag("solver state to go on from; not together with -weights", metavar="FILE"),
    "gpu": Flag('GPU to compute on: an index, a list ("0,1": one for each rank of a machine) or "all"', metavar="IDS"),
    "cpu": Flag("compute on the CPU, whatever the solver says", _switch, False, ""),
    "engine": Flag("engine to compute with (default: CAFFEMPI_ENGINE, else the best here)", metavar="NAME"),
    "engines": Flag("two engines, parted by a comma", _names, metavar="A,B"),
    "precision": Flag("what to compute in, where the engine can (default: as the net's text asks, else fp32)",
                      _one_of("fp32", "bf16", "fp16", "tf32"), metavar="fp32|bf16|fp16|tf32"),
    "loss_scale": Flag("what losses are multiplied by, so that gradients of 16 bits do not vanish: a number, dynamic, none, "
                       "or auto (in fp16 as the net's text asks, else dynamic)", _scale, "auto", "auto|dynamic|none|X"),
    "no_pass": Flag("pass of the plan to leave out: prune, accumulate, alias, fuse, layout, memory", metavar="NAME", many=True),
    "threads": Flag("threads of the maths libraries (default: OMP_NUM_THREADS, else the rank's share of cores)", _threads,
                    metavar="N"),
    "import": Flag("Python file (or module) that adds layer types or ops of your own", metavar="FILE", many=True),
    "seed": Flag("seed of fillers, dropout, data order (train: in place of random_seed)",
                 _whole(0, "0 to 2^63 - 1", 2**63 - 1), metavar="N"),
    "batch": Flag("whether batch_size is each rank's, or divided by the ranks", _one_of("per_rank", "global"), "per_rank",
                  "global|per_rank"),
    "allow_unknown": Flag("skip fields that the schema does not have, with a warning", _switch, False, ""),
    "dialect": Flag("fork whose defaults hold where they differ: bvlc, nvcaffe, caffempi2, intel, ssd (default: guessed)",
                    metavar="NAME"),
    "no_data": Flag("take data layers by their shapes alone, even where their data can be read", _switch, False, ""),
    "iterations": Flag("batches to run", _count, 50, "N"),
    "phase": Flag("TRAIN or TEST", _one_of("TRAIN", "TEST"), metavar="PHASE"),
    "level": Flag("level of the net's state", _any, 0, "N"),
    "stage": Flag("stages of the net's state, parted by commas", _names, [], "NAMES"),
    "sigint_effect": Flag("what SIGINT does: stop, snapshot or none", str, "stop", "EFFECT"),
    "sighup_effect": Flag("what SIGHUP does: stop, snapshot or none", str, "snapshot", "EFFECT"),
    "train": Flag("time forward, backward and an SGD update", _switch, False, ""),
    "shape": Flag("shape of an input, such as data=1,3,224,224", _shape, metavar="BLOB=DIMS", many=True),
    "observe": Flag("blobs to observe: all, outputs, or names parted by commas", _names, metavar="BLOBS"),
    "memory": Flag("print what memory the net needs and the largest batch that fits, not the steps", _switch, False, ""),
    "memory_limit": Flag("with --memory: what the batch must fit in, such as 500M or 8G (of 1024; default: what is free)",
                         _size, metavar="SIZE"),
    "epsilon": Flag("largest difference, relative to the largest value", _real, 1e-4, "X"),
    "log_dir": Flag("folder for a log file", metavar="FOLDER"),
    "minloglevel": Flag("log only from this level on: 0 info, 1 warning, 2 error", _whole(0, "0 to 3"), metavar="N"),
    "stderrthreshold": Flag("level that goes to stderr even with -alsologtostderr=0", _whole(0, "0 to 3"), metavar="N"),
    "logtostderr": Flag("log to stderr and to no file", _switch, metavar=""),
    "alsologtostderr": Flag("log to stderr as well as to a file (default: true)", _switch, metavar=""),
    "log_prefix": Flag("begin log lines with level, time, process and place (default: true)", _switch, metavar=""),
    "v": Flag("1: ranks other than 0 log too", _whole(0, "0 or more"), metavar="N"),
}
LOGGING = ("log_dir", "minloglevel", "stderrthreshold", "logtostderr", "alsologtostderr", "log_prefix", "v")
COMMON = ("threads", "import", *LOGGING)
STATE = ("level", "stage")                                     # of a net; phase is separate, since train and test fix it
ENGINE = ("engine", "cpu", "gpu", "precision", "no_pass", "seed", "allow_unknown", "dialect")
_GLOG = ("vmodule", "colorlogtostderr", "logbuflevel", "logbufsecs", "logfile_mode", "log_link", "log_backtrace_at",
         "max_log_size", "stop_logging_if_full_disk", "symbolize_stacktrace", "drop_log_memory", "alsologtoemail",
         "logemaillevel", "logmailer")
_REFUSED = {**dict.fromkeys(_GLOG, "caffempi has no such logging; leave it out"),
            **dict.fromkeys(("flagfile", "fromenv", "tryfromenv", "undefok"), "flags are given on the command line only")}


class Line(NamedTuple):
    """A command line taken apart: its words, and (spelling, name, value) of its flags."""

    words: list[str]
    flags: list[tuple[str, str, str]]


def split_line(argv: Sequence[str]) -> Line:
    """Parts words from flags. Raises UsageError for a flag that no verb has, or that lacks its value."""
    words: list[str] = []
    flags: list[tuple[str, str, str]] = []
    todo = list(argv)
    while todo:
        token = todo.pop(0)
        if not token.startswith("-") or token == "-":
            words.append(token)
            continue
        spelled, given, value = token.partition("=")
        name = spelled.strip("-").replace("-", "_")
        if name in ("h", "help", "helpfull", "version"):
            flags.append((spelled, "help" if name != "version" else name, ""))
            continue
        if name not in FLAGS and name.startswith("no") and name[2:] in FLAGS and not FLAGS[name[2:]].metavar and not given:
            flags.append((spelled, name[2:], "false"))
            continue
        if name not in FLAGS:
            raise UsageError(f"unknown flag {spelled}", fix=_REFUSED.get(name) or _near(name, FLAGS))
        if not given and not FLAGS[name].metavar:
            value = "true"
        elif not given:
            if not todo:
                raise UsageError(f"flag {spelled} needs a value", fix=f"write {spelled}={FLAGS[name].metavar}")
            value = todo.pop(0)
        flags.append((spelled, name, value))
    return Line(words, flags)


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def make_parser(name: str, verb: type[Verb]) -> ArgumentParser:
    """The parser of one verb: defaults, and the text of `caffempi VERB --help`."""
    words = "".join(f" {FLAGS[flag].metavar}" for flag in verb.positional.split())
    parser = _Parser(f"caffempi {name}", f"caffempi {name}{words} [flags]", cleandoc(verb.__doc__ or ""), add_help=False,
                     formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False)
    for flag in (*verb.flags, *COMMON):
        f = FLAGS[flag]
        shown = {"metavar": f.metavar} if f.metavar else {"action": "store_true"}
        parser.add_argument(f"--{flag}", f"-{flag}", default=[] if f.many else f.default, help=f.help, **shown)  # type: ignore[arg-type]
    return parser


def read_flags(name: str, verb: type[Verb], line: Line) -> Namespace:
    """The values of a verb's flags. Raises UsageError for one that the verb does not take, a bad value, a word too much."""
    args = make_parser(name, verb).parse_args([])
    known = (*verb.flags, *COMMON)
    words = line.words[1:]
    flags = list(line.flags)
    for flag in verb.positional.split()[:len(words)]:
        flags.append((flag, flag, words.pop(0)))
    if words:
        raise UsageError(f'{name}: unexpected word "{words[0]}"', fix=f"see caffempi {name} --help")
    seen: set[str] = set()
    for spelled, flag, text in flags:
        if flag not in known:
            takers = [n for n, other in VERBS.items() if flag in other.flags]
            raise UsageError(f"{name} takes no flag {spelled}", fix=_near(flag, known) or f"it belongs to {', '.join(takers)}")
        try:
            value = FLAGS[flag].kind(text)
        except ValueError as e:
            raise UsageError(f"flag {spelled} = {text}: {e}") from None
        if FLAGS[flag].many:
            getattr(args, flag).append(value)
        elif flag in seen and value != getattr(args, flag):
            raise UsageError(f"flag {spelled} is given twice, with different values")
        else:
            setattr(args, flag, value)
        seen.add(flag)
    for flag in verb.required:
        if not getattr(args, flag):
            raise UsageError(f"{name} needs a {flag}", fix=f"give it as --{flag}={FLAGS[flag].metavar}")
    return args


def _near(name: str, known: Sequence[str] | dict[str, Flag]) -> str:
    hint = did_you_mean(name, known)
    for other in known:
        hint = hint.replace(f" {other} ", f" --{other} ").replace(f" {other}?", f" --{other}?")
    return hint
