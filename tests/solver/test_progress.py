"""The bar: shown on terminals only, and what it says."""
from __future__ import annotations

import io
import subprocess
import sys

from rich.console import Console

from caffempi.solver.progress import Bar, NoProgress, open_progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_no_bar_without_a_terminal_or_a_wish():
    assert isinstance(open_progress(True, 0, 10, io.StringIO()), NoProgress)
    assert isinstance(open_progress(False, 0, 10, Terminal()), NoProgress)


def test_a_bar_on_a_terminal_tells_iterations_speed_loss_and_rate():
    out = io.StringIO()
    bar = Bar(100, 1000, Console(file=out, force_terminal=True, width=120))
    bar.update(150, 3200, 0.25, 0.01)
    bar._bar.refresh()
    bar.close()
    bar.close()
    text = out.getvalue()
    for word in ("150", "1000", "images/s", "loss 0.25", "lr 0.01", "left"):
        assert word in text


def test_open_progress_gives_a_bar_on_a_terminal():
    bar = open_progress(True, 0, 10, Terminal())
    bar.close()
    assert isinstance(bar, Bar)


def test_rich_is_not_imported_before_a_bar_is_shown():
    code = "import sys, caffempi.solver.solver; sys.exit('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
