"""Fills a message from the tokens of its text, guided by the message's descriptor.

The grammar is protobuf's text format. Two liberties: a singular field may be given twice (the later one counts, with a
warning), and unknown fields may be skipped on request. The nesting is as deep as the schema at most, since an unknown
block is skipped by counting brackets.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from caffempi.errors import TextError, did_you_mean
from caffempi.proto.fork_fields import FORK_FIELDS
from caffempi.proto.places import Mark, Places
from caffempi.proto.scan import END, NUMBER, SIGN, STRING, WORD, Scanner

_RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-2**31, 2**31 - 1), FieldDescriptor.CPPTYPE_INT64: (-2**63, 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1), FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_CLOSING = {"{": "}", "<": ">", "[": "]"}
_LABEL_REQUIRED, _LABEL_REPEATED = 2, 3
_MAIN_MESSAGES = ("NetParameter", "SolverParameter", "LayerParameter")


class _Field(NamedTuple):
    """What the parser needs of a field: its name, whether repeated, its message, or how to read its value."""

    name: str
    repeated: bool
    message: Descriptor | None
    read: Callable[[Scanner, str], Any]


def parse(text: str, message: Message, filename: str, *, allow_unknown: bool = False,
          errors: list[TextError] | None = None) -> Places:
    """Fills an empty `message` from `text`; returns where each field stands.

    Raises TextError with file:line:column for everything that is not legal text of the message. With allow_unknown, a
    field that the message lacks is skipped, and a warning says so. Where a list of `errors` is given, those after which
    reading can go on (an unknown field, a bad value, a field that is missing) are put into it instead.
    """
    scanner = Scanner(text, filename)
    places = Places(filename, scanner.lines, Mark())
    _Parser(scanner, places, allow_unknown, errors).body(message, places.root, "")
    return places


class _Parser:
    """One run over one text."""

    def __init__(self, scanner: Scanner, places: Places, allow_unknown: bool, errors: list[TextError] | None) -> None:
        self.scan, self.places, self.allow_unknown, self.errors = scanner, places, allow_unknown, errors

    def body(self, message: Message, mark: Mark, closing: str) -> None:
        """Reads fields up to and past the sign `closing` ("": the end of the text)."""
        scan, fields, marks = self.scan, _fields(message.DESCRIPTOR), mark.fields
        while True:
            if scan.kind == WORD:
                name, at = scan.token, scan.at
                scan.advance()
                field = fields.get(name)
                if field is None:
                    self._unknown(message, name, at)
                else:
                    if not field.repeated and name in marks:
                        self._warn(at, f"field {name} is given twice; this one counts")
                        message.ClearField(name)
                        del marks[name]
                    self._field(message, field, marks.setdefault(name, []), at)
                if scan.kind == SIGN and scan.token in ",;":
                    scan.advance()
            elif scan.kind == END if not closing else scan.kind == SIGN and scan.token == closing:
                break
            elif scan.kind == END:
                scan.fail(f'"{closing}" is missing at the end of the file',
                          fix=f"the block opened at line {scan.lines.of(mark.offset)[0]} is not closed")
            else:
                scan.fail(f"expected a field of {message.DESCRIPTOR.name}, found {scan.shown()}")
        for name in _required(message.DESCRIPTOR):
            if name not in marks:
                self._fail(f"{message.DESCRIPTOR.name} needs field {name}", mark.offset)
        if closing:
            scan.advance()

    def _field(self, message: Message, field: _Field, marks: list[Mark | int], at: int) -> None:
        scan = self.scan
        colon = scan.accept(":")
        if field.message is None and not colon:
            scan.fail(f'expected ":" after {field.name}, found {scan.shown()}')
        if not (scan.kind == SIGN and scan.token == "["):
            self._value(message, field, marks, at)
            return
        if not field.repeated:
            scan.fail(f"{field.name} takes one value, not a list")
        scan.advance()
        if scan.accept("]"):
            return
        while True:
            self._value(message, field, marks, scan.at)
            if scan.accept("]"):
                return
            if not scan.accept(","):
                scan.fail(f'expected "," or "]" in the list of {field.name}, found {scan.shown()}')

    def _value(self, message: Message, field: _Field, marks: list[Mark | int], at: int) -> None:
        scan = self.scan
        if field.message is None:
            start, kind = scan.at, scan.kind
            try:
                value = field.read(scan, field.name)
            except TextError as e:
                if self.errors is None or kind not in (WORD, NUMBER, STRING):
                    raise
                self.errors.append(e)
                if scan.at == start:
                    scan.advance()
                return
            if field.repeated:
                getattr(message, field.name).append(value)
            else:
                setattr(message, field.name, value)
            marks.append(at)
            return
        if scan.kind != SIGN or scan.token not in "{<":
            scan.fail(f'expected "{{" after {field.name}, found {scan.shown()}')
        closing = _CLOSING[scan.token]
        scan.advance()
        mark = Mark(at)
        marks.append(mark)
        if field.repeated:
            inner = getattr(message, field.name).add()
        else:
            inner = getattr(message, field.name)
            inner.SetInParent()
        self.body(inner, mark, closing)

    def _unknown(self, message: Message, name: str, at: int) -> None:
        """Refuses, or skips with a warning, a field that the message does not have."""
        why = f'{message.DESCRIPTOR.name} has no field "{name}"'
        if self.allow_unknown:
            self._warn(at, f"{why}; skipped")
        else:
            self._fail(why, at, _advice(message, name))
        scan = self.scan
        colon = scan.accept(":")
        if scan.kind == SIGN and scan.token in _CLOSING:
            self._skip_block()
        elif not colon:
            scan.fail(f'expected ":" or "{{" after {name}, found {scan.shown()}')
        elif scan.kind == STRING:
            scan.string(name)
        else:
            scan.accept("-")
            if scan.kind not in (WORD, NUMBER):
                scan.fail(f"expected a value of {name}, found {scan.shown()}")
            scan.advance()

    def _skip_block(self) -> None:
        """Goes past the bracket at hand and its partner, whatever stands between."""
        scan = self.scan
        start = scan.at
        open_brackets: list[str] = []
        while True:
            if scan.kind == END:
                scan.fail(f'"{open_brackets[-1]}" is missing at the end of the file',
                          fix=f"the block opened at line {scan.lines.of(start)[0]} is not closed")
            if scan.kind == SIGN and scan.token in _CLOSING:
                open_brackets.append(_CLOSING[scan.token])
            elif scan.kind == SIGN and scan.token in "}>]" and scan.token != open_brackets.pop():
                scan.fail(f"unexpected {scan.shown()}")
            scan.advance()
            if not open_brackets:
                return

    def _fail(self, why: str, at: int, fix: str = "") -> None:
        """Raises the error, or collects it: reading can go on after it."""
        try:
            self.scan.fail(why, at=at, fix=fix)
        except TextError as e:
            if self.errors is None:
                raise
            self.errors.append(e)

    def _warn(self, at: int, text: str) -> None:
        self.places.warnings.append(f"{self.scan.where(at)}: {text}")


@cache
def _fields(descriptor: Descriptor) -> dict[str, _Field]:
    return {f.name: _Field(f.name, is_repeated(f), f.message_type, _reader(f)) for f in descriptor.fields}


@cache
def _required(descriptor: Descriptor) -> list[str]:
    return [f.name for f in descriptor.fields
            if (f.is_required if hasattr(f, "is_required") else getattr(f, "label", 0) == _LABEL_REQUIRED)]


def is_repeated(field: FieldDescriptor) -> bool:
    """Whether a field is a list (protobuf 5 and 7 have no spelling of this in common)."""
    return field.is_repeated if hasattr(field, "is_repeated") else getattr(field, "label", 0) == _LABEL_REPEATED


def _reader(field: FieldDescriptor) -> Callable[[Scanner, str], Any]:
    """The function (scanner, field name) -> value for a field's scalar type."""
    kind = field.cpp_type
    if kind in _RANGES:
        low, high = _RANGES[kind]
        return lambda scan, name: scan.integer(name, low, high)
    if kind in (FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE):
        return Scanner.real
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return Scanner.boolean
    if field.enum_type is not None:
        values = {v.name: v.number for v in field.enum_type.values}
        return lambda scan, name: _enum(scan, name, values)
    return Scanner.string if field.type == FieldDescriptor.TYPE_BYTES else _text


def _text(scan: Scanner, name: str) -> str:
    at, value = scan.at, scan.string(name)
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        scan.fail("this string is not UTF-8", at=at, field=name, fix="save the file as UTF-8")


def _enum(scan: Scanner, name: str, values: dict[str, int]) -> int:
    if scan.kind == WORD and scan.token in values:
        number = values[scan.token]
        scan.advance()
        return number
    known = f"known: {', '.join(values)}"
    if scan.kind == NUMBER or (scan.kind == SIGN and scan.token == "-"):
        at = scan.at
        number = scan.integer(name, -2**31, 2**31 - 1)
        if number not in values.values():
            scan.fail(f"there is no value {number}", at=at, field=name, fix=known)
        return number
    if scan.kind == STRING and scan.token[1:-1] in values:
        scan.fail(f"{scan.shown()} is a string", field=name, fix=f"write {scan.token[1:-1]} without quotes")
    hint = did_you_mean(scan.token, values) if scan.kind == WORD else ""
    scan.fail(f"there is no value {scan.shown()}", field=name, fix=f"{hint} {known}".strip())


def _advice(message: Message, name: str) -> str:
    """What the author of an unknown field may have meant; a fork is named where the field is one of a fork's."""
    descriptor = message.DESCRIPTOR
    messages = descriptor.file.message_types_by_name
    owners = [(m, f"{m}.{name}") for m in _MAIN_MESSAGES if m in messages and name in _fields(messages[m])]
    owners = owners or [(f.name, f"{f.message_type.name}.{name}") for f in descriptor.fields
                        if f.message_type and name in _fields(f.message_type)
                        and f"{descriptor.name}.{f.name}" not in FORK_FIELDS]
    plain = [owner for owner, field in owners if field not in FORK_FIELDS]
    if plain:
        return f"it is a field of {' or '.join(plain[:3])}"
    if owners:
        return f"it is a field of {owners[0][0]} in {FORK_FIELDS[owners[0][1]]}"
    return did_you_mean(name, _fields(descriptor))
