"""Command lines in all of Caffe's spellings."""
import pytest

from caffempi.cli.flags import FLAGS, make_parser, read_flags, split_line
from caffempi.cli.verb import VERBS
from caffempi.errors import UsageError
from caffempi.registry import import_all

import_all("caffempi.cli.verbs")


def read(*argv):
    line = split_line(argv)
    return read_flags(line.words[0], VERBS.get(line.words[0]), line)


@pytest.mark.parametrize("argv", [
    [*before, "train", *after] for words in (["-solver", "s"], ["--solver", "s"], ["-solver=s"], ["--solver=s"])
    for before, after in (([], words), (words, []))] + [["train", "s"]], ids=" ".join)
def test_all_spellings_mean_the_same(argv):
    assert read(*argv).solver == "s"


@pytest.mark.parametrize("words, name, value", [
    (["-level", "-1"], "level", -1),
    (["-stage", "a,b"], "stage", ["a", "b"]),
    (["-stage="], "stage", []),
    (["--no-pass", "fuse", "-no_pass=alias"], "no_pass", ["fuse", "alias"]),
    (["--cpu"], "cpu", True), (["-cpu=false"], "cpu", False), (["-nocpu"], "cpu", False), ([], "cpu", False),
    (["--allow-unknown"], "allow_unknown", True),
    (["--batch", "GLOBAL"], "batch", "global"), ([], "batch", "per_rank"),
    (["--threads=3"], "threads", 3), ([], "threads", None),
    (["-sigint_effect=none"], "sigint_effect", "none"), ([], "sigint_effect", "stop"), ([], "sighup_effect", "snapshot"),
    (["-weights", "a.caffemodel,b.h5"], "weights", "a.caffemodel,b.h5"),
    (["-gpu", "0,1"], "gpu", "0,1"),
    (["-alsologtostderr=1"], "alsologtostderr", True), (["-logtostderr"], "logtostderr", True),
    (["-minloglevel", "1", "-minloglevel=1"], "minloglevel", 1),
])
def test_values(words, name, value):
    assert getattr(read("train", "-solver", "s", *words), name) == value


def test_shapes_are_given_by_blob():
    assert read("time", "-model", "m", "--shape", "data=1,3,4,5", "-shape=label=1").shape == [
        ("data", (1, 3, 4, 5)), ("label", (1,))]


@pytest.mark.parametrize("argv, words", [
    (["train", "-solvr", "x"], r"unknown flag -solvr; did you mean --solver\?"),
    (["train", "-solver"], "flag -solver needs a value; write -solver=FILE"),
    (["train"], "train needs a solver; give it as --solver=FILE"),
    (["train", "-solver="], "train needs a solver"),
    (["train", "s", "-iterations", "3"], "train takes no flag -iterations; it belongs to test, time"),
    (["test", "m", "-weights", "w", "-iterations", "0"], "flag -iterations = 0: must be a whole number, 1 or more"),
    (["test", "m", "-weights", "w", "-iterations", "ten"], "must be a whole number"),
    (["time", "m", "-phase", "TRIAN"], "flag -phase = TRIAN: must be one of TRAIN, TEST"),
    (["time", "m", "--shape", "data"], "must be blob=dim,dim"),
    (["train", "s", "--batch", "both"], "must be one of per_rank, global"),
    (["train", "s", "--cpu=maybe"], "must be true or false"),
    (["compare", "m", "--epsilon", "-1"], "must be a number, 0 or more"),
    (["train", "s", "-level", "1", "-level", "2"], "given twice, with different values"),
    (["train", "a", "b"], 'unexpected word "b"'),
    (["train", "s", "--threads", "0"], "from 1 to 1024"), (["time", "m", "--threads", "100000"], "from 1 to 1024"),
    (["train", "s", "-vmodule=a=1"], "caffempi has no such logging"),
    (["train", "s", "-flagfile=f"], "on the command line only"),
    (["test", "m"], "test needs a weights"),
])
def test_what_cannot_be_obeyed_is_one_clear_line(argv, words):
    with pytest.raises(UsageError, match=words) as e:
        read(*argv)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("name", VERBS.names())
def test_each_verb_takes_flags_that_exist_and_tells_them_in_its_help(name):
    verb = VERBS.get(name)
    text = make_parser(name, verb).format_help()
    for flag in verb.flags:
        assert f"--{flag}" in text and FLAGS[flag].help
    assert set(verb.required) <= set(verb.flags)
    assert verb.summary and verb.__doc__


def test_the_precisions_are_those_that_there_are():
    from caffempi.engines.base import PRECISIONS
    assert FLAGS["precision"].metavar.split("|") == list(PRECISIONS) == [FLAGS["precision"].kind(p.upper()) for p in PRECISIONS]
