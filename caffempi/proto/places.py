"""Where the fields of a message stand in the text that it was read from.

protobuf keeps no positions, so the parser records a tree of marks beside the message: one mark a message, one offset a
scalar. Upgrades move the marks together with what they mark, so that an error about a layer of an old net still names
the line that its author wrote.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator


class Mark:
    """The place of a message: the offset of its field's name, and the marks or offsets of its own fields by name."""

    __slots__ = ("fields", "offset")

    def __init__(self, offset: int = 0, fields: dict[str, list[Mark | int]] | None = None) -> None:
        self.offset = offset
        self.fields: dict[str, list[Mark | int]] = {} if fields is None else fields

    def child(self, name: str, index: int = 0) -> Mark:
        """The mark of a field; where the text has no such field, a mark at this message's own place."""
        found = self.fields.get(name, [])
        if not 0 <= index < len(found):
            return Mark(self.offset)
        item = found[index]
        return item if isinstance(item, Mark) else Mark(item)

    def move(self, old: str, new: str) -> None:
        """The places of field `old` become those of `new`."""
        if old in self.fields:
            self.fields[new] = self.fields.pop(old)


class Lines:
    """Turns offsets of one text into line and column, both counted from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def of(self, offset: int) -> tuple[int, int]:
        """(line, column) of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


class Places:
    """file:line of every field of a message, with what reading it gave cause to say.

    filename   name of the text
    warnings   one line each: a field given twice, an unknown field that was skipped
    notes      one line each: what was upgraded from an old notation
    root       the tree of marks
    """

    def __init__(self, filename: str, lines: Lines, root: Mark) -> None:
        self.filename, self.root = filename, root
        self.warnings: list[str] = []
        self.notes: list[str] = []
        self._lines = lines
        self._names: dict[str, int] = {}

    def at(self, *path: str | int) -> str:
        """file:line of a field, given as names, each repeated one followed by its index: "layer", 3, "name".

        Where the text has no such field, it is the place of the nearest message around it.
        """
        mark, steps = self.root, list(path)
        while steps:
            name = str(steps.pop(0))
            index = steps.pop(0) if steps and isinstance(steps[0], int) else 0
            assert isinstance(index, int)
            known = 0 <= index < len(mark.fields.get(name, []))
            mark = mark.child(name, index)
            if not known:
                break
        return self.of(mark)

    def below(self, name: str, index: int = 0) -> Places:
        """The places of a message inside this one; changes to either show in both."""
        return Places(self.filename, self._lines, self.root.child(name, index))

    def of(self, mark: Mark) -> str:
        """file:line of a mark."""
        return f"{self.filename}:{self._lines.of(mark.offset)[0]}"

    def layer(self, layer: int | str) -> str:
        """file:line of a layer, by its index or its name (the first of that name; unknown: the file's start)."""
        index = self._names.get(layer, -1) if isinstance(layer, str) else layer
        return self.at("layer", index)

    def name_layers(self, names: Iterable[str]) -> None:
        """Tells the names of the layers in order, so that `layer` finds them."""
        self._names = {}
        for index, name in enumerate(names):
            self._names.setdefault(name, index)

    def __iter__(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """(path, file:line) of everything that the text says; each name in a path is followed by its index."""
        todo: list[tuple[tuple[str | int, ...], Mark]] = [((), self.root)]
        while todo:
            path, mark = todo.pop()
            for name, items in mark.fields.items():
                for index, item in enumerate(items):
                    below: tuple[str | int, ...] = (*path, name, index)
                    if isinstance(item, Mark):
                        todo.append((below, item))
                        yield below, self.of(item)
                    else:
                        yield below, self.of(Mark(item))
