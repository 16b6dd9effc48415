"""What a verb is, and the table of them.

    @VERBS.register("train")
    class Train(Verb):
        summary = "trains a solver's net"
        flags = ("solver", *NET)
        def run(self, args): ...
"""
from __future__ import annotations

from argparse import Namespace
from typing import ClassVar

from caffempi.errors import UsageError
from caffempi.registry import Registry


class Verb:
    """One verb. summary: a line of help; flags: names in the table of `flags`, beyond those that all verbs take.

    positional: the flags, parted by blanks, whose values may stand alone, in this order ("" for none). required: flags
    that must be given. ranks: whether all ranks of an mpirun take part; of any other verb rank 0 does the work alone.
    """

    summary: ClassVar[str] = ""
    flags: ClassVar[tuple[str, ...]] = ()
    positional: ClassVar[str] = ""
    required: ClassVar[tuple[str, ...]] = ()
    ranks: ClassVar[bool] = False

    def run(self, args: Namespace) -> int:
        """Does the work; returns the exit code. With `ranks` it also calls `import_plugins` first, once a failure of one
        rank ends all. args: one attribute a flag, None where it has no default."""
        raise NotImplementedError


def import_plugins(args: Namespace) -> None:
    """Imports what --import names. Raises UsageError, CodeError, NetError."""
    names = getattr(args, "import")
    if names:
        from caffempi.layers.plugins import load_plugin
        for name in names:
            load_plugin(name)


VERBS: Registry[type[Verb]] = Registry("verb", UsageError)
