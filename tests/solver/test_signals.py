"""Signals become requests; handlers come and go cleanly."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from caffempi.errors import UsageError
from caffempi.solver.exchange import SNAPSHOT, STOP
from caffempi.solver.signals import SignalWatch


@pytest.mark.parametrize("number, options, bits", [
    (signal.SIGINT, {}, STOP), (signal.SIGHUP, {}, SNAPSHOT), (signal.SIGTERM, {}, STOP),
    (signal.SIGINT, {"sigint": "snapshot"}, SNAPSHOT), (signal.SIGINT, {"sigint": "none"}, 0),
    (signal.SIGHUP, {"sighup": "stop"}, STOP), (signal.SIGHUP, {"sighup": "none"}, 0),
    (signal.SIGTERM, {"sigint": "none", "sighup": "none"}, STOP)])
def test_a_signal_sets_its_bit_once(number, options, bits):
    with SignalWatch(**options) as watch:
        assert watch() == 0
        os.kill(os.getpid(), number)
        assert watch() == bits
        assert watch() == 0


def test_several_signals_add_up():
    with SignalWatch() as watch:
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)
        assert watch() == STOP | SNAPSHOT


def test_handlers_are_put_back_even_after_an_error():
    before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)]
    with pytest.raises(RuntimeError), SignalWatch():
        os.kill(os.getpid(), signal.SIGINT)
        raise RuntimeError
    assert [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)] == before


def test_a_second_interrupt_means_the_systems_own_behaviour():
    with SignalWatch() as watch:
        os.kill(os.getpid(), signal.SIGINT)
        assert watch() == STOP
        assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL


def test_a_second_interrupt_ends_a_process_that_does_not_poll():
    code = ("import os, signal, time\nfrom caffempi.solver.signals import SignalWatch\n"
            "with SignalWatch():\n    os.kill(os.getpid(), 2)\n    print('one', flush=True)\n    os.kill(os.getpid(), 2)\n"
            "    time.sleep(30)\n    print('two')\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGINT
    assert done.stdout == "one\n"


def test_snapshot_on_interrupt_can_be_asked_for_again():
    with SignalWatch(sigint="snapshot") as watch:
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            assert watch() == SNAPSHOT


def test_outside_the_main_thread_nothing_is_caught():
    before, seen = signal.getsignal(signal.SIGTERM), []

    def work():
        with SignalWatch() as watch:
            seen.append((watch(), signal.getsignal(signal.SIGTERM)))
    t = threading.Thread(target=work)
    t.start()
    t.join()
    assert seen == [(0, before)]


@pytest.mark.parametrize("options", [{"sigint": "stopp"}, {"sighup": ""}])
def test_an_unknown_effect_is_refused(options):
    with pytest.raises(UsageError, match="stop"):
        SignalWatch(**options)
