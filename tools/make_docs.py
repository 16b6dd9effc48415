#!/usr/bin/env python3
"""Writes the pages of docs/ that follow from the code: layers.md, ops.md, solver-fields.md, cli.md.

Run `python tools/make_docs.py` in the project's root after a change of a layer, an op, the schema or a verb; the pages are
kept in the repository, and tests/test_docs.py holds them against what this program would write.
"""
from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from schema_text import Field, Message, read_schema

import caffempi.cli.main
from caffempi.cli.flags import COMMON, FLAGS
from caffempi.cli.verb import VERBS
from caffempi.layers import LAYERS, Layer
from caffempi.ops import OPS
from caffempi.proto.fork_fields import FORK_FIELDS
from caffempi.registry import import_all
from caffempi.solver.settings import OBEYED

DOCS = Path(__file__).resolve().parent.parent / "docs"
NOTE = "<!-- Written by tools/make_docs.py: change the code, then run it. -->\n"
SOURCES = {"Data": ("data_param", "transform_param"), "ImageData": ("image_data_param", "transform_param"),
           "WindowData": ("window_data_param", "transform_param"), "MemoryData": ("memory_data_param",),
           "HDF5Data": ("hdf5_data_param",), "DummyData": ("dummy_data_param",)}
LAYERS_HEAD = """# Layer types

The layer types that nets can use. Fields that every layer has come first, then each type with the messages it reads.
"Bottoms" are the blobs read, "tops" those written.
"""
OPS_HEAD = """# Ops

What layers and gradient rules put into a graph, by family. Each op has a NumPy definition in its file; every engine's
kernel is tested against it. Column "gradient": exact, the derivative; declared, Caffe's rule where that is another; none,
no gradient (or a gradient op itself). Column "in place": pairs of an in and an out that may share memory.
"""
SOLVER_HEAD = """# Fields of a solver

What a solver's prototxt may say, in the order of the schema. Files are named relative to the working directory. Rates and
update rules: `caffempi/solver/policies.py` and `rules.py`; the order of an update: `update.py`.
"""
CLI_HEAD = """# Command line

    caffempi VERB [flags]

Also `python -m caffempi VERB`. A flag may be spelled `-flag x`, `-flag=x`, `--flag x` or `--flag=x`, before or after the
verb; `caffempi VERB --help` prints what is below.
"""
COLUMNS = ("field", "type", "default", "meaning")
BESIDES = {"SoftmaxWithLoss": ("softmax_param",)}             # messages that a layer reads beside the one it is known by


def doc(thing: object) -> str:
    """A docstring without its indentation."""
    return inspect.cleandoc(getattr(thing, "__doc__", None) or "")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; what would look like a link (but to a part of the page) or a border in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([re.sub(r"\]\((?!#)", r"]\\(", cell.replace("|", "\\|")) for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def count(low: int, high: int | None) -> str:
    """How many blobs: `1`, `1 to 2`, `2 or more`, `none`."""
    if high is None:
        return f"{low} or more"
    return ("none" if not low else f"{low}") if low == high else f"{low} to {high}"


def limits(kind: type[Layer]) -> dict[str, str]:
    """What a layer's limits say of a value that breaks them, by field."""
    found = {}
    for name, limit in kind.limits.items():
        said = [why for value in (-10**9, 0, 10**9, 0.5) if (why := limit(value))]
        found[name] = said[0] if said else ""
    return found


def field_rows(name: str, limit: dict[str, str], obeyed: Collection[str] = ()) -> list[list[str]]:
    """Name, type, default and meaning of each field of the message `name`; of forks' fields those that are obeyed."""
    message = read_schema()[name]
    return [[f"`{f.name}`", type_of(f, message), f"`{f.default}`" if f.default is not None else "",
             "; ".join(filter(None, [f.comment, limit.get(f.name, "")]))] for f in message.fields
            if f"{name}.{f.name}" not in FORK_FIELDS or f.name in obeyed]


def type_of(f: Field, message: Message) -> str:
    """A field's type in words: an enum's is its values."""
    kind = ", ".join(message.enums[f.type]) if f.type in message.enums else f.type
    return f"{kind} (repeated)" if f.repeated else kind


def enum_lines(message: Message) -> str:
    """The values of a message's enums that carry a comment."""
    rows = [f"- `{value}`: {why}" for f in message.fields for value, why in message.enums.get(f.type, {}).items() if why]
    return "\n".join(rows) + "\n" if rows else ""


def layers_page() -> str:
    """docs/layers.md."""
    schema = read_schema()
    messages = {f.name: f.type for f in schema["LayerParameter"].fields}
    parts = [NOTE, LAYERS_HEAD,
             "## Fields of every layer\n",
             table(COLUMNS,
                   [r for r in field_rows("LayerParameter", {}) if not r[0].endswith("_param`")]),
             "### param { ... }\n", table(COLUMNS, field_rows("ParamSpec", {})),
             enum_lines(schema["ParamSpec"]),
             "### Fillers\n", table(COLUMNS, field_rows("FillerParameter", {})),
             enum_lines(schema["FillerParameter"])]
    for name, kind in LAYERS.items():
        facts = [f"bottoms: {count(*kind.bottoms)}", f"tops: {count(*kind.tops)}{', as many as bottoms' if kind.equal else ''}"]
        if kind.loss:
            facts.append("a loss: its first top has loss_weight 1 unless the text says otherwise")
        if kind.labels:
            facts.append("no gradient for bottom " + " and ".join(map(str, kind.labels)))
        parts += [f"## {name}\n", doc(kind) + "\n", "; ".join(facts).capitalize() + ".\n"]
        for field in SOURCES.get(name) or [p for p in (kind.param, *BESIDES.get(name, ())) if p]:
            message = schema[messages[field]]
            obeyed = [path.rpartition(".")[2] for path in kind.obeys]
            parts += [f"### {name}: {field}\n", table(COLUMNS,
                                                      field_rows(messages[field], limits(kind), obeyed)), enum_lines(message)]
    return "\n".join(filter(None, parts))


def ops_page() -> str:
    """docs/ops.md."""
    families: dict[str, list[str]] = {}
    for name, op in OPS.items():
        families.setdefault(type(op).__module__, []).append(name)
    parts = [NOTE, OPS_HEAD]
    for module, names in sorted(families.items()):
        parts += [f"## {module.rpartition('.')[2]}\n", f"```text\n{doc(sys.modules[module])}\n```\n",
                  table(["op", "what", "gradient", "effects", "in place"],
                        [[f"`{n}`", " ".join(doc(type(OPS.get(n))).split("\n\n")[0].split()), OPS.get(n).grad,
                          ", ".join(sorted(OPS.get(n).effects)),
                          ", ".join(f"{i} to {o}" for i, o in OPS.get(n).inplace)] for n in names])]
    return "\n".join(parts)


def solver_page() -> str:
    """docs/solver-fields.md."""
    message = read_schema()["SolverParameter"]
    return "\n".join([NOTE, SOLVER_HEAD,
                      table(COLUMNS, field_rows("SolverParameter", {}, OBEYED)), enum_lines(message)])


def cli_page() -> str:
    """docs/cli.md."""
    import_all("caffempi.cli.verbs")
    exits = doc(caffempi.cli.main).split("\n\n", 1)[1]
    parts = [NOTE, CLI_HEAD,
             table(["verb", "what it does"], [[f"[{n}](#caffempi-{n})", v.summary] for n, v in VERBS.items()]),
             f"```text\n{exits}\n```\n"]
    for name, verb in VERBS.items():
        word = "".join(f" {FLAGS[flag].metavar}" for flag in verb.positional.split())
        parts += [f"## caffempi {name}\n", f"    caffempi {name}{word} [flags]\n", doc(verb) + "\n",
                  flag_table(verb.flags, verb.required)]
    parts += ["## Flags of all verbs\n", flag_table(COMMON, ())]
    return "\n".join(parts)


def flag_table(names: Sequence[str], required: Sequence[str]) -> str:
    """Spelling, default and meaning of flags."""
    def default(name: str) -> str:
        value = FLAGS[name].default
        return "required" if name in required else "" if value in (None, False, []) else f"`{value}`"
    return table(["flag", "default", "meaning"],
                 [[f"`--{n}{'=' + FLAGS[n].metavar if FLAGS[n].metavar else ''}`" + (" (repeated)" if FLAGS[n].many else ""),
                   default(n), FLAGS[n].help] for n in names])


def pages() -> dict[str, str]:
    """File name in docs/ -> text."""
    made = {"layers.md": layers_page(), "ops.md": ops_page(), "solver-fields.md": solver_page(), "cli.md": cli_page()}
    return {name: re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n" for name, text in made.items()}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="write the pages of docs/ that follow from the code")
    parser.add_argument("--out", type=Path, default=DOCS, help="folder to write to")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (out / name).write_text(text, encoding="utf-8")
        print(out / name)


if __name__ == "__main__":
    main()
