"""The README's first net works as it stands there, and its links lead somewhere."""
from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "models").glob("*/*.md")])


def blocks(language: str) -> list[str]:
    """The fenced blocks of that language in the section "Your first net"."""
    section = README.split("## Your first net", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"```{language}\n(.*?)```", section, re.S)


def test_the_first_net_trains_and_serves(tmp_path):
    for text in blocks("python") + blocks("prototxt"):
        name = re.match(r"# (\S+)\n", text)
        assert name, f"a block without its file's name: {text[:60]}"
        (tmp_path / name[1]).write_text(text)
    (commands,) = blocks("sh")
    env = dict(os.environ, PATH=f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}", PYTHONPATH=str(ROOT))
    done = subprocess.run(["bash", "-ec", commands], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "0 error(s)" in done.stdout and "Optimization Done." in done.stderr
    assert "first layer: (32, 2)" in done.stdout
    assert float(re.findall(r"accuracy: ([\d.]+)", done.stdout)[-1]) > 0.9
    assert (tmp_path / "circle_iter_1000.solverstate").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
