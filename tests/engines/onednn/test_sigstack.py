"""Signals that arrive while generated code runs leave its memory alone."""
import signal
import subprocess
import sys
import threading

import pytest

from caffempi.engines.onednn.sigstack import separate_signal_stack
from tests.helpers.mpirun import ROOT, environment

PROGRAM = """
import signal, sys
import numpy as np
import caffempi
net = caffempi.Net(sys.argv[1], caffempi.TRAIN, engine="onednn", seed=1)
net.blobs["data"].data[...] = np.random.default_rng(0).standard_normal((50, 800))
want = net.forward()["ip"].copy()
signal.signal(signal.SIGALRM, lambda *a: None)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
keep = []
for _ in range(2500):
    keep = [*keep[-20:], net.forward()["ip"].tobytes()]
signal.setitimer(signal.ITIMER_REAL, 0)
assert all(k == want.tobytes() for k in keep)
print("whole")
"""


def test_a_run_under_a_hail_of_signals_stays_whole(tmp_path):
    """Without a stack of their own, handlers overwrote what x64:gemm:jit had on the main one, and the heap broke."""
    pytest.importorskip("caffempi.engines.onednn.find")
    (tmp_path / "net.prototxt").write_text(
        'layer { name: "data" type: "Input" top: "data" input_param { shape { dim: 50 dim: 800 } } } layer { name: "ip" '
        'type: "InnerProduct" bottom: "data" top: "ip" inner_product_param { num_output: 500 weight_filler { type: "xavier" } } }')
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path / "net.prototxt")], capture_output=True, text=True,
                          timeout=120, env=environment(), cwd=ROOT)
    if "libdnnl" in done.stderr:
        pytest.skip("oneDNN is not here")
    assert done.returncode == 0 and done.stdout == "whole\n", (done.returncode, done.stderr)


def test_the_main_thread_gets_one_stack_and_others_none():
    assert separate_signal_stack() and separate_signal_stack()
    said = []
    thread = threading.Thread(target=lambda: said.append(separate_signal_stack()))
    thread.start()
    thread.join()
    assert said == [False] and signal.getsignal(signal.SIGTERM) is not None
