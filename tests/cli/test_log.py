"""Log lines in glog's form, and where they go."""
import logging
import re
from argparse import Namespace

import pytest

from caffempi.cli.flags import LOGGING
from caffempi.cli.log import logging_to, note, say, settings, warn
from caffempi.errors import UsageError

LINE = re.compile(r"^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ test_log\.py:\d+\] (.*)$")


def args(**given):
    return Namespace(**(dict.fromkeys(LOGGING) | given))


def told(capsys, rank=0, **given):
    with logging_to(args(**given), rank):
        note("one")
        warn("two")
        say("three")
    out, err = capsys.readouterr()
    return out.splitlines(), err.splitlines()


def test_lines_have_glogs_form_and_results_are_plain(capsys, folder):
    out, err = told(capsys)
    assert out == ["three"]
    assert [LINE.match(line).groups() for line in err] == [("I", "one"), ("W", "two")]


@pytest.mark.parametrize("given, shown", [
    ({"minloglevel": 1}, ["two"]), ({"minloglevel": 2}, []), ({"minloglevel": 9}, []),
    ({"alsologtostderr": False}, []), ({"alsologtostderr": False, "stderrthreshold": 1}, ["two"]),
    ({"alsologtostderr": False, "logtostderr": True}, ["one", "two"]),
])
def test_levels(capsys, folder, given, shown):
    out, err = told(capsys, **given)
    assert out == ["three"]
    assert [LINE.match(line)[2] for line in err] == shown


def test_the_prefix_can_be_left_out(capsys, folder):
    assert told(capsys, log_prefix=False)[1] == ["one", "two"]


@pytest.mark.parametrize("v, shown", [(None, []), (0, []), (1, ["rank 3: one", "rank 3: two"])])
def test_other_ranks_log_only_when_asked_and_print_no_results(capsys, folder, v, shown):
    out, err = told(capsys, rank=3, v=v)
    assert out == []
    assert [LINE.match(line)[2] for line in err] == shown


def test_a_file_gets_everything_and_begins_as_glogs_do(capsys, folder):
    told(capsys, log_dir=str(folder))
    (path,) = folder.glob("caffempi.*.log.INFO.*")
    lines = path.read_text().splitlines()
    assert re.match(r"Log file created at: \d{4}/\d\d/\d\d \d\d:\d\d:\d\d$", lines[0])
    assert [LINE.match(line).groups() for line in lines[3:]] == [("I", "one"), ("W", "two"), ("I", "three")]


def test_logtostderr_means_no_file(capsys, folder):
    told(capsys, log_dir=str(folder), logtostderr=True)
    assert not list(folder.glob("caffempi.*"))


def test_a_folder_that_is_not_there_is_an_error(folder):
    with pytest.raises(UsageError, match="-log_dir = nowhere: no log file can be written there"), logging_to(
            args(log_dir="nowhere"), 0):
        pass


def test_the_environment_counts_where_no_flag_is_given():
    env = {"GLOG_minloglevel": "2", "GLOG_logtostderr": "1", "GLOG_log_dir": "x"}
    found = settings(args(minloglevel=0), env)
    assert (found["minloglevel"], found["logtostderr"], found["log_dir"]) == (0, True, "x")
    with pytest.raises(UsageError, match="GLOG_v = loud: must be 0 or more"):
        settings(args(), {"GLOG_v": "loud"})


def test_everything_is_as_before_afterwards(folder):
    logger = logging.getLogger("caffempi")
    before = logger.level, logger.propagate, list(logger.handlers)
    with logging_to(args(log_dir=str(folder)), 0):
        assert logger.handlers != before[2]
    assert (logger.level, logger.propagate, logger.handlers) == before


def test_a_training_survives_the_end_of_its_terminal(folder, monkeypatch):
    class Gone:
        def write(self, text):
            raise BrokenPipeError
    monkeypatch.setattr("sys.stderr", Gone())
    with logging_to(args(), 0):
        note("nobody reads this")


def test_results_want_a_reader(folder, monkeypatch):
    class Gone:
        def write(self, text):
            raise BrokenPipeError
    monkeypatch.setattr("sys.stdout", Gone())
    with logging_to(args(), 0), pytest.raises(BrokenPipeError):
        say("nobody reads this")


def test_what_the_terminal_cannot_show_is_shown_as_an_escape(capsys, folder):
    with logging_to(args(log_dir=str(folder)), 0):
        say("name \udcff")
        note("name \udcff")
    out, err = capsys.readouterr()
    assert out == "name \\udcff\n" and err.endswith("name \\udcff\n")
