"""The schema's comments, read from proto/caffempi.proto: field by field, with type, label and default.

Only the style of that file is understood: one field a line, its comment behind it or on the lines above.
"""
from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path

PROTO = Path(__file__).resolve().parent.parent / "proto" / "caffempi.proto"
_OPEN = re.compile(r"(message|enum) (\w+) \{")
_FIELD = re.compile(r"(optional|repeated|required) ([\w.]+) (\w+) = \d+(?: \[(.*?)\])?;\s*(?://\s*(.*))?$")
_ENTRY = re.compile(r"(\w+) = -?\d+;\s*(?://\s*(.*))?$")
_DEFAULT = re.compile(r'default = ("[^"]*"|[^,\s]+)')


@dataclass
class Field:
    """A field: name, type as the schema spells it, whether it repeats, default as text (None: none), comment."""

    name: str
    type: str
    repeated: bool
    default: str | None
    comment: str


@dataclass
class Message:
    """comment: what stands above it. enums: name -> its values with their comments."""

    comment: str
    fields: list[Field] = field(default_factory=list)
    enums: dict[str, dict[str, str]] = field(default_factory=dict)


@functools.cache
def read_schema(path: Path = PROTO) -> dict[str, Message]:
    """Message name -> Message, for messages at the top level."""
    messages: dict[str, Message] = {}
    message, enum = Message(""), {}
    inside: list[str] = []
    above: list[str] = []
    for raw in path.read_text(encoding="utf-8").splitlines():
        line = raw.strip()
        if line.startswith("//"):
            above.append(line[2:].strip())
            continue
        if found := _OPEN.match(line):
            kind, name = found.groups()
            inside.append(kind)
            if kind == "enum":
                enum = {}
                if len(inside) > 1:
                    message.enums[name] = enum
            elif len(inside) == 1:
                message = messages[name] = Message(" ".join(above))
        elif line.startswith("}"):
            inside.pop()
        elif found := _FIELD.match(line):
            label, type_, name, options, comment = found.groups()
            default = _DEFAULT.search(options or "")
            message.fields.append(Field(name, type_, label == "repeated", default[1] if default else None,
                                        comment or " ".join(above)))
        elif found := _ENTRY.match(line):
            enum[found[1]] = found[2] or ""
        above = []
    return messages
