"""Tokens, and the values of scalars."""
from __future__ import annotations

import math

import pytest

from caffempi.errors import TextError
from caffempi.proto.scan import END, Scanner


def tokens(text: str) -> list[str]:
    scan, found = Scanner(text, "f"), []
    while scan.kind != END:
        found.append(scan.token)
        scan.advance()
    return found


@pytest.mark.parametrize(("text", "expected"), [
    ("", []), (" \t\r\n", []), ("# only", []), ("// only", []), ("a:1", ["a", ":", "1"]),
    ("a{b:-.5e-3}", ["a", "{", "b", ":", "-", ".5e-3", "}"]), ("a:1#c\nb:2//d", ["a", ":", "1", "b", ":", "2"]),
    ('"#no // comment"', ['"#no // comment"']), ("'a\"b' \"c'd\"", ["'a\"b'", "\"c'd\""]), (r'"a\"b"', [r'"a\"b"']),
    ("<>[],;", list("<>[],;")), ("a\rb", ["a", "b"]), ("\f\va", ["a"]), ("3x3", ["3x3"]), ("1-2", ["1", "-", "2"]),
])
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(("text", "where", "word"), [
    ('a: "open\n', "f:1:4", "does not end"), ("a:\n  'x", "f:2:3", "does not end"), ("a:\r\n\t@", "f:2:2", "U+0040"),
    ("a\uff1a 1", "f:1:2", "U+FF1A"), ("a / b", "f:1:3", "U+002F"), ("+1", "f:1:1", "U+002B"),
    ("\udcd6", "f:1:1", "unexpected character"), ('"a\\\nb"', "f:1:1", "does not end"),
])
def test_what_is_no_token(text: str, where: str, word: str) -> None:
    with pytest.raises(TextError, match=word.replace("+", r"\+")) as caught:
        tokens(text)
    assert caught.value.where == where


@pytest.mark.parametrize(("text", "value"), [
    ("0", 0), ("7", 7), ("-7", -7), ("- 7", -7), ("0x1F", 31), ("0X1f", 31), ("-0x10", -16), ("017", 15), ("00", 0),
    ("2147483647", 2**31 - 1), ("-2147483648", -2**31),
])
def test_integers(text: str, value: int) -> None:
    scan = Scanner(text, "f")
    assert scan.integer("x", -2**31, 2**31 - 1) == value and scan.kind == END


@pytest.mark.parametrize("text", ["", "a", "1.0", "1e3", "08", "0x", "1_000", "--1", "2147483648", "-2147483649",
                                  "9" * 5000, "0b1", '"1"', "3x3", "1f", "-"])
def test_what_is_no_integer(text: str) -> None:
    with pytest.raises(TextError) as caught:
        Scanner(text, "f").integer("x", -2**31, 2**31 - 1)
    assert caught.value.where and "\n" not in str(caught.value) and len(str(caught.value)) < 200


@pytest.mark.parametrize(("text", "value"), [
    ("1", 1), ("1.", 1), (".5", .5), ("-.5", -.5), ("1e-3", 1e-3), ("1.5E+2f", 150), ("2f", 2), ("2F", 2), ("010", 10),
    ("inf", math.inf), ("-inf", -math.inf), ("Infinity", math.inf), ("1e999", math.inf), ("0.1", .1),
])
def test_reals(text: str, value: float) -> None:
    scan = Scanner(text, "f")
    assert scan.real("x") == value and scan.kind == END


def test_not_a_number_is_a_real() -> None:
    assert math.isnan(Scanner("nan", "f").real("x"))


@pytest.mark.parametrize("text", ["", "a", "1.2.3", "0x10", "1_0", "1e", "e3", '"1"', "1.0ff", "infx", "{"])
def test_what_is_no_real(text: str) -> None:
    with pytest.raises(TextError, match="expected a number"):
        Scanner(text, "f").real("x")


@pytest.mark.parametrize(("text", "value"), [
    ("true", True), ("True", True), ("t", True), ("1", True), ("0x1", True), ("01", True),
    ("false", False), ("False", False), ("f", False), ("0", False), ("0x0", False), ("00", False),
])
def test_booleans(text: str, value: bool) -> None:
    assert Scanner(text, "f").boolean("x") is value


@pytest.mark.parametrize("text", ["", "TRUE", "yes", "2", "-1", "10", "11", '"true"', "1.0", "0x10", "0x"])
def test_what_is_no_boolean(text: str) -> None:
    with pytest.raises(TextError, match="expected true or false"):
        Scanner(text, "f").boolean("x")


@pytest.mark.parametrize(("text", "value"), [
    ('"a"', b"a"), ("'a'", b"a"), ('""', b""), ("\"a\" 'b'\n# c\n\"d\"", b"abd"), (r'"\n\t\\\"\'\?"', b"\n\t\\\"'?"),
    (r'"\101\60\0"', b"A0\0"), (r'"\x41\xfF"', b"A\xff"), (r'"\u00e9"', "é".encode()), (r'"\U0001F600"', "😀".encode()),
    ('"é"', "é".encode()), ('"\udcff"', b"\xff"), (r'"\a\b\f\r\v"', b"\a\b\f\r\v"),
])
def test_strings(text: str, value: bytes) -> None:
    assert Scanner(text, "f").string("x") == value


@pytest.mark.parametrize("text", [r'"\q"', r'"\400"', r'"\uD800"', r'"\U00110000"', r'"\xg"', "a", "1", "{", ""])
def test_what_is_no_string(text: str) -> None:
    with pytest.raises(TextError):
        Scanner(text, "f").string("x")


def test_a_bare_word_is_told_to_be_quoted() -> None:
    with pytest.raises(TextError, match='write type: "xavier"'):
        Scanner("xavier", "f").string("type")


def test_long_texts_of_blanks_and_comments_take_no_second_look() -> None:
    assert tokens("# a\n  // b\n" * 50_000 + "a") == ["a"]
