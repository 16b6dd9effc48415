"""Cuts prototxt into tokens and turns the tokens of scalars into values.

Accepted beyond protobuf's own grammar: `//` comments. Tokens are found one at a time, so that a large text costs no
more memory than itself.
"""
from __future__ import annotations

import re
from typing import NoReturn

from caffempi.errors import TextError
from caffempi.proto.places import Lines

WORD, NUMBER, STRING, SIGN, END, OTHER = range(1, 7)
# Something always matches behind the blanks, so that the repeated group is never tried a second way.
_TOKEN = re.compile(r"""(?:[ \t\n\f\v]+|\#[^\n]*|//[^\n]*)*
    (?:([A-Za-z_][A-Za-z0-9_]*)
    |((?:[0-9]|\.[0-9])(?:[eE][+-]|[A-Za-z0-9_.])*)
    |("[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|'[^'\\\n]*(?:\\[^\n][^'\\\n]*)*')
    |([{}<>\[\]:,;-])
    |(\Z)
    |(.))""", re.VERBOSE | re.DOTALL)
_INTEGER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+")
_DECIMAL = re.compile(r"((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fF]?")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v", b"\\": b"\\",
            b"'": b"'", b'"': b'"', b"?": b"?"}
_SPECIAL = {"inf": float("inf"), "infinity": float("inf"), "nan": float("nan")}
_BOOLS = {"true": True, "True": True, "t": True, "false": False, "False": False, "f": False}
_QUOTED_LIMIT = 40


class Scanner:
    """One text and the token at which reading stands: its `kind`, its `token` (text) and `at` (offset).

    Errors (TextError) carry file:line:column.
    """

    def __init__(self, text: str, filename: str) -> None:
        # Line ends of all systems become one; columns stay as they are, since only ends of lines change.
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.filename, self.lines = filename, Lines(self.text)
        self.kind, self.token, self.at, self._next = END, "", 0, 0
        self.advance()

    def advance(self) -> None:
        """Goes on to the next token; behind the last one the kind is END."""
        match = _TOKEN.match(self.text, self._next)
        assert match is not None and match.lastindex is not None
        self.kind, self._next = match.lastindex, match.end()
        self.token, self.at = match.group(self.kind), match.start(self.kind)
        if self.kind == OTHER:
            if self.token in "\"'":
                self.fail("this string does not end on its line", fix="close the quotes")
            self.fail(f"unexpected character {self.token!r} (U+{ord(self.token):04X})")

    def where(self, offset: int | None = None) -> str:
        """file:line:column of an offset, by default of the current token."""
        line, column = self.lines.of(self.at if offset is None else offset)
        return f"{self.filename}:{line}:{column}"

    def shown(self) -> str:
        """The current token as errors quote it."""
        if self.kind == END:
            return "the end of the file"
        token = self.token if len(self.token) <= _QUOTED_LIMIT else self.token[:_QUOTED_LIMIT] + "..."
        return token.encode("utf-8", "replace").decode() if self.kind == STRING else f'"{token}"'

    def fail(self, why: str, *, at: int | None = None, fix: str | None = None, field: str | None = None) -> NoReturn:
        """Raises a TextError at an offset, by default at the current token."""
        raise TextError(why, where=self.where(at), fix=fix or None, field=field)

    def accept(self, token: str) -> bool:
        """Whether the current token is this sign; then goes past it."""
        if self.kind == SIGN and self.token == token:
            self.advance()
            return True
        return False

    def integer(self, field: str, low: int, high: int) -> int:
        """A whole number in decimal, hexadecimal (0x) or octal (0), within low..high."""
        at, negative = self.at, self.accept("-")
        if self.kind != NUMBER or not _INTEGER.fullmatch(self.token):
            self.fail(f"expected a whole number, found {self.shown()}", field=field)
        token = self.token
        octal = len(token) > 1 and token[0] == "0" and token[1] not in "xX"
        if octal and not set(token) <= set("01234567"):
            self.fail(f"{self.shown()} is no octal number", field=field, fix="numbers with a leading 0 are octal")
        if len(token) > _QUOTED_LIMIT:
            self.fail(f"{self.shown()} is out of range", field=field)
        value = int(token, 16 if token[1:2] in ("x", "X") else 8 if octal else 10) * (-1 if negative else 1)
        if not low <= value <= high:
            self.fail(f"{value} is outside {low}..{high}", at=at, field=field)
        self.advance()
        return value

    def real(self, field: str) -> float:
        """A number with or without point, exponent and a final f; or inf, nan."""
        negative = self.accept("-")
        match = _DECIMAL.fullmatch(self.token) if self.kind == NUMBER else None
        if match:
            value = float(match.group(1))
        elif self.kind == WORD and self.token.lower() in _SPECIAL:
            value = _SPECIAL[self.token.lower()]
        else:
            self.fail(f"expected a number, found {self.shown()}", field=field)
        self.advance()
        return -value if negative else value

    def boolean(self, field: str) -> bool:
        """true, t, 1 or false, f, 0."""
        if self.kind == WORD and self.token in _BOOLS:
            value = _BOOLS[self.token]
        elif self.kind == NUMBER and _INTEGER.fullmatch(self.token) and self.token.lstrip("0xX") in ("", "1"):
            value = self.token[-1] == "1"
        else:
            self.fail(f"expected true or false, found {self.shown()}", field=field)
        self.advance()
        return value

    def string(self, field: str) -> bytes:
        """One or more quoted strings, joined, with escapes resolved."""
        if self.kind != STRING:
            self.fail(f"expected a string in quotes, found {self.shown()}", field=field,
                      fix=f'write {field}: "{self.token}"' if self.kind in (WORD, NUMBER) else None)
        parts = []
        while self.kind == STRING:
            raw = self.token[1:-1].encode("utf-8", "surrogateescape")
            parts.append(_ESCAPE.sub(self._unescape, raw) if b"\\" in raw else raw)
            self.advance()
        return b"".join(parts)

    def _unescape(self, match: re.Match[bytes]) -> bytes:
        octal, hexadecimal, short, long, letter = match.groups()
        if octal is not None:
            if int(octal, 8) < 256:
                return bytes([int(octal, 8)])
        elif hexadecimal is not None:
            return bytes([int(hexadecimal, 16)])
        elif letter is not None:
            if letter in _LETTERS:
                return _LETTERS[letter]
        else:
            code = int(short or long, 16)
            if code < 0x110000 and not 0xD800 <= code < 0xE000:
                return chr(code).encode()
        shown = match.group().decode("utf-8", "replace")
        self.fail(f"unknown escape {shown} in a string", fix="write \\\\ for a backslash")
