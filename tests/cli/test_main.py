"""The way from a command line to an exit code."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

from caffempi import __version__
from caffempi.cli import main as entry
from caffempi.cli.verb import VERBS
from caffempi.errors import NetError
from tests.helpers import mpirun

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("argv", [["--version"], ["-version"], ["train", "-version"]])
def test_version(cli, argv):
    assert cli(*argv) == (0, [f"caffempi version {__version__}"], [])


@pytest.mark.parametrize("argv", [["--help"], ["-h"], ["-help"]])
def test_help_lists_verbs_and_exit_codes(cli, argv):
    code, out, err = cli(*argv)
    assert (code, err) == (0, [])
    text = "\n".join(out)
    assert all(f"    {name} " in text for name in VERBS.names())
    assert "Exit codes:\n    0    done" in text


@pytest.mark.parametrize("name", ["train", "device_query", "device-query"])
def test_help_of_a_verb_lists_its_flags_and_exit_codes(cli, name):
    code, out, _ = cli(name, "--help")
    assert code == 0 and out[0].startswith("usage: caffempi ") and any("--gpu" in line for line in out)
    assert "    2    a command line that cannot be obeyed" in out


@pytest.mark.parametrize("argv, words", [
    ([], "caffempi: no verb is given; known: check, compare"),
    (["trian"], 'caffempi: unknown verb "trian"; did you mean train? known: check'),
    (["train", "-solvr=x"], "caffempi: unknown flag -solvr; did you mean --solver?"),
    (["trian", "--help"], 'caffempi: unknown verb "trian"'),
])
def test_a_bad_command_line_is_one_line_and_exit_code_2(cli, argv, words):
    code, out, err = cli(*argv)
    assert (code, out, len(err)) == (2, [], 1)
    assert err[0].startswith(words)


@pytest.mark.parametrize("argv", [["plan", "no.prototxt"], ["train", "no.prototxt"], ["check", "no.prototxt"],
                                  ["time", "no.prototxt"], ["compare", "no.prototxt"],
                                  ["test", "no.prototxt", "-weights", "w"]])
def test_an_error_is_one_line_and_exit_code_1(cli, argv):
    assert cli(*argv) == (1, [], ["caffempi: no.prototxt: there is no such file"])


@pytest.mark.parametrize("raised, code, last", [
    (KeyboardInterrupt(), 130, "caffempi: interrupted"),
    (MemoryError("12 GiB"), 1, "caffempi: not enough memory: 12 GiB; use a smaller batch_size or a smaller --shape"),
    (NetError("why", where="f:3"), 1, "caffempi: f:3: why"),
    (RuntimeError("odd"), 1, "caffempi: this is a fault of the program; please report it with the lines above"),
    (SystemExit(5), 5, None), (SystemExit(None), 0, None), (SystemExit("text"), 1, None),
])
def test_exceptions_become_exit_codes(cli, monkeypatch, raised, code, last):
    def run(self, args):
        raise raised
    monkeypatch.setattr(VERBS.get("device_query"), "run", run)
    got, _, err = cli("device_query")
    assert got == code
    assert err[-1:] == ([last] if last else [])
    assert any("Traceback" in line for line in err) == isinstance(raised, RuntimeError)


def run_python(*argv, **kw):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMI"))} | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *argv], capture_output=True, text=True, env=env, timeout=120, **kw)


def test_runs_as_a_module_and_tells_the_same(folder):
    ran = run_python("-m", "caffempi", "plan", "tiny.prototxt")
    assert ran.returncode == 0 and "conv" in ran.stdout and ran.stderr == ""
    assert run_python("-m", "caffempi", "plan", "no.prototxt").returncode == 1


def test_a_reader_that_is_gone_is_no_fault(folder):
    program = ("import subprocess, sys\n"
               "p = subprocess.Popen([sys.executable, '-m', 'caffempi', 'plan', 'tiny.prototxt'], stdout=subprocess.PIPE,"
               " stderr=subprocess.PIPE)\n"
               "p.stdout.close()\nerr = p.stderr.read()\nprint(p.wait(), err)")
    assert run_python("-c", program).stdout.strip() == "141 b''"


def test_help_and_checking_load_no_more_than_they_need(folder):
    program = ("import sys; from caffempi.cli.main import main; main({argv}); "
               "print([m for m in {modules} if m in sys.modules])")
    for argv, modules in ([["--help"], ["numpy", "mpi4py", "google.protobuf"]],
                          [["check", "tiny.prototxt"], ["mpi4py", "cv2", "lmdb", "rich", "matplotlib"]]):
        ran = run_python("-c", program.format(argv=argv, modules=modules))
        assert ran.stdout.splitlines()[-1] == "[]", ran.stderr


@pytest.mark.mpi
def test_of_several_ranks_one_tells_of_a_bad_command_line(tmp_path):
    ran = mpirun.run(2, ["-m", "caffempi", "train", "-solvr", "x"])
    assert ran.rc == 2
    assert [line for line in ran.err.splitlines() if "caffempi" in line] == [
        "caffempi: unknown flag -solvr; did you mean --solver?"]


@pytest.mark.mpi
def test_of_several_ranks_one_does_what_needs_no_others(tmp_path):
    (tmp_path / "n.prototxt").write_text('layer { name: "d" type: "Input" top: "d" input_param { shape { dim: 1 } } }\n')
    ran = mpirun.run(2, ["-m", "caffempi", "check", tmp_path / "n.prototxt"])
    assert ran.rc == 0 and len(ran.out.splitlines()) == 1


def test_the_entry_point_is_this_function():
    assert 'caffempi = "caffempi.cli.main:main"' in (ROOT / "pyproject.toml").read_text()
    assert callable(entry.main)


@pytest.mark.parametrize("closing", ["2>&-", ">&-", "2>&- >&-"])
def test_closed_streams_do_not_stop_the_work(tmp_path, closing):
    """As cron and daemons start programs."""
    import subprocess
    import sys

    from tests.helpers.mpirun import environment
    from tests.helpers.task import make_task
    path = make_task(tmp_path)
    done = subprocess.run(["bash", "-c", f'"{sys.executable}" -m caffempi train -solver "{path}" {closing}'], cwd=tmp_path,
                          env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert (tmp_path / "snap_iter_8.caffemodel").exists()


def test_a_seed_beyond_all_bounds_is_a_usage_error(folder, capsys):
    from caffempi.cli.main import main
    assert main(["train", "-solver", "s.prototxt", "-seed", "9" * 20]) == 2
    assert "0 to 2^63 - 1" in capsys.readouterr().err
