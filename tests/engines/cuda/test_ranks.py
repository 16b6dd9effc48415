"""Two ranks by mpirun, each with a GPU that is a stand-in: gradients go over the host, and both end with the same bits."""
import numpy as np
import pytest

from tests.engines.cuda.test_training import NET, SOLVER
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.mpirun import run_text

PROGRAM = """
    import sys
    import numpy as np
    import pytest
    from caffempi.exchange.mpi import MpiExchange
    from caffempi.solver.solver import Solver
    from tests.helpers.cuda.standin import install

    exchange = MpiExchange()
    with pytest.MonkeyPatch.context() as patch:
        if sys.argv[2] == "cuda":
            install(patch, exchange.rank)
        solver = Solver(sys.argv[1], engine=sys.argv[2], optimised=True, exchange=exchange)
        solver.step(4)
        values = np.concatenate([blob.data.ravel() for blobs in solver.net.params.values() for blob in blobs])
    np.save(f"{sys.argv[3]}/{sys.argv[2]}{exchange.rank}.npy", values)
    exchange.close()
"""


@needs_compiler
@pytest.mark.gpu
@pytest.mark.mpi
def test_two_ranks_train_as_on_numpy(tmp_path):
    (tmp_path / "n.prototxt").write_text(NET)
    solver = tmp_path / "s.prototxt"
    solver.write_text(SOLVER.replace("n.prototxt", str(tmp_path / "n.prototxt")) % (tmp_path / "snap"))
    for engine in ("numpy", "cuda"):
        ran = run_text(2, PROGRAM, tmp_path, str(solver), engine, str(tmp_path), timeout=120)
        assert ran.rc == 0, ran.err[-2000:]
    first, second, want = (np.load(tmp_path / f"{name}.npy") for name in ("cuda0", "cuda1", "numpy0"))
    assert first.tobytes() == second.tobytes()
    np.testing.assert_allclose(first, want, rtol=1e-4, atol=1e-5)
