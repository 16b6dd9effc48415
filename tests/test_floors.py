"""The architecture's floors: a module imports its own floor or lower, never higher, and a few libraries only in their place."""
import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "caffempi"
FLOORS = {"errors": 0, "registry": 0, "place": 0, "threads": 0, "proto": 1, "ops": 2, "layers": 3, "engines": 3,
          "plan": 4, "net": 5, "weights": 5, "data": 5, "solver": 6, "exchange": 7, "convert": 8, "cli": 9}
ONLY_IN = {"mpi4py": ("exchange",), "cupy": ("engines/cuda",), "cupyx": ("engines/cuda",), "h5py": ("data", "weights"),
           "lmdb": ("data",), "cv2": ("data",), "rich": ("solver", "cli"), "matplotlib": (), "torch": ()}
MODULES = sorted(p for p in ROOT.rglob("*.py") if p.name not in ("caffe_pb2.py", "__main__.py"))


def part(path):
    """The room a file or module stands in: its first name below the package."""
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imports(path):
    """(line, dotted name) of every import in a file, inside functions too; names only used by type checkers are left out."""
    tree = ast.parse(path.read_text())
    typing_only = {id(n) for block in ast.walk(tree) if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
                   for stmt in block.body for n in ast.walk(stmt)}
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            yield node.lineno, node.module
            if node.module == "caffempi":
                yield from ((node.lineno, f"caffempi.{a.name}") for a in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_only_its_own_floor_or_lower(path):
    room = part(path)
    if room == "__init__":
        return
    assert room in FLOORS, f"{room} stands on no floor"
    for line, name in imports(path):
        if not name.startswith("caffempi."):
            continue
        other = name.split(".")[1]
        if other not in FLOORS:
            continue
        assert FLOORS[other] <= FLOORS[room], f"{path}:{line}: {room} imports {name}, which stands higher"
        assert {room, other} != {"layers", "engines"}, f"{path}:{line}: layers and engines do not know each other"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_special_libraries_are_imported_only_in_their_place(path):
    here = path.relative_to(ROOT).as_posix()
    for line, name in imports(path):
        allowed = ONLY_IN.get((name or "").split(".")[0])
        if allowed is not None:
            assert here.startswith(tuple(f"{a}/" for a in allowed) or ("-",)), f"{path}:{line}: imports {name}"
    if here.startswith("proto/"):
        assert all(not (n or "").startswith("numpy") for _, n in imports(path)), f"{path}: messages and text know no arrays"
