"""The last steps of a process."""
from __future__ import annotations

import subprocess
import sys

from caffempi.exchange.leave import wait_until_gone
from tests.helpers.mpirun import ROOT


def test_a_process_may_end_from_any_thread_while_others_run_and_loses_no_output():
    text = ("import sys, threading, time\nfrom caffempi.exchange.leave import exit_now\n"
            "print('out', end=''); print('err', end='', file=sys.stderr)\n"
            "threading.Thread(target=exit_now, args=(9,)).start()\nthreading.Event().wait()\n")
    left = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (left.returncode, left.stdout, left.stderr) == (9, "out", "err")


def test_the_speaker_waits_for_processes_of_its_own_host_to_be_gone():
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    try:
        wait_until_gone(0, [1, child.pid], ["h", "g"])             # on another host: not waited for by its number
        assert child.poll() is None
        child.stdin.close()
        child.wait()
        wait_until_gone(0, [1, child.pid], ["h", "h"])
    finally:
        child.kill()
