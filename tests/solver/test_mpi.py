"""The solver over real MPI ranks: stopped by a signal to one of them and resumed, all end with the same bits."""
from __future__ import annotations

import glob

import pytest

from tests.helpers.mpirun import run
from tests.helpers.task import make_task

pytestmark = pytest.mark.mpi

PROGRAM = """
import hashlib, os, signal, sys
from caffempi.exchange.guard import together
from caffempi.exchange.launch import make_exchange
from caffempi.solver.signals import SignalWatch
from caffempi.solver.solver import Solver
path, at, resume, scale = sys.argv[1], int(sys.argv[2]), sys.argv[3] or None, sys.argv[4]
exchange = make_exchange()
with together(exchange), SignalWatch() as watch:
    polls = 0
    def requests():
        global polls
        polls += 1
        if polls == at and exchange.rank == exchange.size - 1:
            os.kill(os.getpid(), signal.SIGTERM)
        return watch()
    solver = Solver(path, exchange=exchange, requests=requests, loss_scale=scale)
    solver.solve(resume)
    a = solver.net.arena
    digest = [hashlib.sha256(b.tobytes()).hexdigest() for b in (a.data, a.hist[0], a.stat)]
    print(exchange.rank, solver.iter, *digest, solver._loop.scaling.scale if solver._loop.scaling else 1)
    solver.close()
"""


def train(folder, ranks, at=0, resume="", scale="none"):
    done = run(ranks, ["-c", PROGRAM, f"{folder}/solver.prototxt", str(at), resume, scale], timeout=120)
    assert done.rc == 0, done.err
    return [line.split() for line in done.lines()]


@pytest.mark.parametrize("ranks, at", [(2, 1), pytest.param(2, 5, marks=pytest.mark.slow), (3, 7)])
def test_stopped_by_sigterm_to_one_rank_and_resumed(tmp_path, ranks, at):
    text = "test_interval: 3 test_iter: 4 iter_size: 2"
    make_task(tmp_path / "whole", text)
    make_task(tmp_path / "cut", text)
    whole = train(tmp_path / "whole", ranks)
    assert [line[1] for line in whole] == ["8"] * ranks
    assert len({tuple(line[2:4]) for line in whole}) == 1       # params and history, alike on all ranks
    cut = train(tmp_path / "cut", ranks, at)
    assert len({line[1] for line in cut}) == 1 and int(cut[0][1]) < 8
    assert train(tmp_path / "cut", ranks, 0, glob.glob(f"{tmp_path}/cut/*.solverstate")[0]) == whole


def test_a_failure_of_one_rank_is_one_line_of_all(tmp_path):
    path = make_task(tmp_path)
    done = run(2, ["-c", PROGRAM, path, "0", str(tmp_path / "none.solverstate"), "none"], timeout=120)
    assert done.rc != 0
    lines = [line for line in done.err.splitlines() if "none.solverstate" in line]
    assert len(lines) == 1 and lines[0].startswith("caffempi: rank 0: ")
    assert "Traceback" not in done.err


def test_ranks_skip_the_same_updates_and_a_resumed_run_ends_with_the_same_bits(tmp_path):
    """The loss scale starts too high for fp32."""
    text = "snapshot: 4 test_interval: 0"
    for name in ("whole", "cut"):
        make_task(tmp_path / name, text)
        path = tmp_path / name / "net.prototxt"
        path.write_text("global_grad_scale: 2e38 global_grad_scale_adaptive: true\n" +
                        path.read_text().replace('"SoftmaxWithLoss"', '"SoftmaxWithLoss" loss_weight: 8'))
    whole = train(tmp_path / "whole", 2, scale="dynamic")
    assert len({tuple(line[2:4]) for line in whole}) == 1
    assert train(tmp_path / "cut", 2, 0, f"{tmp_path}/whole/snap_iter_4.solverstate", "dynamic") == whole
    scale = float(whole[0][5])
    assert 0 < scale < 1e38
