"""Fail together: one message and one end for all ranks, whatever one of them runs into."""
from __future__ import annotations

import threading

import pytest

from caffempi.errors import DataError, UsageError
from caffempi.exchange.ending import End, PeerFailed
from caffempi.exchange.guard import install, reason, together
from caffempi.solver.exchange import LocalExchange

ONE_LINE = [
    # how, ranks, exit code, all of stderr
    ("before start", 2, 1, "caffempi: rank 1: before start\n"),
    ("in backward", 3, 1, "caffempi: rank 2: in backward\n"),
    ("inside reduced", 2, 1, "caffempi: rank 0: inside reduced\n"),
    ("thread", 2, 1, "caffempi: rank 1: a thread's error\n"),
    ("peers busy", 2, 1, "caffempi: rank 0: the others compute\n"),
    ("all at once", 3, 2, "caffempi: no such file\n"),
    ("all but each its own", 2, 1, "caffempi: rank 0: record 0\n"),
    ("abort", 2, 1, "caffempi: rank 1: the solver's own words\n"),
    ("left with a code", 2, 7, ""),
]


@pytest.mark.mpi
@pytest.mark.parametrize(("how", "n", "code", "text"), ONE_LINE, ids=[row[0] for row in ONE_LINE])
def test_a_rank_that_fails_ends_all_with_one_line(ran, how, n, code, text):
    left = ran(n, "failing", how)
    assert (left.rc, left.err, left.out) == (code, text, "")


@pytest.mark.mpi
@pytest.mark.parametrize("how", ["fault of the program", "no block"])
def test_a_fault_of_the_program_keeps_its_traceback_in_a_block_and_in_a_bare_script(ran, how):
    left = ran(2, "failing", how)
    assert left.rc == 1
    assert left.err.count("Traceback") == 1
    assert left.err.endswith("caffempi: rank 1: KeyError: 'missing'\n")


@pytest.mark.mpi
def test_a_rank_that_is_killed_ends_all(ran):
    left = ran(2, "failing", "killed")
    assert left.rc not in (0, None) and "Traceback" not in left.err and left.out == ""
    assert "rank 1" in left.err                                    # the launcher's own words


@pytest.mark.parametrize(("error", "code"), [(DataError("bad"), 1), (UsageError("bad"), 2)])
def test_alone_an_error_is_one_line_and_its_exit_code(capsys, error, code):
    with pytest.raises(SystemExit) as left, together(LocalExchange()):
        raise error
    assert left.value.code == code
    assert capsys.readouterr().err == "caffempi: bad\n"


@pytest.mark.parametrize("error", [KeyError("x"), KeyboardInterrupt(), SystemExit(3)])
def test_alone_other_exceptions_pass(error):
    with pytest.raises(type(error)), together(LocalExchange()):
        raise error


def test_alone_no_hooks_are_installed():
    before = threading.excepthook
    install(LocalExchange())
    with together(LocalExchange()):
        assert threading.excepthook is before


@pytest.mark.parametrize(("error", "end"), [
    (UsageError("why", fix="fix"), End(True, "why; fix", 2)),
    (SystemExit(3), End(True, "", 3)),
    (SystemExit("words"), End(True, "words", 1)),
    (KeyboardInterrupt(), End(True, "interrupted", 130)),
    (ValueError("two\nlines"), End(True, "ValueError: two lines", 1)),
    (PeerFailed("rank 1 has failed"), None),
])
def test_the_end_that_an_exception_means(error, end):
    assert reason(error)[0] == end


def test_an_error_while_unwinding_from_a_peers_failure_is_not_an_end_of_its_own():
    try:
        try:
            raise PeerFailed("rank 1 has failed")
        finally:
            raise OSError("closing failed too")
    except OSError as error:
        assert reason(error) == (None, "")
