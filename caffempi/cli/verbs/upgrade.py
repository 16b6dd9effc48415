"""`caffempi upgrade_net_proto_text`, `upgrade_net_proto_binary` and `upgrade_solver_proto_text`: old notations to today's."""
from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from caffempi.cli.verb import VERBS, Verb

if TYPE_CHECKING:
    from google.protobuf.message import Message


class Upgrade(Verb):
    """What the three have in common: a file in, a file out, a log line for each change."""

    flags: ClassVar[tuple[str, ...]] = ("input", "output")
    positional = "input output"
    required = ("input", "output")

    def read(self, args: Namespace) -> tuple[Message, list[str]]:
        """The message of the file that is read, upgraded, and notes."""
        raise NotImplementedError

    def data(self, message: Message) -> bytes:
        """What is written: the message's text."""
        from caffempi.proto.text import write
        return write(message).encode()

    def run(self, args: Namespace) -> int:
        """0. IN and OUT may be one file: OUT appears whole or not at all."""
        from caffempi.cli.log import note
        from caffempi.weights.files import atomic_write
        message, notes = self.read(args)
        data = self.data(message)
        for line in notes or ["the file is in today's notation already"]:
            note(line)

        def fill(file: BinaryIO) -> None:
            file.write(data)
        atomic_write(args.output, fill)
        note(f"Wrote {args.output}")
        return 0


@VERBS.register("upgrade_net_proto_text")
class UpgradeNetText(Upgrade):
    """Reads a net's prototxt in any notation since 2013 and writes it in today's: `layer` blocks, an Input layer for `input`
    fields, transform_param, round_mode for ceil_mode. Comments are not kept.
    """

    summary = "writes an old net's prototxt in today's notation"
    flags = ("input", "output", "allow_unknown")

    def read(self, args: Namespace) -> tuple[Message, list[str]]:
        """The net."""
        from caffempi.proto.text import read_net
        net, places = read_net(args.input, allow_unknown=args.allow_unknown)
        return net, [*places.warnings, *places.notes]


@VERBS.register("upgrade_net_proto_binary")
class UpgradeNetBinary(Upgrade):
    """Reads a net's binary (a .caffemodel too) of any generation and fork and writes it in today's notation, with the numbers
    of BVLC Caffe and the weights as they are. Fields whose fork cannot be told are left out, with a log line each.
    """

    summary = "writes an old net's binary in today's notation"

    def read(self, args: Namespace) -> tuple[Message, list[str]]:
        """The net."""
        from caffempi.proto.binary import read_net_binary
        return read_net_binary(args.input)

    def data(self, message: Message) -> bytes:
        """The message's binary."""
        return message.SerializeToString()


@VERBS.register("upgrade_solver_proto_text")
class UpgradeSolverText(Upgrade):
    """Reads a solver's prototxt and writes it in today's notation: type for solver_type, and the nets inside it upgraded.
    Comments are not kept.
    """

    summary = "writes an old solver's prototxt in today's notation"
    flags = ("input", "output", "allow_unknown")

    def read(self, args: Namespace) -> tuple[Message, list[str]]:
        """The solver."""
        from caffempi.proto.text import read_solver
        solver, places = read_solver(args.input, allow_unknown=args.allow_unknown)
        return solver, [*places.warnings, *places.notes]
