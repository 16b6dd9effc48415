"""The pages that follow from the code are what the code says today, and the schema's comments are all found."""
from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

from caffempi.proto import caffe_pb2

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("cli.md", "layers.md", "ops.md", "solver-fields.md")


@pytest.fixture
def make_docs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    for name in ("make_docs", "schema_text"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("make_docs")


def test_pages_are_up_to_date(make_docs):
    made = make_docs.pages()
    assert sorted(made) == sorted(PAGES)
    for name, text in made.items():
        page = ROOT / "docs" / name
        assert page.is_file() and page.read_text(encoding="utf-8") == text, f"docs/{name}: run tools/make_docs.py"


def test_every_layer_op_and_verb_has_its_place(make_docs):
    made = make_docs.pages()
    for name in make_docs.LAYERS.names():
        assert f"\n## {name}\n" in made["layers.md"]
    for name in make_docs.OPS.names():
        assert f"\n| `{name}` |" in made["ops.md"]
    for name in make_docs.VERBS.names():
        assert f"\n## caffempi {name}\n" in made["cli.md"]


def test_limits_are_in_the_layers_tables(make_docs):
    assert "must be at least 1" in make_docs.layers_page()
    for name, kind in make_docs.LAYERS.items():
        assert all(make_docs.limits(kind).values()), f"a limit of {name} that no number tried breaks"


def test_the_schemas_text_is_read_whole(make_docs):
    """Names, labels and defaults as the compiled schema has them, each field with a comment."""
    schema = make_docs.read_schema()
    compiled = caffe_pb2.DESCRIPTOR.message_types_by_name
    assert set(schema) == set(compiled)
    for name, message in schema.items():
        fields = {f.name: f for f in message.fields}
        assert set(fields) == set(compiled[name].fields_by_name), name
        for field in compiled[name].fields:
            mine = fields[field.name]
            assert mine.comment, f"{name}.{field.name} has no comment"
            assert (mine.default is not None) == field.has_default_value, f"{name}.{field.name}"
        for enum in compiled[name].enum_types:
            assert list(message.enums[enum.name]) == [v.name for v in enum.values], f"{name}.{enum.name}"
